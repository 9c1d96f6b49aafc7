"""Files that are no pictures, or more than pictures (docs/guarantees/customers.md#uploaded-pictures)."""

import asyncio
import io
import re
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from typing import Any

from PIL import Image

from core.tests.hostile_pictures import HOSTILE, POLYGLOTS, SCRIPT, SECRET, picture, repeating_jpeg
from tools.chaos.crowd import crowd_at
from tools.chaos.figures import Figure
from tools.chaos.limits import SETTINGS as WITHOUT_LIMITS
from tools.chaos.limits import address, without_limits
from tools.chaos.shops import Shop

# Above the default, which a visitor may not choose: a machine that is busy decodes slowly.
SETTINGS = WITHOUT_LIMITS | {"WEB_BODY_SECONDS": "30"}
MIN_FILES = 60
MAX_MEMORY = 200 * 2**20
STORED_NAME = re.compile(r"[A-Za-z0-9_-]{43}\.jpg")
# Names of files and types that a careless shop would follow.
NAMES = (
    "../../../etc/cron.d/x",
    "..\\..\\x.php",
    "a\0.jpg",
    "a.jpg\0.php",
    "a.svg",
    "a.html",
    ".htaccess",
    "x" * 4_000 + ".jpg",
    "付款.jpg",
    "",
    " ",
    "/etc/passwd",
    "a.jpg;b.php",
    "CON.jpg",
    "%2e%2e%2fa.jpg",
)
TYPES = ("image/jpeg", "text/html", "image/svg+xml", "application/octet-stream", "image/gif", "x" * 500)


def run(shop: Shop) -> Iterator[Figure]:
    """Upload every file, valid pictures under every name, and see what was stored and what it cost."""
    shop.start()
    [buyer] = shop.prepare(customers=1)["buyers"]
    refused = {**HOSTILE, "a JPEG that repeats itself": repeating_jpeg()}
    valid = [*POLYGLOTS.values(), *([picture()] * len(NAMES))]
    names = cycle(NAMES)
    with without_limits(shop), _Memory(shop) as memory:
        bad = asyncio.run(_upload(shop, buyer, [(data, next(names)) for data in refused.values()]))
        good = asyncio.run(_upload(shop, buyer, [(data, next(names)) for data in valid]))
    sent = bad.total() + good.total()
    yield Figure(
        "files that are no pictures",
        f"{len(refused)} files",
        f"answers {dict(bad)}",
        "all refused",
        set(bad) <= {"picture_error", "parameter_error", "body_too_large"}
        and bad.total() + good.total() >= MIN_FILES,
    )
    stored = list((shop.folder / "certificates").glob("*"))
    wrong = [file.name[:60] for file in stored if not _is_fresh(file)]
    yield Figure(
        "pictures that are more, under odd names",
        f"{len(valid)} files, {len(NAMES)} names, {len(TYPES)} types",
        f"answers {dict(good)}, {len(stored)} stored, {len(wrong)} with more than pixels: {wrong[:3]}",
        "every stored file re-encoded, under a random name",
        # What has no name, or one that cannot be read, is no file.
        set(good) <= {"ok", "parameter_error"} and good["ok"] == len(stored) >= len(POLYGLOTS) and not wrong,
    )
    yield Figure(
        "the memory of all uploads",
        f"{sent} files, one at a time",
        f"at most {memory.peak - memory.before >> 20} MiB above the {memory.before >> 20} MiB before",
        f"≤ {MAX_MEMORY >> 20} MiB more",
        memory.peak - memory.before <= MAX_MEMORY,
    )


async def _upload(shop: Shop, buyer: dict[str, Any], files: list[tuple[bytes, str]]) -> Counter[str]:
    types = cycle(TYPES)
    outcomes: Counter[str] = Counter()
    async with crowd_at(shop) as crowd:
        for number, (data, name) in enumerate(files):
            head = f'--x\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
            body = f"{head}Content-Type: {next(types)}\r\n\r\n".encode() + data + b"\r\n--x--\r\n"
            headers = {
                "Content-Type": "multipart/form-data; boundary=x",
                "X-Forwarded-For": address(number),
            }
            answer = await crowd.call(
                "POST", "/api/v1/upload/oss/image", token=buyer["token"], content=body, headers=headers
            )
            outcomes[answer.outcome] += 1
    return outcomes


def _is_fresh(file: Path) -> bool:
    """Return True if a stored file is a JPEG of nothing but pixels under a random name."""
    data = file.read_bytes()
    with Image.open(io.BytesIO(data)) as opened:
        is_bare = opened.format == "JPEG" and not opened.getexif() and "comment" not in opened.info
    return bool(STORED_NAME.fullmatch(file.name)) and is_bare and SCRIPT not in data and SECRET not in data


class _Memory:
    """Looks all the time at the memory that the shop's processes have for themselves, decoders included."""

    def __init__(self, shop: Shop) -> None:
        self._shop = shop
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._look)
        # A decoder has an empty environment, so it is found as the child of one of these.
        self._pids: set[int] = set()
        self.before = self.peak = 0

    def __enter__(self) -> "_Memory":
        """Begin to look."""
        self._pids = set(self._shop.processes())
        self.before = self.peak = self._now()
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        """Stop looking."""
        self._is_over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._is_over.wait(0.02):
            self.peak = max(self.peak, self._now())

    def _now(self) -> int:
        return sum(own for pid, parent, own in _memories() if {pid, parent} & self._pids)


def _memories() -> Iterator[tuple[int, int, int]]:
    """Give id, parent and bytes of its own of each process."""
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError, KeyError):
            facts = dict(line.split(":", 1) for line in status.read_text().splitlines())
            yield int(facts["Pid"]), int(facts["PPid"]), int(facts["RssAnon"].split()[0]) * 1024
