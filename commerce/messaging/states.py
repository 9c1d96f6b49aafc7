"""The states that messages announce: a message is sent only while its state lasts.

An app that writes such messages registers them (docs/guarantees/operation.md#messages).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from django.db.models import Exists, Q, QuerySet

from commerce.messaging.models import Message


class _State(NamedTuple):
    lasting: Callable[[int], QuerySet[Any]]
    unsent: Callable[[int], object]


_states: dict[str, _State] = {}


def register_state(
    name: str, lasting: Callable[[int], QuerySet[Any]], unsent: Callable[[int], object] = lambda key: None
) -> None:
    """Register a state, which belongs to a row with a key.

    `lasting`: returns a queryset that has a row while the state lasts. `unsent`: is called if the message was
    never tried because the state was over.
    """
    _states[name] = _State(lasting, unsent)


def lasts(message: Message) -> Q:
    """Return the condition that the state of a message lasts; empty for a message without one."""
    state = _states.get(message.state)
    return Q(Exists(state.lasting(message.state_id))) if state and message.state_id else Q()


def note_unsent(message: Message) -> None:
    """Notify the app of a message that was never tried, because its state was over."""
    state = _states.get(message.state)
    if state and message.state_id and not message.attempts:
        state.unsent(message.state_id)
