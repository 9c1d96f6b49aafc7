"""Runs every scenario on each database, audits the books after each, and prints a table (docs/chaos.md).

python -m tools.chaos --engines sqlite,postgresql --only last_units,wallets
"""

import argparse
import importlib
import pkgutil
import shutil
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import ExitStack

from tools.chaos import scenarios
from tools.chaos.engines import Engine, Sqlite, own_postgres
from tools.chaos.figures import HEAD, Figure, ScenarioError
from tools.chaos.shops import Shop, shop_of
from tools.launch import POSTGRESQL, ROOT, SQLITE, names_of

FOLDER = ROOT / "build" / "chaos"
ENGINES = [SQLITE, POSTGRESQL]
NAMES = [module.name for module in pkgutil.iter_modules(scenarios.__path__)]


def main() -> None:
    """Run the scenarios, print the table, and exit with 1 if a figure was not held."""
    options = _options()
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    lines: list[str] = []
    is_held = True
    with ExitStack() as stack:
        for name in options.engines:
            engine = stack.enter_context(own_postgres()) if name == POSTGRESQL else Sqlite(FOLDER)
            _load(engine)
            for scenario in options.only:
                for figure in _made(engine, scenario):
                    is_held &= figure.is_held
                    lines.append(figure.line(scenario, engine.name))
                    _report(f"  {lines[-1]}")
    text = "\n".join([HEAD, *lines])
    (FOLDER / "figures.md").write_text(f"{text}\n", "utf-8")
    print(text)
    raise SystemExit(not is_held)


def _made(engine: Engine, scenario: str) -> Iterator[Figure]:
    """Make one scenario in a shop of its own; the last figure is what the audit finds."""
    _report(f"{engine.name}: {scenario}")
    started = time.monotonic()
    module = importlib.import_module(f"tools.chaos.scenarios.{scenario}")
    folder = FOLDER / f"{engine.name.lower()}-{scenario}"
    with shop_of(engine, folder, **getattr(module, "SETTINGS", {})) as shop:
        try:
            yield from module.run(shop)
            found = shop.differences()
        except Exception as error:
            # The other scenarios are made all the same.
            _report(str(error) if isinstance(error, ScenarioError) else traceback.format_exc())
            yield Figure(scenario, "", "not made: see above", "to be made", is_held=False)
            return
        text = "; ".join(f"{each['row']}: {each['found']}" for each in found[:3])
        yield Figure(
            f"the books after {scenario.replace('_', ' ')}",
            f"{time.monotonic() - started:.0f} s in all",
            f"{len(found)} differences{': ' if text else ''}{text}",
            "0 differences",
            not found,
        )


def _load(engine: Engine) -> None:
    """Load the demonstration once, for all scenarios on an engine."""
    _report(f"{engine.name}: the demonstration")
    folder = FOLDER / f"{engine.name.lower()}-demonstration"
    folder.mkdir()
    engine.create(folder)
    shop = Shop(engine, folder)
    shop.manage("load_demo", "--migrate")
    # Each copy adopts the empty folder of its scenario.
    engine.write(folder, "UPDATE core_datamark SET is_new = true, adopted_at = NULL")
    engine.keep(folder)


def _report(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make chaos", description="Put the shop under load and break it.")
    parser.add_argument("--engines", type=names_of(ENGINES), default=ENGINES)
    parser.add_argument("--only", type=names_of(NAMES), default=NAMES, help=f"some of {','.join(NAMES)}")
    return parser.parse_args()


if __name__ == "__main__":
    main()
