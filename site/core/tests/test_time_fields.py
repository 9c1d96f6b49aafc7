"""Times that editors enter (docs/guarantees/operation.md#clocks)."""

from datetime import UTC, datetime

import pytest
from django.core.exceptions import ValidationError
from django.utils.translation import override

from core.time_fields import EditorTimeField, EndTimeInput, ShopTimeField

# The shop is in Perth, eight hours ahead of UTC.
END_OF_YEAR = datetime(2026, 12, 31, 15, 59, 59, tzinfo=UTC)


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("entered", ["2026-12-31", " 2026-12-31 ", "2026-12-31 23:59", "2026-12-31T23:59:59"])
def test_a_date_alone_ends_with_its_day(entered: str, language: str) -> None:
    with override(language):
        field = ShopTimeField(is_end=True)
        assert field.clean(entered) == END_OF_YEAR
    # The form shows the end that was saved, and saving it again changes nothing.
    shown = field.prepare_value(END_OF_YEAR)
    assert f"{shown:%Y-%m-%d %H:%M}" == "2026-12-31 23:59"
    assert not field.has_changed(END_OF_YEAR, f"{shown:%Y-%m-%d %H:%M}")


@pytest.mark.parametrize(
    ("entered", "moment"),
    [
        ("2026-12-31", datetime(2026, 12, 30, 16, tzinfo=UTC)),
        ("2026-12-31 00:00", datetime(2026, 12, 30, 16, tzinfo=UTC)),
        ("2026-12-31 23:59", datetime(2026, 12, 31, 15, 59, tzinfo=UTC)),
    ],
)
def test_a_date_alone_begins_with_its_day(entered: str, moment: datetime) -> None:
    assert ShopTimeField().clean(entered) == moment


def test_an_end_with_a_time_is_that_time() -> None:
    assert ShopTimeField(is_end=True).clean("2026-12-31 00:00") == datetime(2026, 12, 30, 16, tzinfo=UTC)
    assert ShopTimeField(is_end=True).clean("2026-12-31 18:30") == datetime(2026, 12, 31, 10, 30, tzinfo=UTC)


def test_the_picker_of_an_end_completes_a_date_to_the_end_of_its_day() -> None:
    widget = ShopTimeField(is_end=True).widget
    assert isinstance(widget, EndTimeInput)
    html = widget.render("ends_at", None, {"id": "ends"})
    assert "data-end-of-day" in html
    assert '"defaultTime": "23:59"' in html
    assert "js/admin/end-of-day" in str(widget.media)
    assert "data-end-of-day" not in ShopTimeField().widget.render("starts_at", None, {"id": "starts"})


def test_a_date_that_is_none_is_refused() -> None:
    for field in (ShopTimeField(is_end=True), EditorTimeField(is_end=True)):
        for entered in ("2026-02-30", "tomorrow", "9999-12-31"):
            with pytest.raises(ValidationError):
                field.clean(entered)
