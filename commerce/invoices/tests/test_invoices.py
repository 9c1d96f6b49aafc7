"""Invoices: their texts, that they are made once and never change, and their readers.

See docs/guarantees/money.md#invoices.
"""

import hashlib
import os
import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from html import unescape
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core import signing
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalog.stock.tests.builders import stock
from commerce.accounts.models import Customer
from commerce.accounts.tests.builders import auth_headers
from commerce.delivery.tests.builders import make_shop
from commerce.invoices import services
from commerce.invoices.audit import MADE_WITHIN, differences
from commerce.invoices.invoice_texts import invoice_facts
from commerce.invoices.models import Invoice
from commerce.invoices.rendering import REPLACEMENT, invoice_pdf
from commerce.invoices.services import (
    due_invoices,
    invoice_url,
    make_due_invoices,
    make_invoice,
    move_files_without_row,
)
from commerce.invoices.tests.builders import made, make_seller, pages_of, pdf_of
from commerce.ledger.models import LedgerEntry
from commerce.ledger.points import post_points
from commerce.orders.models import Order, OrderLine
from commerce.orders.services import mark_paid, pay_in_time
from commerce.orders.tests.builders import (
    Buyer,
    make_order,
    make_paid,
    make_stocked,
    nothing_changes,
    ordered,
)
from core.clock import moment_text
from core.lost_files import OLD_AFTER
from core.shop import Seller, seller
from core.tests.failing import failing_for, refuse_as_busy
from core.tests.pages import html_of
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db


def text_of(order: Order) -> str:
    """Return the text of an order's invoice, blanks and line ends as one blank."""
    return " ".join(" ".join(pages_of(pdf_of(made(order)))).split())


def detail_of(buyer: Buyer, order: Order) -> Any:
    return buyer.send("GET", f"/order/detailed/{order.order_no}")["result"]


def checked_seller() -> Seller:
    found = seller()
    assert found
    return found


