"""What only superusers see is in the reader's language too."""

import re

import pytest
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.urls import reverse

from content.tests.staff import set_language
from core.tests.pages import html_of

pytestmark = pytest.mark.django_db


def names_in(page: str) -> set[str]:
    """Return the names of permissions and of fields that a form shows or speaks."""
    return {text.strip() for text in re.findall(r"<label[^>]*>([^<]*)<", page) if text.strip()}


def test_a_group_names_its_permissions_in_the_readers_language(staff: Client) -> None:
    page = reverse("wagtailusers_groups:edit", args=[Group.objects.get(name="Editors").pk])
    shown = html_of(staff.get(page))
    assert {"Can add brand", "Can change special area"} <= names_in(shown)
    assert all(each in shown for each in ("Can publish", "Can answer claims"))
    set_language(staff, "zh-hans")
    shown = html_of(staff.get(page))
    assert {"可以添加品牌", "可以更改特色专区"} <= names_in(shown)
    assert {
        each
        for each in ("可以发布", "可以为订单办理退款", "可以登记员工收到的款项", "添加、编辑自己的图片")
        if each not in shown
    } == set()
    english = {text for text in names_in(shown) if re.search("[a-z]{3}", text)}
    # Wagtail has no other name for a locale, nor wagtail-localize for a translation.
    assert {text for text in english if not re.search("locale|translation", text)} == set()


def test_saving_a_group_leaves_the_names_of_permissions_as_django_stores_them(staff: Client) -> None:
    set_language(staff, "zh-hans")
    brand = Permission.objects.get(codename="add_brand")
    form = {"name": "Buyers", "permissions": [brand.pk]}
    for prefix in ("page", "image", "document", "collection", "collectionmanagement"):
        form |= {f"{prefix}_permissions-TOTAL_FORMS": "0", f"{prefix}_permissions-INITIAL_FORMS": "0"}
    staff.post(reverse("wagtailusers_groups:add"), form)
    assert list(Group.objects.get(name="Buyers").permissions.all()) == [brand]
    assert Permission.objects.get(pk=brand.pk).name == "Can add brand"


def test_redirects_and_workflows_name_their_fields_in_the_readers_language(staff: Client) -> None:
    set_language(staff, "zh-hans")
    redirects = html_of(staff.get(reverse("wagtailredirects:index")))
    assert all(each in redirects for each in ("类型", "永久", "临时", "全部"))
    assert not any(each in redirects for each in ("Permanent", "Temporary"))
    workflow = names_in(html_of(staff.get(reverse("wagtailadmin_workflows:add"))))
    assert "内容类型" in workflow
    assert workflow.isdisjoint({"Content types", "Page"})
