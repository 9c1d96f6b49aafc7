"""What was typed outlives a login that ended and a token that was renewed; other sites get nothing."""

from html.parser import HTMLParser
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from wagtail.images.models import Image

from catalog.goods.models import Brand
from catalog.goods.tests.builders import make_product
from content.models import SpecialArea
from content.tests.forms import area_form, url_of
from content.tests.staff import set_language

pytestmark = pytest.mark.django_db

PASSWORD = "seven herons over the river"
ORIGIN = {"Origin": "http://testserver"}
TYPED = {"name_en": 'Lucky "<b>', "name_zh": "好运"}
KEPT = "What you typed is kept on this page"


class Form(HTMLParser):
    """The only form of a page: where it goes, its fields and its button."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.fields: dict[str, list[str]] = {}
        self.forms: list[dict[str, str | None]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "form":
            self.forms.append(values)
        if tag == "input":
            self.fields.setdefault(values["name"] or "", []).append(values["value"] or "")

    def send(self, client: Client) -> Any:
        [form] = self.forms
        assert (form["method"], form["enctype"]) == ("post", "multipart/form-data")
        return client.post(str(form["action"]), self.fields, headers=ORIGIN)


@pytest.fixture
def boss() -> User:
    return User.objects.create_superuser("boss", "boss@example.com", PASSWORD)


@pytest.fixture
def browser(boss: User) -> Client:
    """A browser with a login and the cookie of a token."""
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    log_in(client)
    return client


def log_in(client: Client) -> None:
    client.get("/admin/login/")
    login = {"username": "boss", "password": PASSWORD, "csrfmiddlewaretoken": token(client)}
    assert client.post("/admin/login/", login, headers=ORIGIN).status_code == 302


def token(client: Client) -> str:
    return str(client.cookies["csrftoken"].value)


def post(client: Client, url: str, form: dict[str, Any], **headers: str) -> Any:
    return client.post(url, form, headers=ORIGIN | headers)


def test_a_form_older_than_the_login_is_sent_again(browser: Client) -> None:
    url, typed = f"{reverse('brands:add')}?from=list", TYPED | {"csrfmiddlewaretoken": token(browser)}
    log_in(browser)
    answer = post(browser, url, typed)
    page = answer.content.decode()
    assert (answer.status_code, answer["Cache-Control"]) == (403, "no-store")
    assert KEPT in page
    assert "your login as boss" in page
    form = Form(page)
    assert form.forms[0]["action"] == url
    assert {name: value for name, [value] in form.fields.items() if name in TYPED} == TYPED
    assert not Brand.objects.exists()
    assert form.send(browser).status_code == 302
    assert {name: getattr(Brand.objects.get(), name) for name in TYPED} == TYPED


def test_a_form_outlives_the_login(browser: Client) -> None:
    url = url_of(SpecialArea)
    typed = area_form(make_product().pk, text_en="An hour's work") | {"csrfmiddlewaretoken": token(browser)}
    browser.session.flush()
    answer = post(browser, url, typed)
    page = answer.content.decode()
    assert answer.status_code == 403
    assert "Your login has ended." in page
    assert 'href="/admin/login/"' in page
    assert "csrfmiddlewaretoken" not in page
    still_ended = Form(page).send(browser)
    assert "Your login has ended." in still_ended.content.decode()
    log_in(browser)
    known = Form(still_ended.content.decode()).send(browser)
    assert (known.status_code, SpecialArea.objects.count()) == (403, 0)
    assert Form(known.content.decode()).send(browser).status_code == 302
    assert [area.text_en for area in SpecialArea.objects.all()] == ["An hour's work"]


def test_every_value_of_a_field_is_kept(browser: Client) -> None:
    typed = {"tags": ["a", "b"], "text": "one\r\n\r\n two "}
    page = post(browser, reverse("brands:add"), typed).content.decode()
    assert {name: values for name, values in Form(page).fields.items() if name in typed} == {
        "tags": ["a", "b"],
        "text": ["one\r\n\r\n two "],
    }


OTHER_SITES: list[dict[str, str]] = [
    {},
    {"Origin": "null"},
    {"Origin": "https://evil.example"},
    {"Origin": "https://testserver"},
    {"Origin": "http://testserver.evil.example"},
    {"Origin": "http://testserver", "Sec-Fetch-Site": "cross-site"},
    {"Origin": "http://testserver", "Sec-Fetch-Site": "same-site"},
    {"Origin": "http://testserver", "Sec-Fetch-Site": "none"},
]


def test_a_form_of_another_site_is_not_offered_again(browser: Client, subtests: pytest.Subtests) -> None:
    for has_login in (True, False):
        if not has_login:
            browser.session.flush()
        for headers in OTHER_SITES:
            with subtests.test(headers=headers, has_login=has_login):
                answer = browser.post(reverse("brands:add"), TYPED, headers=headers)
                page = answer.content.decode()
                assert answer.status_code == 403
                assert "This form can no longer be sent." in page
                assert "csrfmiddlewaretoken" not in page
                assert "好运" not in page
                assert not Form(page).forms
                assert not Brand.objects.exists()


def test_without_an_origin_a_form_after_the_login_links_to_the_login(browser: Client) -> None:
    url, typed = reverse("brands:add"), TYPED | {"csrfmiddlewaretoken": token(browser)}
    browser.session.flush()
    answer = browser.post(url, typed)
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/admin/login/?next={url}")


def test_a_request_in_which_nothing_was_typed_links_to_the_login(browser: Client) -> None:
    sent = {"csrfmiddlewaretoken": token(browser)}
    browser.session.flush()
    assert (
        post(browser, reverse("wagtailadmin_logout"), sent).headers["Location"].startswith("/admin/login/?")
    )


def test_passwords_and_files_are_not_kept(browser: Client) -> None:
    secrets = {"password1": PASSWORD, "old-PASSWORD": PASSWORD, "password": PASSWORD}
    file = SimpleUploadedFile("dish.png", b"secret bytes")
    page = post(
        browser, reverse("wagtailimages:add"), {"title": "Dish", "file": file} | secrets
    ).content.decode()
    assert set(Form(page).fields) == {"csrfmiddlewaretoken", "title"}
    assert PASSWORD not in page
    assert "secret bytes" not in page
    assert "Files and passwords are not kept" in page
    assert "file" in Form(page).send(browser).context["form"].errors
    assert not Image.objects.exists()


def test_the_login_itself_is_opened_again(browser: Client) -> None:
    for path in ("/admin/login/", "/admin/password_reset/"):
        page = post(browser, path, {"username": "boss", "password": PASSWORD}).content.decode()
        assert "This form can no longer be sent." in page
        assert not Form(page).forms


def test_an_autosave_is_answered_in_json(browser: Client) -> None:
    typed = area_form(make_product().pk)
    for has_login in (True, False):
        if not has_login:
            typed["csrfmiddlewaretoken"] = token(browser)
            browser.session.flush()
        answer = post(browser, url_of(SpecialArea), typed, Accept="application/json")
        assert (answer.status_code, answer.json()["success"]) == (403, False)
        assert "Nothing is saved any more." in answer.json()["error_message"]
        assert not SpecialArea.objects.exists()


def test_the_page_is_in_the_editors_language(browser: Client) -> None:
    set_language(browser, "zh-hans")
    assert "内容还在本页" in post(browser, reverse("brands:add"), TYPED).content.decode()
    browser.session.flush()
    for accepted, text in (("zh-CN,zh;q=0.9", "登录已过期"), ("en-AU", "Your login has ended.")):
        page = post(browser, reverse("brands:add"), TYPED, **{"Accept-Language": accepted})
        assert text in page.content.decode()


def test_a_page_of_the_shop_without_a_token_is_refused_as_before() -> None:
    answer = Client(enforce_csrf_checks=True).post("/livez", TYPED, headers=ORIGIN)
    assert answer.status_code == 403
    assert "好运" not in answer.content.decode()
