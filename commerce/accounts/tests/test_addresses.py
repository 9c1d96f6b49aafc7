from typing import Any

import pytest

from commerce.accounts.models import Address, Customer
from commerce.accounts.tests.api_client import ApiClient
from commerce.accounts.tests.builders import auth_headers, make_address, make_customer
from core.countries import country_codes
from core.tests.rows import rolled_back, stored

pytestmark = pytest.mark.django_db
PERTH = {
    "addType": 0,
    "contacts": "李伟",
    "contactPhone": "0412 345 678",
    "countryName": "Australia",
    "provinceName": "WA",
    "cityName": "City of Perth",
    "areaName": "Perth",
    "addressDetail": "1 Hay Street",
    "zipCode": "6000",
}
NOWHERE = {"provinceName": "", "cityName": "", "areaName": "", "zipCode": ""}


@pytest.fixture(autouse=True)
def customer(api: ApiClient) -> Customer:
    customer = make_customer()
    api.token = auth_headers(customer)["token"]
    return customer


def add(api: ApiClient, **kw: Any) -> int:
    answer = api.call("POST", "setting/deliveryAddress", PERTH | kw).body
    assert answer["code"] == 0, answer
    return int(answer["result"]["addressId"])


def listed(api: ApiClient) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = api.call("POST", "setting/deliveryAddressNew", {}).body["result"]["list"]
    return rows


def defaults(api: ApiClient) -> list[tuple[int, bool]]:
    return [(row["addressId"], row["isDefault"]) for row in listed(api)]


def test_an_address_is_returned_in_the_servers_form(api: ApiClient) -> None:
    address_id = add(api, contacts="  李伟 ")
    assert listed(api) == [PERTH | {"addressId": address_id, "addType": 1, "isDefault": True}]


def test_the_type_follows_the_country(api: ApiClient, subtests: pytest.Subtests) -> None:
    for country, add_type, phone_number in (
        ("China", 0, "13800138000"),
        ("Australia", 1, "0893211234"),
        ("Hong Kong", 2, "+852 5123 4567"),
    ):
        with subtests.test(country=country, add_type=add_type, phone_number=phone_number), rolled_back():
            where = {} if country == "Australia" else NOWHERE | {"zipCode": "200120"}
            add(api, countryName=country, contactPhone=phone_number, addType=7, **where)
            assert listed(api)[0]["addType"] == add_type


def test_the_first_address_is_the_default_and_stays_so(api: ApiClient) -> None:
    first = add(api, isDefault=False)
    second = add(api)
    third = add(api, isDefault=None)
    assert defaults(api) == [(first, True), (third, False), (second, False)]


def test_a_new_address_may_become_the_default(api: ApiClient) -> None:
    first, second = add(api), add(api, isDefault=True)
    assert defaults(api) == [(second, True), (first, False)]


def test_another_address_can_be_made_the_default(api: ApiClient) -> None:
    first, second = add(api), add(api)
    answer = api.call("PUT", "setting/deliveryAddress/default", {"addressId": str(second)}).body
    assert answer == {"code": 0, "msg": "", "result": 1}
    assert defaults(api) == [(second, True), (first, False)]


def test_after_the_default_is_deleted_the_newest_other_address_is_the_default(api: ApiClient) -> None:
    first, second, third = add(api), add(api), add(api)
    assert api.call("DELETE", f"setting/deliveryAddress/{first}").body == {"code": 0, "msg": "", "result": 1}
    assert defaults(api) == [(third, True), (second, False)]
    api.call("DELETE", f"setting/deliveryAddress/{second}")
    assert defaults(api) == [(third, True)]
    api.call("DELETE", f"setting/deliveryAddress/{third}")
    assert listed(api) == []


def test_an_address_is_replaced(api: ApiClient) -> None:
    first, second = add(api), add(api)
    body = PERTH | {"addressId": first, "addressDetail": "2 Hay Street", "areaName": None, "isDefault": False}
    answer = api.call("PUT", "setting/deliveryAddress", body).body
    assert answer["result"] == {"addressId": first}
    row = listed(api)[0]
    assert (row["addressId"], row["addressDetail"], row["areaName"]) == (first, "2 Hay Street", "")
    assert row["isDefault"] is True
    api.call("PUT", "setting/deliveryAddress", body | {"addressId": second, "isDefault": True})
    assert defaults(api) == [(second, True), (first, False)]


