"""Puts the text of a mutant in the place of a module that is loaded already."""

import importlib
import sys
from types import ModuleType

# Whose modules may have imported something from the mutated one.
_OWN = ("catalog", "commerce", "config", "content", "core", "tests")
_MISSING = object()


def load(name: str, source: str) -> None:
    """Run a module again with another text, and let all that imported its names have the new ones.

    What else holds an object of the module, for example a partial of a function, keeps the old one: then a
    test may miss a fault, but none is noticed that is not there.
    """
    module = importlib.import_module(name)
    old = dict(vars(module))
    exec(compile(source, str(module.__file__), "exec"), vars(module))  # noqa: S102  the project's own text
    new = {key: value for key, value in vars(module).items() if value is not old.get(key, _MISSING)}
    for other in list(sys.modules.values()):
        if _is_own(other) and other is not module:
            for key, value in new.items():
                if key in old and vars(other).get(key, _MISSING) is old[key]:
                    setattr(other, key, value)


def _is_own(module: ModuleType) -> bool:
    name = getattr(module, "__name__", "")
    return isinstance(name, str) and name.split(".")[0] in _OWN
