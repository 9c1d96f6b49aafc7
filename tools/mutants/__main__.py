"""Tries every mutant of the services of stock, money and orders, and names those that no test notices.

docs/mutants.md

python -m tools.mutants --only commerce/ledger,settle --jobs 1 --keep --publish
"""

import argparse
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tools.mutants import page
from tools.mutants.making import Mutant, mutants_of
from tools.mutants.page import Key
from tools.mutants.running import MutantRun, Verdict

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "tools" / "mutants" / "survivors.md"
RESULTS = ROOT / "build" / "mutants.jsonl"
# What changes stock, money and orders.
FILES = (
    "commerce/orders/services/*.py",
    "commerce/payments/services/*.py",
    "commerce/ledger/services.py",
    "catalog/stock/services.py",
    "catalog/promotions/services.py",
    "catalog/promotions/pricing.py",
)
TESTS = (
    "commerce/orders",
    "commerce/payments",
    "commerce/ledger",
    "commerce/cart",
    "catalog/stock",
    "catalog/promotions",
)
# Races would take most of the time, and on SQLite, where one writes at a time, they notice little.
OPTIONS = ("-q", "-s", "--tb=no", "--no-header", "--quick", "-p", "no:cacheprovider")
LEAST_NOTICED = 0.9


def main() -> None:
    """Try the mutants; end with 1 if too few were noticed, or one that was not has no reason."""
    options = _options()
    files = sorted(file for pattern in FILES for file in ROOT.glob(pattern) if file.name != "__init__.py")
    paths = [str(file.relative_to(ROOT)) for file in files]
    chosen = [path for path in paths if not options.only or any(part in path for part in options.only)]
    mutants = [mutant for path in chosen for mutant in mutants_of(path, (ROOT / path).read_text("utf-8"))]
    noticed = _noticed_before() if options.keep else {}
    verdicts = {mutant.key: Verdict(mutant, noticed.get(mutant.key, "")) for mutant in mutants}
    left = [mutant for mutant in mutants if mutant.key not in noticed]
    print(f"{len(mutants)} mutants of {len(chosen)} files, {len(left)} to try", flush=True)
    RESULTS.parent.mkdir(exist_ok=True)
    with RESULTS.open("a" if options.keep else "w", encoding="utf-8", buffering=1) as results:

        def note(verdict: Verdict) -> None:
            verdicts[verdict.mutant.key] = verdict
            results.write(json.dumps([verdict.mutant.key, verdict.noticed_by]) + "\n")
            if not verdict.noticed_by:
                path, function, before, after = verdict.mutant.key
                print(f"{path} {function}\n  - {before}\n  + {after}", flush=True)

        _try(left, paths, options.jobs, note)
    found = [verdicts[mutant.key] for mutant in mutants]
    if options.publish:
        PAGE.write_text(page.written(PAGE.read_text("utf-8"), found), "utf-8")
    print(page.table(page.figures_of(found)))
    raise SystemExit(not _is_good(found))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__.partition("\n")[0])
    parser.add_argument("--only", type=_names, default=(), help="parts of the files' paths, with commas")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count(), help="mutants that are tried concurrently"
    )
    parser.add_argument("--keep", action="store_true", help="do not try again what was noticed before")
    parser.add_argument("--publish", action="store_true", help="write figures and survivors into the page")
    return parser.parse_args()


def _names(text: str) -> list[str]:
    return text.split(",")


def _noticed_before() -> dict[Key, str]:
    rows = [json.loads(line) for line in RESULTS.read_text("utf-8").splitlines()] if RESULTS.exists() else []
    return {tuple(key): noticed_by for key, noticed_by in rows if noticed_by}


def _try(mutants: Sequence[Mutant], paths: Sequence[str], jobs: int, note: Callable[[Verdict], None]) -> None:
    modules = {path: path.removesuffix(".py").replace("/", ".") for path in paths}
    os.chdir(ROOT)
    plugin = MutantRun(ROOT, modules, mutants, jobs, note)
    code = pytest.main([*OPTIONS, *TESTS], plugins=[plugin])
    if mutants and code != pytest.ExitCode.OK:
        raise SystemExit(code)


def _is_good(verdicts: Sequence[Verdict]) -> bool:
    """Return True if enough mutants were noticed, and print which of the others has no reason on the page."""
    reasons = page.reasons_of(PAGE.read_text("utf-8"))
    survivors = {verdict.mutant.key for verdict in verdicts if not verdict.noticed_by}
    without = [key for key in survivors if reasons.get(key, page.NO_REASON) == page.NO_REASON]
    files = {verdict.mutant.path for verdict in verdicts}
    noticed = {key for key in reasons if key[0] in files} - survivors
    print(f"{len(without)} survivors have no reason in {PAGE.name}, {len(noticed)} reasons have no survivor")
    return not without and not noticed and page.share_noticed(page.figures_of(verdicts)) >= LEAST_NOTICED


if __name__ == "__main__":
    main()
