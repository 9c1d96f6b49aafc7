"""What lets a phone install the shop on its home screen."""

import json
import re

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client

pytestmark = pytest.mark.django_db


def test_each_language_has_a_manifest_whose_icons_exist(client: Client) -> None:
    for prefix, lang in (("", "en-AU"), ("/zh-hans", "zh-Hans")):
        page = client.get(f"{prefix}/shop").content.decode()
        assert f'<link rel="manifest" href="{prefix}/manifest.webmanifest">' in page
        response = client.get(f"{prefix}/manifest.webmanifest")
        assert response["Content-Type"] == "application/manifest+json"
        manifest = json.loads(response.content)
        assert (manifest["lang"], manifest["start_url"], manifest["display"]) == (
            lang,
            f"{prefix}/home",
            "standalone",
        )
        assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
        for icon in manifest["icons"]:
            assert finders.find(icon["src"].removeprefix(settings.STATIC_URL))


def test_the_service_worker_caches_the_offline_pages_and_nothing_else(client: Client) -> None:
    response = client.get("/sw.js")
    assert response["Content-Type"] == "text/javascript; charset=utf-8"
    assert "no-cache" in response["Cache-Control"]
    script = response.content.decode()
    cached = re.findall(r"'([^']+)'", re.search(r"CACHED = \[(.*)\]", script)[1])  # type: ignore[index]
    assert cached[:2] == ["/offline", "/zh\\u002Dhans/offline"]
    assert not [path for path in cached if re.match("/(api|shop|home|media)", path)]


def test_the_icon_is_found_at_its_old_path_too(client: Client) -> None:
    response = client.get("/favicon.ico")
    assert response.status_code == 302
    assert finders.find(response["Location"].removeprefix(settings.STATIC_URL))


def test_the_offline_page_is_in_both_languages(client: Client) -> None:
    assert "You’re offline" in client.get("/offline").content.decode()
    assert "noindex" in client.get("/zh-hans/offline").content.decode()
