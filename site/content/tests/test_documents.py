"""Documents are served by the shop only, to readers of their collection, and never executed."""

import stat
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import Group
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from wagtail.documents.models import Document
from wagtail.models import Collection, CollectionViewRestriction

from content.documents import public_documents
from content.tests.staff import staff

pytestmark = pytest.mark.django_db

LOGIN, GROUPS = CollectionViewRestriction.LOGIN, CollectionViewRestriction.GROUPS


def make_document(name: str = "prices.txt", content: bytes = b"a list", **fields: Any) -> Document:
    document: Document = Document.objects.create(title=name, file=ContentFile(content, name=name), **fields)
    return document


def make_private(kind: str = LOGIN, *groups: str) -> Collection:
    collection: Collection = Collection.get_first_root_node().add_child(name="Staff only")
    restriction = CollectionViewRestriction.objects.create(collection=collection, restriction_type=kind)
    restriction.groups.set(Group.objects.filter(name__in=groups))
    return collection


def body(response: Any) -> bytes:
    return b"".join(response.streaming_content)


def test_an_uploaded_document_is_not_among_the_public_files() -> None:
    editor = staff("writer", "Editors")
    sent = {
        "title": "Prices",
        "file": SimpleUploadedFile("prices.txt", b"a list"),
        "collection": Collection.get_first_root_node().pk,
    }
    assert editor.post(reverse("wagtaildocs:add"), sent).status_code == 302
    document = Document.objects.get()
    path = Path(document.file.path)
    assert path.parent == settings.DATA_DIR / "documents"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert Client().get(f"/media/{document.file.name}").status_code == 404
    with pytest.raises(NotImplementedError):
        _url = document.file.url
    for url in (reverse("wagtaildocs:edit", args=[document.pk]), reverse("wagtaildocs:index")):
        assert document.url in editor.get(url).content.decode()
    document.file.delete()
    assert not path.exists()


def test_a_public_document_is_read_by_everyone_but_stays_in_no_shared_cache() -> None:
    response = Client().get(make_document().url)
    assert (response.status_code, body(response)) == (200, b"a list")
    assert response["Cache-Control"] == "private, no-cache"
    again = Client().get(make_document().url, headers={"If-None-Match": response["ETag"]})
    assert again.status_code == 304


def test_a_document_of_a_private_collection_is_read_only_by_its_readers(subtests: pytest.Subtests) -> None:
    readers = {None: Client(), "Editors": staff("ed", "Editors"), "Moderators": staff("mo", "Moderators")}
    for kind, groups, may_read in (
        (LOGIN, (), {"Editors", "Moderators"}),
        (GROUPS, ("Moderators",), {"Moderators"}),
    ):
        document = make_document(collection=make_private(kind, *groups))
        for reader, client in readers.items():
            with subtests.test(kind=kind, reader=reader):
                response = client.get(document.url)
                assert "no-cache" in response["Cache-Control"]
                if reader in may_read:
                    assert (response.status_code, body(response)) == (200, b"a list")
                else:
                    assert response.status_code == 302
                    assert response["Location"].startswith("/admin/login/?")
                assert client.get(f"/media/{document.file.name}").status_code == 404
    # A password of its own could be guessed without a limit.
    boss = staff("boss", "Moderators", permissions=("change_collection",))
    form = boss.get(f"/admin/collections/{make_private().pk}/privacy/")
    assert 'value="password"' not in form.content.decode()


def test_no_document_runs_in_a_browser(subtests: pytest.Subtests) -> None:
    script = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
    for name in ("page.html", "page.HTM", "page.xhtml", "drawing.svg", "feed.xml", "code.js", "list.txt"):
        with subtests.test(name=name):
            response = Client().get(make_document(name, script).url)
            assert response.status_code == 200
            kind = "text/plain" if name == "list.txt" else "application/octet-stream"
            assert response["Content-Type"] == kind
            assert response["Content-Disposition"].startswith("attachment")
            assert response["X-Content-Type-Options"] == "nosniff"
            assert response["Content-Security-Policy"] == "default-src 'none'"
            body(response)
    response = Client().get(make_document("menu.pdf", script).url)
    assert response["Content-Type"] == "application/pdf"
    assert response["X-Content-Type-Options"] == "nosniff"


def test_documents_of_earlier_releases_are_moved_once(tmp_path: Path, settings: Any) -> None:
    settings.DATA_DIR, settings.MEDIA_ROOT = tmp_path, tmp_path / "media"
    former = tmp_path / "media" / "documents"
    (former / "old").mkdir(parents=True)
    for name in ("prices.txt", "old/menu.txt"):
        (former / name).write_bytes(b"a list")
    document = Document.objects.create(title="Prices", file="documents/prices.txt")
    for _run in range(2):
        call_command("move_documents")
        assert not public_documents()
    assert body(Client().get(document.url)) == b"a list"
    moved = tmp_path / "documents" / "old" / "menu.txt"
    assert stat.S_IMODE(moved.stat().st_mode) == 0o600
    # A move that was interrupted, and a name that is taken since.
    (former / "prices.txt").write_bytes(b"a list")
    (former / "old" / "menu.txt").write_bytes(b"another list")
    with pytest.raises(CommandError, match=r"old/menu\.txt"):
        call_command("move_documents")
    assert public_documents() == [former / "old" / "menu.txt"]
    assert moved.read_bytes() == b"a list"