def test_a_wrong_field_is_named_and_nothing_is_saved(
    api: ApiClient, customer: Customer, subtests: pytest.Subtests
) -> None:
    for change, fields in (
        ({"contacts": " "}, {"contacts": "parameter_error"}),
        ({"contacts": None}, {"contacts": "parameter_error"}),
        ({"contactPhone": ""}, {"contactPhone": "parameter_error"}),
        ({"contactPhone": "12"}, {"contactPhone": "parameter_error"}),
        ({"contactPhone": "call me"}, {"contactPhone": "parameter_error"}),
        ({"addressDetail": ""}, {"addressDetail": "address_error"}),
        ({"countryName": ""}, {"countryName": "address_error", "contactPhone": "parameter_error"}),
        ({"countryName": "Atlantis", "contactPhone": "+61412345678"}, {"countryName": "address_error"}),
        ({"countryName": "澳大利亚", "contactPhone": "+61412345678"}, {"countryName": "address_error"}),
        ({"zipCode": "", "cityName": ""}, {"zipCode": "address_error"}),
        ({"contacts": "x" * 61}, {"contacts": "parameter_error"}),
        ({"zipCode": "1" * 13}, {"zipCode": "parameter_error"}),
        ({"isDefault": "perhaps"}, {"isDefault": "parameter_error"}),
        ({"contacts": ["x"]}, {"contacts": "parameter_error"}),
        ({"contacts": "a\x00b"}, None),
        ({"addressDetail": "\ud800"}, None),
    ):
        with subtests.test(change=change, fields=fields), rolled_back():
            answer = api.call("POST", "setting/deliveryAddress", PERTH | change)
            assert (answer.status_code, answer.body["code"]) == (200, 1002)
            assert answer.body.get("fields") == fields
            assert not Address.objects.exists()
            address = make_address(customer)
            answer = api.call("PUT", "setting/deliveryAddress", PERTH | {"addressId": address.pk} | change)
            assert answer.body["code"] == 1002
            assert stored(address, "contacts") == "Li Wei"


def test_four_countries_need_a_city_or_post_code(api: ApiClient, subtests: pytest.Subtests) -> None:
    for country, city, code in (
        ("Australia", "Somewhere", "6000"),
        ("China", "上海市", "200120"),
        ("Malaysia", "Kuching", "93000"),
        ("Taiwan", "中正區", "100"),
    ):
        with subtests.test(country=country, city=city, code=code), rolled_back():
            nowhere = NOWHERE | {"countryName": country, "contactPhone": "+61412345678"}
            assert api.call("POST", "setting/deliveryAddress", PERTH | nowhere).body["code"] == 1002
            add(api, **nowhere | {"zipCode": code})
            add(api, **nowhere | {"cityName": city})


def test_parts_that_cannot_go_together_are_refused_and_nothing_is_saved(
    api: ApiClient, customer: Customer, subtests: pytest.Subtests
) -> None:
    for change, part in (
        ({"provinceName": "VIC"}, "zipCode"),
        ({"provinceName": "广东省"}, "provinceName"),
        ({"cityName": "Stirling"}, "cityName"),
        ({"zipCode": "6004"}, "zipCode"),
        ({"countryName": "China"}, "provinceName"),
    ):
        with subtests.test(change=change, part=part), rolled_back():
            there = {"contactPhone": "+61412345678"} | change
            address = make_address(customer)
            for method in ("POST", "PUT"):
                answer = api.call(
                    method, "setting/deliveryAddress", PERTH | {"addressId": address.pk} | there
                )
                found = (answer.status_code, answer.body["code"], answer.body["msg"])
                assert found == (200, 1002, "地址错误")
                assert answer.body["fields"] == {part: "address_error"}
            assert [(row.province_name, row.zip_code) for row in Address.objects.all()] == [("WA", "6000")]


def test_the_customer_confirms_a_post_code_of_the_state_and_of_no_other(
    api: ApiClient, customer: Customer
) -> None:
    address = make_address(customer)
    there = PERTH | {"addressId": address.pk, "isConfirmed": True}
    refused = api.call("PUT", "setting/deliveryAddress", there | {"zipCode": "3000"})
    assert refused.body["fields"] == {"zipCode": "address_error"}
    assert stored(address, "zip_code") == "6000"
    for method in ("POST", "PUT"):
        assert api.call(method, "setting/deliveryAddress", there | {"zipCode": "6004"}).body["code"] == 0
    assert [row.zip_code for row in Address.objects.all()] == ["6004", "6004"]


