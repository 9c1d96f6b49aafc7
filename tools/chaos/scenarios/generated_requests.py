"""Requests that schemathesis makes from the OpenAPI, of a guest and of a customer (docs/wire.md#envelope)."""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tools.chaos.figures import Figure, ScenarioError
from tools.chaos.limits import SETTINGS as WITHOUT_LIMITS
from tools.chaos.limits import without_limits
from tools.chaos.shops import Shop
from tools.launch import ROOT

MIN_CASES = 20_000
# As many rounds as a slow machine needs.
SECONDS, MAX_ROUNDS = 280, 3
WORKERS = 2
# A refusal of the shop travels with 200 and a missing token is no 401 on public calls, so the checks that
# take a status for an outcome do not apply here.
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
    "response_headers_conformance",
    "unsupported_method",
    "in_the_envelope",
)
# As many orders as are made.
SETTINGS = WITHOUT_LIMITS | {
    "MAX_UNPAID_ORDERS": "100000",
    "MAX_UNPAID_ORDERS_A_DAY": "100000",
    "MAX_UNPAID_AMOUNT": "1000000000",
}


def run(shop: Shop) -> Iterator[Figure]:
    """Make requests for five minutes or more without a token, and as long with one."""
    shop.start()
    made = shop.prepare(customers=2, products=1, units=1_000_000, dollars=1_000)
    buyer, other = made["buyers"]
    [product] = made["products"]
    values = {
        "goodsId": product,
        "goods_id": str(product),
        "goodsAmount": 1,
        "deliveryAddressId": buyer["address"],
        "shippingType": "2",
        "account": "noone@example.com",
    }
    customer = {"token": buyer["token"], "spare": other["token"], "values": values}
    cases, started = 0, time.monotonic()
    with without_limits(shop):
        for caller, facts in (("a guest", customer | {"token": "", "spare": ""}), ("a customer", customer)):
            made_of_them = 0
            for number in range(MAX_ROUNDS):
                report, printed, answers = _made(shop, f"{caller} {number + 1}", facts, seed=number + 1)
                made_of_them += len(answers)
                yield _figure(caller, report, printed, answers)
                if made_of_them >= MIN_CASES // 2:
                    break
            cases += made_of_them
    yield Figure(
        "all generated requests",
        f"{time.monotonic() - started:.0f} s, {WORKERS} at a time",
        f"{cases} cases",
        f"≥ {MIN_CASES} cases",
        cases >= MIN_CASES,
    )


def _made(shop: Shop, who: str, facts: dict[str, Any], *, seed: int) -> tuple[dict[str, Any], str, list[Any]]:
    """Let schemathesis make requests.

    Returns its report, what it printed, and [operation, status, code] of each answer.
    """
    name = who.replace(" ", "-")
    report, seen = shop.folder / f"{name}.json", shop.folder / f"{name}.jsonl"
    command = [
        *(sys.executable, "-m", "schemathesis.cli", "run", f"{shop.url}/api/openapi.json"),
        *("--checks", ",".join(CHECKS), "--max-time", str(SECONDS), "--workers", str(WORKERS)),
        *("--continue-on-failure", "--no-shrink", "--max-redirects", "0", "--request-timeout", "30"),
        *("--suppress-health-check", "all", "--warnings", "off", "--seed", str(seed)),
        *("--report", "json", "--report-json-path", str(report)),
    ]
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join([str(ROOT / "site"), str(ROOT)]),
        "SCHEMATHESIS_HOOKS": "tools.chaos.generated_hooks",
        "GENERATED_FACTS": json.dumps(facts | {"seen": str(seen)}),
    }
    with (shop.folder / f"{name}.txt").open("wb") as output:
        subprocess.run(
            command,
            cwd=shop.folder,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            timeout=2 * SECONDS,
        )
    if not report.exists():
        raise ScenarioError(f"schemathesis made no report: see {output.name}")
    answers = [json.loads(line) for line in seen.read_text("utf-8").splitlines()]
    return json.loads(report.read_text("utf-8")), Path(output.name).read_text("utf-8"), answers


def _figure(who: str, report: dict[str, Any], printed: str, answers: list[Any]) -> Figure:
    operations = report["operations"]
    failures = {each["title"]: each["operations"] for each in report["failures"]}
    errors = report["errors"]
    limited = sum(status == 429 for _, status, _ in answers)
    codes = Counter(code for _, _, code in answers)
    details = "".join(f"; {title}: {', '.join(where[:3])}" for title, where in failures.items())
    if errors:
        # The report has their titles only.
        details += f"; {printed.partition(' ERRORS ')[2].strip(' =')}"
    return Figure(
        f"requests made from the OpenAPI, of {who}",
        f"{len(answers)} cases, {operations['tested']} of {operations['total']} operations",
        f"{len(failures)} kinds of failures, {len(errors)} errors, {limited} times too many, "
        f"codes {dict(sorted(codes.items()))}{details}",
        "every operation, no failure, no error",
        not failures and not errors and operations["tested"] == operations["total"],
    )