def files_in(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.exists() else []


def test_an_invoice_shows_in_both_languages_what_the_law_asks_for(buyer: Buyer) -> None:
    soap = make_stocked(price=Decimal("11.00"), gst_free=False, name_en="Soap", name_zh="香皂", pack="90 g")
    rice = make_stocked(price=Decimal("4.49"), name_en="Rice", name_zh="大米")
    with time_machine.travel(datetime(2026, 3, 9, 15, 59, tzinfo=UTC)):
        order = make_paid(buyer, (soap, 2), (rice, 3))
    # 16:00 in London is midnight in Perth.
    with time_machine.travel(datetime(2026, 3, 9, 16, tzinfo=UTC)):
        text = text_of(order)
    order.refresh_from_db()
    assert (order.freight, order.freight_gst) == (Decimal("17.40"), Decimal("0.98"))
    for expected in (
        "Tax invoice 税务发票",
        "Eastbowl 东碗",
        "Eastbowl Pty Ltd ABN 51 824 753 556",
        f"Invoice 发票号 INV-{order.order_no}",
        "Date of issue 开票日期 10/03/2026",
        f"Order 订单号 {order.order_no}",
        "Paid on 付款日期 09/03/2026",
        "Paid by 付款方式 Credit or debit card 信用卡或借记卡",
        "Li Wei · +61412345678 1 Hay Street Perth WA 6000 Australia",
        buyer.customer.account,
        "1 Soap 香皂 90 g 2 A$11.00 – A$2.00 A$22.00",
        "2 Rice 大米 500 g 3 A$4.49 – GST-free 免 GST A$13.47",
        "Products 商品金额 A$35.47",
        "Delivery, GST included A$0.98 运费（含 GST） A$17.40",
        # Of the freight so much is taxed as of the products: 10.79.
        "GST-free supplies 免 GST 部分 A$20.08",
        "Taxable supplies, GST included 应税部分（含 GST） A$32.79",
        "Total GST 税额合计 A$2.98",
        "Total paid, AUD 实付合计（澳元） A$52.87",
        "Total price includes GST.",
        "Page 1 of 1 · 第 1 页，共 1 页",
    ):
        assert expected in text
    assert "export" not in text


def test_an_order_from_before_there_were_invoices_has_one_once_it_is_paid(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    soap = make_stocked(price=Decimal("11.00"), gst_free=False)
    order = make_order(buyer, (soap, 2))
    # As the release before has made it.
    Order.objects.filter(pk=order.pk).update(invoice_due=False, freight_gst=0)
    for way in ("in time", "by its provider", "late"):
        with subtests.test(way=way), rolled_back():
            if way == "late":
                buyer.send("PUT", f"/order/cancel/{order.order_no}")
            assert (pay_in_time if way == "in time" else mark_paid)(order=order, pay_type="5")
            assert make_due_invoices() == 1
            text = text_of(order)
            for expected in (
                "Products 商品金额 A$22.00",
                f"Delivery, GST included A$0.00 运费（含 GST） A${order.freight}",
                f"GST-free supplies 免 GST 部分 A${order.freight}",
                "Taxable supplies, GST included 应税部分（含 GST） A$22.00",
                "Total GST 税额合计 A$2.00",
                f"Total paid, AUD 实付合计（澳元） A${order.pay_amount}",
            ):
                assert expected in text
            assert list(differences()) == []


def test_a_discount_and_a_gift_are_named(buyer: Buyer) -> None:
    order = make_paid(buyer, (make_stocked(gst_free=False), 2), (make_stocked(), 1))
    dear, gift = order.lines.all()
    OrderLine.objects.filter(pk=dear.pk).update(discount=Decimal("1.98"), gst=Decimal("0.64"))
    OrderLine.objects.filter(pk=gift.pk).update(discount=gift.line_total, is_gift=True)
    text = text_of(order)
    assert "500 g 2 A$4.49 −A$1.98 A$0.64 A$7.00" in text
    # Nothing was paid for it, so it is no supply without tax either.
    assert "500 g · Gift 赠品 1 A$4.49 −A$4.49 A$0.00 A$0.00" in text


def test_a_pick_up_names_the_shop_and_the_account(buyer: Buyer) -> None:
    Customer.objects.filter(pk=buyer.customer.pk).update(nickname="Mei")
    shop = make_shop(name_en="Northbridge", name_zh="北桥店")
    rice = make_stocked()
    stock(rice, 5, location=shop.location)
    order = ordered(buyer.pick_up(shop, (rice, 1)))
    assert mark_paid(order=order, pay_type="0")
    text = text_of(order)
    where = "Picked up at Northbridge 自提：北桥店 1 Hay Street, Perth"
    assert f"Buyer 买方 Mei {buyer.customer.account} {where}" in text
    assert "Wallet 钱包" in text


def test_an_order_sent_abroad_without_tax_is_a_gst_free_export(buyer: Buyer) -> None:
    order = make_paid(buyer)
    Order.objects.filter(pk=order.pk).update(shipping_type=1)
    assert "GST-free export 出口免 GST" in text_of(order)


def test_markup_in_names_is_printed_as_it_is(buyer: Buyer) -> None:
    name = r"#panic() #include \"x\" *b* _i_ $1+1$ <l> @r = // [x] `c` \n ~ 'q'"
    order = make_paid(buyer, (make_stocked(name_en=name, name_zh="#strong[大米] 100%*纯*"), 1))
    text = text_of(order)
    assert name in text
    assert "#strong[大米] 100%*纯*" in text


def test_names_of_every_script_are_printed_and_staff_see_what_no_font_has(
    buyer: Buyer, staff: Client
) -> None:
    names = ("王𠮷", "김민준", "สมชาย", "שרה", "Nguyễn Thị Ánh", "Ольга", "Ελένη")
    shaped = "محمد राहुल"
    order = make_paid(buyer, (make_stocked(name_en=f"Tea {shaped}", name_zh="葛󠄀粉😀"), 1))
    assert order.address
    Order.objects.filter(pk=order.pk).update(address=order.address | {"contacts": " / ".join(names)})
    text = text_of(order)
    for name in names:
        assert name in text
    # The order of joined letters depends on the program that reads them, and these have their glyphs.
    assert REPLACEMENT not in text.replace(f"粉{REPLACEMENT}", "")
    assert f"粉{REPLACEMENT}" in text
    assert Invoice.objects.get(order=order).missing_characters == "😀"
    dashboard = html_of(staff.get(reverse("wagtailadmin_home")))
    assert "Invoices with characters that could not be printed" in dashboard
    assert f"INV-{order.order_no}" in dashboard


def test_two_hundred_lines_have_a_header_on_each_page_and_every_long_name_whole(buyer: Buyer) -> None:
    order, now = make_paid(buyer), timezone.now().replace(microsecond=0)
    facts = invoice_facts(
        order=order, lines=list(order.lines.all()), number="INV-1", seller=checked_seller(), made_at=now
    )
    # Longer than its column, and without a blank.
    names = [f"N{number:03}{'W' * 100}" for number in range(200)]
    facts["lines"] = [facts["lines"][0] | {"name_en": name} for name in names]
    pages = pages_of(invoice_pdf(facts, now))
    assert len(pages) > 10
    for number, page in enumerate(pages, start=1):
        assert f"Page {number} of {len(pages)} · 第 {number} 页，共 {len(pages)} 页" in page
        assert "Unit price" in page
    printed = "".join("".join(pages).split())
    assert [printed.count(name) for name in names] == [1] * 200


def test_what_changes_afterwards_changes_nothing_of_an_invoice(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = make_paid(buyer)
    invoice = made(order)
    before = pdf_of(invoice)
    monkeypatch.setattr(services, "invoice_pdf", lambda *_: b"of another template")
    make_seller(name_en="Other", abn="11 111 111 111")
    Order.objects.filter(pk=order.pk).update(address=None, freight_gst=0)
    order.lines.update(name_en="Other")
    with time_machine.travel(timezone.now() + timedelta(days=400)):
        assert make_invoice(order) == invoice
        assert make_due_invoices() == 0
        assert pdf_of(invoice) == before
    assert list(differences()) == []


def test_an_invoice_is_a_private_file_with_a_row(buyer: Buyer, folder: Path) -> None:
    invoice = made(make_paid(buyer))
    (file,) = files_in(folder)
    assert file.stat().st_mode & 0o077 == folder.stat().st_mode & 0o077 == 0
    assert file.name == f"{invoice.name}.pdf"
    assert hashlib.sha256(file.read_bytes()).hexdigest() == invoice.sha256


def test_no_invoice_is_made_where_there_can_be_none(
    buyer: Buyer, shop_settings: Any, folder: Path, subtests: pytest.Subtests
) -> None:
    order = make_order(buyer)
    for without in ("payment", "time of invoices", "ABN", "settings"):
        with subtests.test(without=without), rolled_back():
            if without != "payment":
                assert mark_paid(order=order, pay_type="5")
            if without == "time of invoices":
                Order.objects.filter(pk=order.pk).update(invoice_due=False)
            if without == "ABN":
                make_seller(abn="")
            if without == "settings":
                shop_settings.delete()
            with nothing_changes():
                assert make_invoice(order) is None
                assert make_due_invoices() == 0
            assert not files_in(folder)
            assert detail_of(buyer, order)["invoiceUrl"] is None


def test_the_job_makes_each_due_invoice_once_and_goes_on_past_an_order_that_fails(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    make_order(buyer)
    bad, good = make_paid(buyer), make_paid(buyer)
    monkeypatch.setattr(services, "make_invoice", failing_for(bad, make_invoice))
    assert make_due_invoices() == 1
    assert [invoice.order for invoice in Invoice.objects.all()] == [good]
    assert list(due_invoices()) == [bad]
    monkeypatch.setattr(services, "make_invoice", make_invoice)
    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        made(bad)
        assert make_due_invoices() == 0
    assert Invoice.objects.count() == len(files_in(folder)) == 2


def test_a_fault_before_the_row_leaves_the_invoice_due_and_a_file_that_is_moved_a_day_later(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    order = make_paid(buyer)
    with monkeypatch.context() as fault:
        fault.setattr(services, "_store", refuse_as_busy)
        with nothing_changes(), pytest.raises(OperationalError):
            make_invoice(order)
    (lost,) = files_in(folder)
    invoice = made(order)
    assert move_files_without_row() == 0
    past = (timezone.now() - 2 * OLD_AFTER).timestamp()
    for file in files_in(folder):
        os.utime(file, (past, past))
    assert move_files_without_row() == 1
    assert not lost.exists()
    assert pdf_of(invoice)


def test_an_order_names_the_link_of_its_invoice(buyer: Buyer) -> None:
    order = make_paid(buyer)
    assert detail_of(buyer, order)["invoiceUrl"] is None
    invoice = made(order)
    url = detail_of(buyer, order)["invoiceUrl"]
    shown = Client().get(url)
    assert b"".join(shown.streaming_content) == pdf_of(invoice)  # type: ignore[attr-defined]
    assert (shown.status_code, shown["Content-Type"]) == (200, "application/pdf")
    assert shown["Content-Disposition"] == f'inline; filename="INV-{order.order_no}.pdf"'
    # Chromium's own viewer needs both.
    assert {"object-src 'self'", "style-src 'unsafe-inline'"} <= set(
        shown["Content-Security-Policy"].split("; ")
    )
    assert {"private", "no-store"} <= set(shown["Cache-Control"].split(", "))
    assert shown["X-Content-Type-Options"] == "nosniff"
    assert shown["Referrer-Policy"] == "no-referrer"


def test_an_invoice_is_not_shown_without_its_key(buyer: Buyer) -> None:
    invoice, other = made(make_paid(buyer)), made(make_paid(Buyer()))
    path, _, key = invoice_url(invoice).partition("?key=")
    _, _, of_other = invoice_url(other).partition("?key=")
    certificate_key = signing.TimestampSigner(salt="pay-certificate").sign(invoice.name).partition(":")[2]
    for tried in ("", "?key=", *(f"?key={each}" for each in (key[:-1], of_other, certificate_key, "%00"))):
        assert Client().get(path + tried).status_code == 404
        assert Client().get(path + tried, headers=auth_headers(buyer.customer)).status_code == 404
    for days, status in [(29, 200), (31, 404)]:
        with time_machine.travel(timezone.now() + timedelta(days=days)):
            assert Client().get(f"{path}?key={key}").status_code == status
    for way_out in (invoice.number, "..%2f..%2fshop.sqlite3", "a", "%00", "x" * 500):
        assert Client().get(f"/invoices/{way_out}?key={key}").status_code == 404
    assert Client().post(f"{path}?key={key}").status_code == 405


def test_the_audit_names_what_no_job_has_made_and_files_that_are_not_what_was_made(
    buyer: Buyer, folder: Path
) -> None:
    make_paid(buyer)
    late = make_paid(buyer)
    Order.objects.filter(pk=late.pk).update(paid_at=timezone.now() - 2 * MADE_WITHIN)
    assert [str(each) for each in differences()] == [
        f"order {late}: paid at {moment_text(timezone.now() - 2 * MADE_WITHIN)}, its invoice is not made"
    ]
    invoice = made(late)
    assert list(differences()) == []
    (file,) = files_in(folder)
    file.write_bytes(file.read_bytes() + b" ")
    row = f"invoice {invoice}"
    assert [(each.rule, each.row, each.found) for each in differences()] == [
        ("invoice-file", row, "its file is not the one that was made")
    ]
    file.unlink()
    assert [each.found for each in differences()] == ["its file is missing"]


def test_the_audit_names_a_paid_order_whose_invoice_was_forgotten(buyer: Buyer) -> None:
    before, first, forgotten = (make_paid(buyer) for _ in range(3))
    Order.objects.filter(pk=before.pk).update(invoice_due=False)
    assert list(differences()) == []
    made(first)
    Order.objects.filter(pk=forgotten.pk).update(invoice_due=False)
    forgotten.refresh_from_db()
    assert forgotten.paid_at
    assert [str(each) for each in differences()] == [
        f"order {forgotten}: paid at {moment_text(forgotten.paid_at)}, without an invoice, and none is due"
    ]


def test_staff_find_invoices_and_what_waits_for_the_abn(boss: Client, buyer: Buyer) -> None:
    invoice, waiting = made(make_paid(buyer)), make_paid(buyer)
    assert invoice.number in boss.get(reverse("invoices:index"), {"q": invoice.number}).content.decode()
    page = boss.get(reverse("invoices:inspect", args=[invoice.pk])).content.decode()
    found = re.search(rf'href="(/invoices/{invoice.name}\?[^"]+)"', page)
    assert found
    assert Client().get(unescape(found[1])).status_code == 200
    assert "waiting for the shop" not in boss.get("/admin/").content.decode()
    make_seller(abn="")
    dashboard = boss.get("/admin/").content.decode()
    assert "waiting for the shop" in dashboard
    assert reverse("orders:inspect", args=[waiting.pk]) in dashboard
    assert reverse("wagtailsettings:edit", args=["content", "shopsettings"]) in dashboard
    assert list(differences()) == []


def test_points_are_named_and_the_sums_are_of_the_money(buyer: Buyer, subtests: pytest.Subtests) -> None:
    for points, expected in (
        (
            1_000,
            (
                "Soap 香皂 500 g 2 A$11.00 – A$1.44 A$22.00",
                "Rice 大米 500 g 3 A$4.49 – GST-free 免 GST A$13.47",
                "Products 商品金额 A$35.47 Paid with points 积分抵扣 −A$10.00",
                # 9.67 of the rice, 6.61 of the freight; 15.80 of the soap and 10.79 of the freight.
                "GST-free supplies 免 GST 部分 A$16.28",
                "Taxable supplies, GST included 应税部分（含 GST） A$26.59",
                "Total GST 税额合计 A$2.42",
                "Total paid, AUD 实付合计（澳元） A$42.87",
            ),
        ),
        (
            3_547,
            (
                # Nothing is paid in money for it, so it is no supply without tax either.
                "Rice 大米 500 g 3 A$4.49 – A$0.00 A$13.47",
                "Paid with points 积分抵扣 −A$35.47",
                "GST-free supplies 免 GST 部分 A$6.62",
                "Taxable supplies, GST included 应税部分（含 GST） A$10.78",
                "Total GST 税额合计 A$0.98",
                "Total paid, AUD 实付合计（澳元） A$17.40",
            ),
        ),
    ):
        with subtests.test(points=points, expected=expected), rolled_back():
            post_points(
                customer=buyer.customer, points=points, reason=LedgerEntry.Reason.earned, order_no="S0"
            )
            soap = make_stocked(price=Decimal("11.00"), gst_free=False, name_en="Soap", name_zh="香皂")
            rice = make_stocked(price=Decimal("4.49"), name_en="Rice", name_zh="大米")
            order = ordered(buyer.order((soap, 2), (rice, 3), points=points))
            assert mark_paid(order=order, pay_type="5")
            text = text_of(order)
            for each in expected:
                assert each in text
