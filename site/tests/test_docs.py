"""What code, comments and documents cite is there: files, headings, paths, calls."""

import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings

from catalog.imports.stock_importers import TABLE_IMPORTERS
from config.api import api
from core.errors import Err

ROOT: Path = settings.BASE_DIR
FOLDERS = ("site", "catalog", "commerce", "islands", "templates", "static", "scripts", "tools", "docs", ".ci")
KINDS = {".py", ".ts", ".tsx", ".mjs", ".js", ".css", ".html", ".md", ".sh", ".toml", ".json", ".yaml", ""}
BUILT = ROOT / "static" / "islands"
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
WIRE = ROOT / "docs" / "wire.md"

CITATION = re.compile(r"(?<![\w./-])(docs/[\w/-]+\.md|(?:README|CONTRIBUTING|CHANGELOG)\.md)(?:#([\w-]+))?")
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)")
HEADING = re.compile(r"^#{1,6} (.+?)\s*$", re.MULTILINE)
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
# The names of texts that are not in the repository.
ELSEWHERE = re.compile(r"\b(?:CONTRACT|SPEC|RELIABILITY|ARCHITECTURE|UX)\b(?!_)|\bSTYLE(?:\.md| \d)")
IN_BACKTICKS = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"(?:site|catalog|commerce|islands|templates|static|scripts|tools|docs)(?:/[\w.-]+)+/?")
CALL = re.compile(r"`(GET|POST|PUT|DELETE) (/v1/[^`\s?]+)")
# A name with an underscore or a capital within, perhaps called.
NAME = re.compile(r"@?([A-Za-z]+(?:_[A-Za-z]+)+|[A-Za-z]+[a-z][A-Z]\w+)(?:\(.*\))?")


def sources() -> Iterator[Path]:
    """Yield every file that people write, but for licence texts."""
    files = [file for folder in FOLDERS for file in (ROOT / folder).rglob("*")]
    for file in (*files, *ROOT.glob("*")):
        is_written = file.is_file() and file.suffix in KINDS and BUILT not in file.parents
        if is_written and file.name not in {"NOTICE.md", "package-lock.json"} and "demo" not in file.parts:
            yield file


def anchors(document: str) -> set[str]:
    """Return the anchors of a document's headings, as GitHub makes them."""
    found: dict[str, int] = {}
    for heading in HEADING.findall(FENCED.sub("", document)):
        text = re.sub(r"\[([^]]*)]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        found[anchor] = found.get(anchor, -1) + 1
    return {f"{anchor}-{n}" if n else anchor for anchor, last in found.items() for n in range(last + 1)}


def is_dead_link(file: Path, anchor: str | None) -> bool:
    """Return True if a file or its heading is missing."""
    return not file.exists() or bool(anchor and anchor not in anchors_of(file))


@cache
def anchors_of(file: Path) -> set[str]:
    """Return the anchors of a file's headings."""
    return anchors(file.read_text("utf-8"))


def dead_citations(text: str) -> list[str]:
    """Return the citations of a text that are dead links."""
    return [found[0] for found in CITATION.finditer(text) if is_dead_link(ROOT / found[1], found[2])]


def test_every_citation_links_to_a_heading() -> None:
    texts = {str(file.relative_to(ROOT)): file.read_text("utf-8") for file in sources()}
    dead = {name: found for name, text in texts.items() if (found := dead_citations(text))}
    assert dead == {}
    assert sum(len(CITATION.findall(text)) for text in texts.values()) > 150


def test_control_a_dead_citation_is_found() -> None:
    name = "wire.md"
    text = f"right: docs/{name}#cart, wrong: docs/{name}#nothing, missing: docs/no{name}"
    assert dead_citations(text) == [f"docs/{name}#nothing", f"docs/no{name}"]


def test_nothing_cites_a_document_outside_the_repository() -> None:
    here = Path(__file__)
    found = {
        f"{file.relative_to(ROOT)}:{number}"
        for file in sources()
        if file != here
        for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1)
        if ELSEWHERE.search(line)
    }
    assert found == set()


def test_every_link_and_every_path_of_a_document_leads_somewhere(subtests: pytest.Subtests) -> None:
    for document in DOCUMENTS:
        with subtests.test(document=document):
            text = FENCED.sub("", document.read_text("utf-8"))
            dead = [
                found[0]
                for found in LINK.finditer(text)
                if is_dead_link((document.parent / found[1]).resolve() if found[1] else document, found[2])
            ]
            assert dead == []
            paths = [path for path in IN_BACKTICKS.findall(text) if PATH.fullmatch(path)]
            missing = [path for path in paths if not (ROOT / path).exists()]
            assert [path for path in missing if not path.startswith("static/islands")] == []


