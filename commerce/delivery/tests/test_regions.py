import pytest

from commerce.delivery.freight import Region
from commerce.delivery.regions import councils, provinces


def test_the_council_of_an_address_follows_from_post_code_suburb_and_name(subtests: pytest.Subtests) -> None:
    for text, council in (
        # As the address form writes it: state, council, suburb, post code.
        ("WA-Stirling-Dianella-6059", "Stirling"),
        ("WA-Bayswater-Dianella-6059", "Bayswater"),
        ("WA-Serpentine-Jarrahdale-Byford-6122", "Serpentine-Jarrahdale"),
        ("WA-East Fremantle-East Fremantle-6158", "East Fremantle"),
        # By its suburb or post code alone, in any letters; a city is no council.
        ("WA-Perth-Cannington-6107", "Canning"),
        ("wa-perth-CANNINGTON-6107", "Canning"),
        ("Cannington-6107", "Canning"),
        ("WA-Dianella-6059", "Bayswater"),
        ("WA-6060", "Stirling"),
        ("6155", "Canning"),
        # A customer may name any council: a post code elsewhere decides.
        ("WA-Perth-Albany-6330", ""),
        ("WA-Stirling-6330", ""),
        ("NSW-Perth-2000", ""),
        # Without a post code a council of this state is taken at its word, the same name elsewhere is not.
        ("WA-Perth", "Perth"),
        ("WA-Perth-Fremantle", "Fremantle"),
        ("SA-Stirling", ""),
        ("Stirling", ""),
        ("WA-Dianella", ""),
        ("WA-Albany-6330", ""),
        ("", ""),
    ):
        with subtests.test(text=text, council=council):
            assert Region.from_wire(f"Australia-{text}").council == council


def test_only_australia_has_councils_of_perth_and_only_malaysia_zones() -> None:
    assert Region.from_wire("Japan-WA-Stirling-Dianella-6059").council == ""
    assert Region.from_wire("Japan-Sabah-88000").zone == ""
    assert len(councils()) == 31


def test_the_region_data_names_the_provinces_of_a_country(subtests: pytest.Subtests) -> None:
    for country, name, count in (
        ("Australia", "WA", 8),
        ("China", "广东省", 31),
        ("Malaysia", "Sabah", 16),
        ("Taiwan", "臺北市", 22),
    ):
        with subtests.test(country=country, name=name, count=count):
            assert name in provinces(country)
            assert len(provinces(country)) == count
            assert not provinces("Japan")
