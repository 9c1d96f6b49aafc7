"""The first line of each template names the context that it reads (CONTRIBUTING.md#templates)."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.template import engines
from django.template.base import FilterExpression, Node, NodeList, Variable
from django.test import RequestFactory
from django.utils.module_loading import import_string

FOLDER = settings.BASE_DIR / "templates"
TEMPLATES = sorted(str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*") if path.is_file())
# Set by tags for the nodes within them.
BY_TAGS = {"forloop", "block", "True", "False", "None"}
# What nodes call the names that they set.
SETTING = ("asvar", "var_name", "variable_name", "target_var", "countervar")


@cache
def everywhere() -> set[str]:
    """Return the names that every page has: those of the context processors."""
    request: Any = RequestFactory().get("/")
    request.user, request.session = AnonymousUser(), {}
    options: Any = settings.TEMPLATES[0]["OPTIONS"]
    paths = options["context_processors"]
    return {name for path in paths for name in import_string(path)(request)} | {"csrf_token"}


def nodes_of(value: Any) -> Iterator[Node]:
    """Yield all nodes below a node or a list of them, also those of the branches of an `if`."""
    if isinstance(value, Node):
        yield value
        for each in vars(value).values():
            if isinstance(each, Node | list | tuple):
                yield from nodes_of(each)
    elif isinstance(value, NodeList | list | tuple):
        for each in value:
            yield from nodes_of(each)


def read_by(value: Any) -> Iterator[str]:
    """Yield the first names of the variables in an attribute of a node."""
    if isinstance(value, Variable):
        if value.lookups:
            yield value.lookups[0]
    elif isinstance(value, FilterExpression):
        yield from read_by(value.var)
        for _function, arguments in value.filters:
            for _is_variable, argument in arguments:
                yield from read_by(argument)
    elif isinstance(value, dict):
        for each in value.values():
            yield from read_by(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from read_by(each)
    elif hasattr(value, "first") or hasattr(value, "value"):
        # The condition of an `if`.
        for name in ("first", "second", "value"):
            yield from read_by(getattr(value, name, None))


def context_of(name: str) -> list[str]:
    """Return the names that a template reads and does not set itself, in alphabetical order."""
    template: Any = engines["django"].get_template(name)
    nodelist = template.template.nodelist
    used, own = set[str](), set(BY_TAGS)
    for node in nodes_of(nodelist):
        for attribute, value in vars(node).items():
            if attribute in SETTING and isinstance(value, str):
                own.add(value)
            elif attribute == "loopvars":
                own.update(value)
            elif attribute == "conditions_nodelists":
                used.update(each for condition, _nodes in value for each in read_by(condition))
            elif not isinstance(value, NodeList):
                used.update(read_by(value))
            if attribute == "extra_context" and not type(node).__name__.startswith("Include"):
                own.update(value)
            if attribute in ("singular", "plural"):
                used.update(token.contents for token in value if token.token_type.name == "VAR")
    return sorted(used - own - everywhere())


def test_the_first_line_of_each_template_names_the_context_that_it_reads() -> None:
    wrong = []
    for name in TEMPLATES:
        wanted = f"{{# Context: {', '.join(context_of(name)) or 'none'} #}}"
        if not (FOLDER / name).read_text("utf-8").startswith(wanted):
            wrong.append(f"begin templates/{name} with {wanted}")
    assert not wrong, "\n".join(wrong)