def test_the_wire_document_names_every_call_and_no_other() -> None:
    schema = api.get_openapi_schema()["paths"]
    routed = {
        (method.upper(), path.removeprefix("/api")) for path, methods in schema.items() for method in methods
    }
    assert set(CALL.findall(WIRE.read_text("utf-8"))) == routed


def test_the_wire_document_names_refusals_that_exist() -> None:
    snake = re.compile(r"[a-z]+(?:_[a-z]+)+")
    named = {word for word in IN_BACKTICKS.findall(WIRE.read_text("utf-8")) if snake.fullmatch(word)}
    assert named <= {err.name for err in Err}


def test_the_columns_of_every_table_to_import_are_documented() -> None:
    text = (ROOT / "docs" / "imports.md").read_text("utf-8").split("## Tables", 1)[1]
    documented = {}
    for section in text.split("### ")[1:]:
        cells = [line.split("|")[1:3] for line in section.splitlines() if line.startswith("| `")]
        named = {name: required.strip() for names, required in cells for name in IN_BACKTICKS.findall(names)}
        documented[section.splitlines()[0]] = named
    tables = [importer.table for importer in TABLE_IMPORTERS]
    assert documented == {
        table.name: {column.name: "" if column.optional else "yes" for column in table.columns}
        for table in tables
    }


def test_the_readme_stays_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 120


def test_decisions_are_numbered_without_gaps_and_listed() -> None:
    files = sorted((ROOT / "docs" / "adr").glob("[0-9]*.md"))
    assert [int(file.name[:4]) for file in files] == list(range(1, len(files) + 1))
    listed = (ROOT / "docs" / "adr" / "README.md").read_text("utf-8")
    assert [file.name for file in files if f"({file.name})" not in listed] == []


def test_the_architecture_names_every_app() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    folders = {
        app.replace(".", "/") if (ROOT / app.replace(".", "/")).exists() else f"site/{app.replace('.', '/')}"
        for app in settings.INSTALLED_APPS
    }
    ours = {folder for folder in folders if (ROOT / folder / "__init__.py").exists()}
    # An app within an app is part of its subject.
    apps = {folder for folder in ours if folder.count("/") == 1}
    assert len(apps) > 12
    assert {app for app in apps if f"`{app}`" not in text} == set()


def test_the_settings_of_production_are_those_that_are_read() -> None:
    text = (ROOT / "docs" / "production.md").read_text("utf-8")
    table = text.split("## Settings", 1)[1].split("\n## ", 1)[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    named = {name for cell in rows for name in IN_BACKTICKS.findall(cell)}
    source = (ROOT / "site" / "config" / "settings.py").read_text("utf-8")
    assert named == set(re.findall(r'env(?:\.\w+)?\(\s*"([A-Z_]+)"', source))


def test_every_command_is_in_a_document() -> None:
    texts = "".join(document.read_text("utf-8") for document in DOCUMENTS)
    folders = ("site", "catalog", "commerce", "tools")
    files = {file for folder in folders for file in (ROOT / folder).rglob("management/commands/*.py")}
    commands = {file.stem for file in files} - {"__init__"}
    assert len(commands) > 8
    assert {
        name for name in commands if f"`{name}`" not in texts and f"manage.py {name}" not in texts
    } == set()


def test_the_readme_names_every_package() -> None:
    text = (ROOT / "README.md").read_text("utf-8").split("## Packages", 1)[1].lower()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    python = {re.split(r"[\[<>=;~ ]", each, maxsplit=1)[0].lower() for group in groups for each in group}
    package = json.loads((ROOT / "package.json").read_text("utf-8"))
    node = {name for kind in ("dependencies", "devDependencies") for name in package[kind]}
    names = {name.split("/")[-1] for name in python | node if not name.startswith(("types-", "@types/"))}
    assert {name for name in names if name.removeprefix("pytest-") not in text} == set()


def test_the_layers_are_those_of_the_architecture() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = {
        each["id"]: " → ".join(each["layers"]).replace(" | ", ", ") for each in contracts if "layers" in each
    }
    for name in ("README.md", "docs/architecture.md"):
        text = (ROOT / name).read_text("utf-8")
        assert layers["catalog"] in text
        assert layers["commerce"] in text


def test_every_name_of_the_code_in_a_document_is_in_the_code() -> None:
    code = {
        word
        for file in sources()
        if file.suffix not in {".md", ".json"}
        for word in (file.stem, *re.findall(r"\w+", file.read_text("utf-8")))
    }
    # These also name what is gone: the vocabulary, the changelog and the decisions.
    past = {"vocabulary.md", "CHANGELOG.md"}
    living = [file for file in DOCUMENTS if file.name not in past and file.parent.name != "adr"]
    named = {
        (document.name, found[1])
        for document in living
        for text in IN_BACKTICKS.findall(FENCED.sub("", document.read_text("utf-8")))
        if (found := NAME.fullmatch(text))
    }
    assert len(named) > 100
    assert sorted(pair for pair in named if pair[1] not in code) == []