def test_an_address_that_stays_where_it_is_can_be_changed(api: ApiClient, customer: Customer) -> None:
    address = make_address(customer, province_name="Western Australia", zip_code="9999")
    there = PERTH | {
        "addressId": address.pk,
        "provinceName": "Western Australia",
        "cityName": "",
        "zipCode": "9999",
    }
    assert api.call("PUT", "setting/deliveryAddress", there | {"contacts": "Mei"}).body["code"] == 0
    assert stored(address, "contacts", "province_name") == ("Mei", "Western Australia")
    moved = api.call("PUT", "setting/deliveryAddress", there | {"zipCode": "9998"})
    assert moved.body["fields"] == {"provinceName": "address_error"}
    assert stored(address, "zip_code") == "9999"


def test_other_countries_need_neither(api: ApiClient) -> None:
    add(api, countryName="Hong Kong", contactPhone="51234567", cityName="", zipCode="")


def test_every_country_of_the_list_is_accepted(api: ApiClient) -> None:
    for name in sorted(country_codes())[::9]:
        add(api, countryName=name, contactPhone="+61412345678", **NOWHERE)


def test_an_address_book_has_at_most_fifty_addresses(api: ApiClient, customer: Customer) -> None:
    for _ in range(50):
        make_address(customer)
    answer = api.call("POST", "setting/deliveryAddress", PERTH)
    assert (answer.status_code, answer.body["code"]) == (200, 1002)
    assert customer.addresses.count() == 50


def test_another_customers_address_is_answered_like_a_missing_one(api: ApiClient, customer: Customer) -> None:
    theirs = make_address(make_customer())
    own = make_address(customer)
    for address_id in (theirs.pk, own.pk + 1000, 2**63 - 1):
        change = api.call("PUT", "setting/deliveryAddress", PERTH | {"addressId": address_id})
        choose = api.call("PUT", "setting/deliveryAddress/default", {"addressId": address_id})
        assert change.content == choose.content
        assert (change.status_code, change.body["code"], change.body["msg"]) == (200, 1002, "参数错误")
        if address_id < 10**18:
            assert api.call("DELETE", f"setting/deliveryAddress/{address_id}").content == change.content
    assert stored(theirs, "contacts", "is_default") == ("Li Wei", True)
    assert [row["addressId"] for row in listed(api)] == [own.pk]


def test_an_id_that_is_no_number_is_answered_like_a_missing_one(
    api: ApiClient, subtests: pytest.Subtests
) -> None:
    for text in ("0", "-1", "x", "1.5", "９", "1" * 30, "%00"):
        with subtests.test(text=text):
            answer = api.call("DELETE", f"setting/deliveryAddress/{text}")
            assert (answer.status_code, answer.body["reason"]) == (200, "parameter_error")


def test_an_id_in_a_body_that_is_no_number_is_refused(api: ApiClient, subtests: pytest.Subtests) -> None:
    for value in (0, -1, "x", None, True, 2**63, 1.5):
        with subtests.test(value=value):
            answer = api.call("PUT", "setting/deliveryAddress/default", {"addressId": value})
            assert (answer.status_code, answer.body["code"]) == (200, 1002)


def test_the_address_book_needs_a_login(api: ApiClient, subtests: pytest.Subtests) -> None:
    for method, path in (
        ("POST", "deliveryAddressNew"),
        ("POST", "deliveryAddress"),
        ("PUT", "deliveryAddress"),
        ("PUT", "deliveryAddress/default"),
        ("DELETE", "deliveryAddress/1"),
    ):
        with subtests.test(method=method, path=path):
            api.token = ""
            assert api.call(method, f"setting/{path}", {}).status_code == 401
            api.token = "dead"
            assert api.call(method, f"setting/{path}", {}).body["code"] == 1001


def test_listing_takes_a_constant_number_of_queries(
    api: ApiClient, customer: Customer, django_assert_num_queries: Any
) -> None:
    for count in (1, 20):
        while customer.addresses.count() < count:
            make_address(customer)
        with django_assert_num_queries(2):
            assert len(listed(api)) == count
