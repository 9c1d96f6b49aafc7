"""Report words and phrases that the project does not use, in code, comments, templates, texts and documents.

    check_english.py            print each occurrence and what to write instead; exit with 1 if there is one
    check_english.py PATH ...   only in these files and folders
    check_english.py --count    print the number of occurrences of each pattern

Names count too: the underscores of `test_nobody_pays` are read as spaces. Chinese is not checked.
"""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

SUFFIXES = {".py", ".ts", ".tsx", ".js", ".mjs", ".css", ".html", ".md", ".sh", ".toml", ".txt", ".typ"}
CATALOGUES = ("islands/i18n/*en.json", "site/locale/**/django.po", "site/locale/**/djangojs.po")
# Written by programs, or by others.
GENERATED = (
    "requirements*.txt", "islands/api/schema.d.ts", "*/migrations/*", "static/regions/*", "*NOTICE.md",
    "scripts/check_english.py", "tools/mutants/survivors.md",
)  # fmt: skip


@dataclass(frozen=True)
class Banned:
    """A pattern and what to write instead."""

    pattern: str
    instead: str


BANNED = [
    Banned(r"nobody|somebody|anybody|whoever|whomever", "name the noun: the customer, staff, no request"),
    Banned(r"those who", "name the noun: customers who, staff who"),
    Banned(
        r"(?:^|(?<=[.;:] )|(?<=[(“\"'`*>|])|(?<=[|*>] ))who(?= \w)(?![^.;]*\?)",
        "name the noun: customers who, the request that",
    ),
    Banned(
        r"(?:of|to|for|by|with|from|than|and|or|but|if|when|where|unless|because|that|as|then|so|also|only|not)"
        r" who",
        "name the noun: customers who, the request that",
    ),
    Banned(r"meanwhile", "concurrently, in the meantime, during the call"),
    Banned(r"beside", "next to, with"),
    Banned(r"anew", "again"),
    Banned(r"at once", "immediately, simultaneously, concurrently, in one request"),
    Banned(r"by (?:itself|themselves)", "automatically, alone"),
    Banned(r"by the clock|the clock (?:begins|starts|does|puts|asks|ends|calls|sends)", "the scheduler"),
    Banned(r"tells? (?:whether|if)", "return True if"),
    Banned(r"tell|tells|told|telling", "notify, return, show, log, report"),
    Banned(r"says?|said|saying", "state, show, return, read, mean"),
    Banned(r"stands?|stood", "is, are"),
    Banned(r"leads? (?:to|nowhere|back|into|there|from|on)", "link to, cause, result in"),
    Banned(r"strangers?", "packages that must not import each other"),
    Banned(r"mend|mends|mended|mending", "fix, repair"),
    Banned(r"(?:in )?good order|dressed", "sorted, styled"),
    Banned(r"storms?", "chaos test"),
    Banned(r"doubles", "fake providers, doubles of a value: twice"),
    Banned(r"lanes?", "worker pool"),
    Banned(r"sweeps?|swept|sweeping", "periodic job"),
    Banned(r"(?:as|is|be) a hint|hints? (?:was|were|is) (?:lost|given|put)|(?:the|a) hint is", "queued task"),
    Banned(r"house", "project, shop"),
    Banned(r"(?:is|are|was|be|no) news|news of|the news", "event, message"),
    Banned(r"hangs? (?:on|at|from)|hung", "depend on, block"),
    Banned(r"(?:for|by|after|in|ahead|waits?|waited|takes?|took|lasts?) so (?:many|much|long|often)",
           "the given number of, this long"),
]  # fmt: skip


@dataclass(frozen=True)
class Allowed:
    """Where a pattern is right: a file pattern, a part of the line, and the reason."""

    files: str
    text: str
    reason: str


# At most 20.
EXCEPTIONS = [
    Allowed("catalog/*", "house", "a house brand is a retailer's own brand; a column of the import files"),
    Allowed("site/config/front_end/files.py", ".tell()", "a method of files"),
    Allowed("site/content/*", "Tea house", "the name of an area"),
    Allowed("templates/includes/tabbar.html", "house", "the name of an icon"),
    Allowed("site/locale/zh_Hans/LC_MESSAGES/django.po", "house label", "the same brand, in the catalogue"),
    Allowed("islands/i18n/*", "ell us", "a shop's own way to speak to its customers"),
    Allowed("islands/i18n/*", "news and offers", "what a newsletter contains"),
    Allowed("docs/imports.md", "house", "the same column"),
]

PATTERNS = [(re.compile(rf"(?<![\w-])(?:{each.pattern})(?![\w-])", re.IGNORECASE), each) for each in BANNED]
# Most lines have none: one search for all is faster.
ANY = re.compile("|".join(pattern.pattern for pattern, _ in PATTERNS), re.IGNORECASE)


def checked_files(paths: list[str]) -> Iterator[Path]:
    """Yield the files of the repository that are checked, below `paths` if there are any."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *paths]
    for name in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():
        file = Path(name)
        if not file.is_file() or any(fnmatch(name, pattern) for pattern in GENERATED):
            continue
        if (
            file.suffix in SUFFIXES
            or file.name == "Makefile"
            or any(fnmatch(name, each) for each in CATALOGUES)
        ):
            yield file


def lines_of(file: Path) -> Iterator[tuple[int, str]]:
    """Yield the number and text of each line that is checked; of a catalogue's lines only the English."""
    is_english = True
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if file.suffix == ".po":
            is_english = {"msgid": True, "msgstr": False, "#": True}.get(
                re.split(r"[ _\[]", line)[0], is_english
            )
        if file.suffix == ".json":
            line = line.partition(": ")[2]
        if is_english:
            yield number, line


def findings(file: Path) -> Iterator[tuple[int, str, Banned]]:
    """Yield the line number, the words and the pattern of each occurrence in a file."""
    for number, line in lines_of(file):
        text = line.strip().removeprefix("#").removeprefix('"""').strip().replace("_", " ")
        if not ANY.search(text):
            continue
        if any(fnmatch(str(file), each.files) and each.text in line for each in EXCEPTIONS):
            continue
        for pattern, banned in PATTERNS:
            for match in pattern.finditer(text):
                yield number, match[0].strip(), banned


def main(arguments: list[str]) -> int:
    """Print the findings; returns 1 if there are any."""
    paths = [each for each in arguments if not each.startswith("--")]
    counts: Counter[str] = Counter()
    for file in checked_files(paths):
        for number, words, banned in findings(file):
            counts[banned.pattern] += 1
            if "--count" not in arguments:
                print(f"{file}:{number}: “{words}”: {banned.instead}")
    if "--count" in arguments:
        for pattern, count in counts.most_common():
            print(f"{count:6} {pattern}")
    print(f"{counts.total()} occurrences")
    return 1 if counts else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
