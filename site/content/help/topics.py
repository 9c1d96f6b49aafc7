"""The topics of the help, in the order of the list.

Labels come from the screens' own catalogue (`existing`, which collects no text), so a renamed button changes
the step too. A test looks for each label on its screen.
"""

from decimal import Decimal

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_lazy as existing

from content.help.screens import AREAS, SLIDES
from content.help.steps import SUBMIT, Step, Topic, filled, note, titled
from content.models import CarouselSlide, SpecialArea
from core.money import aud_text

_NO_DRAFT = _(
    "Shoppers never see a draft. The form saves what you type automatically every few seconds; if something "
    "is missing, it waits and shows it."
)
_WAITING = _(
    "What you submitted waits on the manager’s dashboard; until then you cannot change it. If "
    "something should "
    "be changed, it comes back to your dashboard, with a note."
)
_WITHIN_SECONDS = _("A change is seen in the shop within five seconds.")
_WINDOWS = existing("Shop windows")
_PREVIEW = existing("Preview")
_STATUS = {"status": existing("Status"), "schedule": existing("Set schedule")}
_APPEARS = titled(existing("go live date/time"))
_DISAPPEARS = titled(existing("expiry date/time"))


def _hand_on(picture: str, screen: str) -> Step:
    text = _(
        "Press {submit} at the foot of the form. A manager looks at it and publishes it; managers have "
        "{publish} there themselves."
    )
    return Step(picture, screen, text, {"submit": SUBMIT}, publishers_names={"publish": existing("Publish")})


_TOPICS = (
    Topic(
        "home",
        _("Change the home page"),
        _("Texts, pictures and links of the home page; other pages are changed in the same way."),
        (
            Step(
                "home-blocks",
                "home",
                _(
                    "Open the English home page: it is written first, and then translated. Its blocks are "
                    "below {body}, in the order of the page. Change what is written in their fields."
                ),
                {"body": titled(existing("body"))},
                opens=True,
            ),
            Step(
                "home-preview",
                "home",
                _(
                    "Press the telephone at the top, {preview}: the page appears next to the form "
                    "and follows "
                    "what you type."
                ),
                {"preview": _PREVIEW},
            ),
            _hand_on("home-submit", "home"),
            Step(
                "home-translation",
                "home",
                _(
                    "Once it is published, open the English page again, press {next} at the top of the form, "
                    "and translate what has changed."
                ),
                {"next": existing("Continue translating")},
                opens=True,
            ),
        ),
        (
            _NO_DRAFT,
            _WAITING,
            _(
                "The arrows at the right of a block’s name move it, the bin takes it away, and the plus "
                "between two blocks adds one."
            ),
            note(
                _(
                    "Every other page is in the menu under {pages}: the arrow next to a page shows those "
                    "below it, the pencil opens its form."
                ),
                pages=existing("Pages"),
            ),
            _("The slides at the top of the home page have a list of their own: see “A new slide”."),
        ),
    ),
    Topic(
        "slide",
        _("A new slide"),
        _("A picture with a text and a button in the carousel at the top of the home page."),
        (
            Step(
                "slides-add",
                "slides",
                _("Open the list of the slides, and press {add}."),
                {"add": filled("Add %(model_name)s", model_name=CarouselSlide._meta.verbose_name)},
                opens=True,
                menu=(_WINDOWS, existing("Slides")),
            ),
            Step(
                "slide-texts",
                "new_slide",
                _(
                    "Write title, text and button in both languages, side by side. Then choose the "
                    "target of the "
                    "button: press {choose}, search for it and press its name."
                ),
                {"choose": existing("Choose a page of the shop")},
            ),
            Step(
                "slide-pictures",
                "new_slide",
                _(
                    "Choose a layout, then press {choose}: take a picture of the library, or upload "
                    "one. Write "
                    "below it in both languages what it shows; shoppers who cannot see it hear that."
                ),
                {"choose": existing("Choose an image")},
            ),
            Step(
                "slide-place",
                "new_slide",
                _("Further down, {place} sets after which slides it comes: 1 is seen first."),
                {"place": titled(existing("place in the carousel"))},
            ),
            Step(
                "slide-schedule",
                "new_slide",
                _(
                    "Should it appear and go at a time? Press the i at the top, {status}, then {schedule}. "
                    "Without a schedule it appears when it is published, and stays."
                ),
                _STATUS,
            ),
            Step(
                "slide-times",
                "new_slide",
                _(
                    "Fill in {appears}, {disappears} or both, and press {save}. The times count once the "
                    "slide is published."
                ),
                {"appears": _APPEARS, "disappears": _DISAPPEARS, "save": existing("Save schedule")},
            ),
            _hand_on("slide-submit", "new_slide"),
        ),
        (
            _NO_DRAFT,
            _WAITING,
            _(
                "If something is missing, a red line shows it at the top: its button jumps to what "
                "is missing."
            ),
        ),
    ),
    Topic(
        "area",
        _("A special area"),
        _("A page of products on one subject, with a tile on the home page."),
        (
            Step(
                "areas-add",
                "areas",
                _("Open the list of the special areas, and press {add}."),
                {"add": filled("Add %(model_name)s", model_name=SpecialArea._meta.verbose_name)},
                opens=True,
                menu=(_WINDOWS, existing("Special areas")),
            ),
            Step(
                "area-texts",
                "new_area",
                _(
                    "Write name and text in both languages. Press {choose} for the picture of its tile, and "
                    "choose the colour below it."
                ),
                {"choose": existing("Choose an image")},
            ),
            Step(
                "area-products",
                "new_area",
                _(
                    "Choose under {products} by which rule products come in. If it names a brand, a "
                    "category, a "
                    "promotion or a tag, choose that one below; then they are added automatically."
                ),
                {"products": existing("Its products")},
            ),
            Step(
                "area-picked",
                "new_area",
                _(
                    "For products that you pick yourself, leave the rule as it is, press {add}, search, tick "
                    "what you find and confirm. They appear in this order; the arrows move them."
                ),
                {"add": filled("Add %(label)s", label=existing("product"))},
            ),
            Step(
                "area-place",
                "new_area",
                _(
                    "Tick {checked}, and the home page shows its tile. Without it the area appears at /areas "
                    "alone."
                ),
                {"checked": titled(existing("on the home page"))},
            ),
            _hand_on("area-submit", "new_area"),
        ),
        (
            _NO_DRAFT,
            _WAITING,
            _("It can appear and go at a time, as a slide can: see “A new slide”."),
            _(
                "If something is missing, a red line shows it at the top: its button jumps to what "
                "is missing."
            ),
        ),
    ),
    Topic(
        "translate",
        _("Translate a page"),
        _("What was published in English is added to the Chinese page automatically, and waits there."),
        (
            Step(
                "translate-from",
                "home",
                _(
                    "Open the English page. Above the form you see how many texts are left; press {next} "
                    "there, and the Chinese page opens."
                ),
                {"next": existing("Continue translating")},
                opens=True,
            ),
            Step(
                "translate-text",
                "translation",
                _(
                    "Each text is there in English. Write the Chinese into the field below it and press "
                    "Enter: it is saved. While texts are left, {next} at the foot opens the next one."
                ),
                {"next": existing("Continue translating")},
            ),
            Step(
                "translate-ask",
                "translation",
                _(
                    "When all are translated, look at the page by {preview}, then press {ask}. A manager "
                    "publishes it."
                ),
                {"preview": _PREVIEW, "ask": existing("Submit for approval")},
            ),
            Step(
                "translate-publish",
                "translation",
                _("Managers open it from their dashboard, look at it, and press {publish}."),
                {"publish": existing("Publish the translation")},
                by_publisher=True,
            ),
        ),
        (
            _("Slides and special areas need no translating: both languages are in one form."),
            _("A draft in English changes nothing in Chinese. It comes over once it is published."),
            note(
                _(
                    "Is everything translated, and a Chinese text is still to be changed? The button above "
                    "the English form is then {open}; there press {edit} below the text."
                ),
                open=existing("Open the translation"),
                edit=existing("Edit"),
            ),
        ),
    ),
    Topic(
        "undo",
        _("Put something right that went live"),
        _("Go back to an earlier version of a page, a slide or a special area."),
        (
            Step(
                "undo-find",
                "change_history",
                _("{history} names every change, the newest first. Press the name of what is wrong."),
                {"history": existing("Site history")},
                opens=True,
                menu=(existing("Reports"), existing("Site history")),
            ),
            Step(
                "undo-history",
                "slide",
                _("Its form opens. Press the clock at the top, {history}."),
                {"history": existing("History")},
            ),
            Step(
                "undo-version",
                "slide_history",
                _(
                    "Find the version that was right, press the three dots next to it, then {review}. The "
                    "form opens as it was then."
                ),
                {"review": existing("Review this version")},
            ),
            Step(
                "undo-replace",
                "slide_version",
                _(
                    "Is it the right one? Press {replace}: your draft is as it was then. Managers press "
                    "{publish}, and it is done."
                ),
                {"replace": existing("Replace current draft")},
                publishers_names={"publish": existing("Publish this version")},
            ),
            Step(
                "undo-submit",
                "slide",
                _("Press {submit}. A manager looks at it and publishes it."),
                {"submit": SUBMIT},
            ),
        ),
        (
            _WITHIN_SECONDS,
            _("Is only a word wrong? Change it in the form and submit it, as anything else."),
            _("Must it go altogether? See “Take something off the shop”."),
        ),
    ),
    Topic(
        "end",
        _("Take something off the shop"),
        _("A page, a slide or a special area that should go, at a set time or now."),
        (
            Step(
                "end-find",
                "slides",
                _("Find it in its list, here that of the {slides}, and press its name."),
                {"slides": existing("Slides")},
                opens=True,
                menu=(_WINDOWS, existing("Slides")),
            ),
            Step(
                "end-schedule",
                "slide",
                _("Should it go at a time? Press the i at the top, {status}, then {schedule}."),
                _STATUS,
            ),
            Step(
                "end-time",
                "slide",
                _("Fill in {disappears}, and press {save}."),
                {"disappears": _DISAPPEARS, "save": existing("Save schedule")},
            ),
            _hand_on("end-submit", "slide"),
            Step(
                "end-unpublish",
                "slide",
                _(
                    "Must it go now? Press the arrow at the foot of the form, then {unpublish}, and "
                    "confirm. Nothing is lost: it can be published again."
                ),
                {"unpublish": existing("Unpublish")},
                by_publisher=True,
            ),
        ),
        (
            _WITHIN_SECONDS,
            _("The home page cannot go: publish another version of it instead."),
        ),
    ),
    Topic(
        "approve",
        _("Approve what was submitted"),
        _("What editors write is seen in the shop once a manager has looked at it."),
        (
            Step(
                "approve-find",
                "dashboard",
                _("On your dashboard, {waiting} names what was submitted, and by whom. Press a name."),
                {"waiting": existing("To approve")},
                by_publisher=True,
                opens=True,
            ),
            Step(
                "approve-look",
                "waiting",
                _("Press the telephone at the top, {preview}, and look at it as shoppers will see it."),
                {"preview": _PREVIEW},
                by_publisher=True,
            ),
            Step(
                "approve-publish",
                "waiting",
                _(
                    "Is it right? Press {approve} at the foot of the form. It is in the shop, or will be at "
                    "its time."
                ),
                {"approve": filled("%(label)s and Publish", label=existing("Approve"))},
                by_publisher=True,
            ),
            Step(
                "approve-changes",
                "waiting",
                _(
                    "Should something be changed? Press the arrow at the foot of the form, then {changes}, "
                    "and explain what. It goes back to its writer’s dashboard."
                ),
                {"changes": existing("Request changes")},
                by_publisher=True,
            ),
        ),
        (
            note(
                _("For a translation the button is {publish}."),
                publish=existing("Publish the translation"),
            ),
        ),
    ),
    Topic(
        "preview",
        _("Look at the shop at a later time"),
        _("See now what shoppers will see then, with everything that is scheduled until then."),
        (
            Step(
                "preview-time",
                "preview",
                _(
                    "Choose {time}, language and width, tick whether drafts are shown too, and press {look}. "
                    "Looking changes nothing."
                ),
                {"time": existing("Time"), "look": existing("Look")},
                opens=True,
                menu=(_WINDOWS, existing("Preview at a time")),
            ),
            Step(
                "preview-from",
                "slide",
                _(
                    "Or from a form: press the three dots next to the title, then {preview}. It shows your "
                    "draft, scrolls to what you are changing and marks it."
                ),
                {"preview": existing("Preview at a time")},
            ),
        ),
    ),
    Topic(
        "pictures",
        _("Pictures: what suits"),
        _("Which pictures look good where, and how to mark what must be seen."),
        (
            Step(
                "pictures-add",
                "images",
                _("Open the library of pictures, and press {add}."),
                {"add": existing("Add an image")},
                opens=True,
                menu=(_WINDOWS, existing("Images")),
            ),
            Step(
                "pictures-upload",
                "new_images",
                _(
                    "Drag files of at most 5 MB (JPG, PNG, WebP or AVIF) onto the grey field, or press "
                    "{choose}. They are in the library immediately. Give each a title by which it is found "
                    "again, describe what it shows, and press the button below."
                ),
                {"choose": existing("Or choose from your computer")},
            ),
            Step(
                "pictures-focus",
                "image",
                _(
                    "Edges may be cut, on a phone left and right. Press a picture in the library, draw a "
                    "box around what must be seen (its focal point), and press {save}."
                ),
                {"save": existing("Save")},
            ),
            Step(
                "pictures-slide",
                "slide",
                _(
                    "On a slide, describe below each picture what it shows, in both languages; tick "
                    "{decorative} "
                    "where it only adorns."
                ),
                {"decorative": titled(existing("decorative"))},
            ),
        ),
        (
            _("Cut-outs on a plate: products without a background (PNG), at least 200 pixels long."),
            _("Full picture: a photograph that lies flat, at least 960 × 500 pixels, without text in it."),
            _(
                "A picture that products, slides, areas or pages use cannot be deleted: its page lists where "
                "it is used. Choose another picture there first."
            ),
            _("What does not suit is named when you save, and refused when it is published."),
        ),
    ),
    Topic(
        "label",
        _("Enter the facts of a label"),
        _("Ingredients, allergens, nutrition, directions and barcode of a product."),
        (),
        (
            note(
                _(
                    "Open the product and its tab {facts}. Copy the label: shoppers with an allergy rely on "
                    "it."
                ),
                facts=existing("Facts"),
            ),
            note(
                _(
                    "Tick below {allergens} what the label declares after “Contains”, each nut by its name, "
                    "and below {traces} what it may contain."
                ),
                allergens=titled(existing("allergens")),
                traces=titled(existing("may contain")),
            ),
            note(
                _(
                    "Tick {checked} when both lists are complete. Without it the product is in no list that "
                    "promises the absence of an allergen, such as “No milk”."
                ),
                checked=titled(existing("all allergens entered")),
            ),
            note(
                _(
                    "Tick below {diets} only what the label claims or a certificate proves. A claim that the "
                    "allergens contradict is refused."
                ),
                diets=titled(existing("suitable for")),
            ),
            note(
                _(
                    "The {panel} has the amounts per 100 g or 100 mL. The page works out the amounts per "
                    "serving."
                ),
                panel=titled(existing("nutrition panel")),
            ),
            note(
                _(
                    "The {barcode} is checked: if a digit is wrong, it is refused. For many products: "
                    "export them under {files}, fill in the columns, and import the file."
                ),
                barcode=titled(existing("barcode number")),
                files=existing("Import and export"),
            ),
        ),
    ),
    Topic(
        "orders",
        _("Note something on an order, and change it"),
        _("What the buttons on the page of an order do, and what the Enter key does there."),
        (),
        (
            note(
                _(
                    "A note: type it, and press {save} or Enter. It is then below, under {notes}, with your "
                    "name and the time. Only staff read it."
                ),
                save=existing("Save the note"),
                notes=existing("Notes"),
            ),
            note(
                _(
                    "An action needs a press of its button. Enter in a text field runs none; only in the "
                    "field of the pick-up code it presses {hand_over}, for code scanners."
                ),
                hand_over=existing("Hand over"),
            ),
            _("A note that is typed when you press the button of an action is stored with that action."),
            note(
                _("{hand_over}, {deliver}, {rest} and {back} show what they do, and ask before they do it."),
                hand_over=existing("Hand over"),
                deliver=existing("Delivered"),
                rest=existing("Close the rest"),
                back=existing("Came back"),
            ),
            note(
                _(
                    "Pressed the wrong one? After {hand_over}, {deliver} or {back} the page shows a button "
                    "to undo it, for 15 minutes and only to you. {rest} and refunds cannot be undone."
                ),
                hand_over=existing("Hand over"),
                deliver=existing("Delivered"),
                back=existing("Came back"),
                rest=existing("Close the rest"),
            ),
            note(
                _(
                    "If a customer asks to cancel a paid order, its page shows that above the other actions, "
                    "and the dashboard lists it under {requests}. Press {cancel}, or write why not and press "
                    "{decline}. Both notify the customer."
                ),
                requests=existing("Requests to cancel"),
                cancel=existing("Cancel and refund the order"),
                decline=existing("Decline the request"),
            ),
        ),
    ),
    Topic(
        "disputes",
        _("A bank takes a payment back: disputes and debts"),
        _("What a dispute does to the order and the wallet, and how it ends."),
        (),
        (
            _(
                "A bank or PayPal can take a payment back after the customer has complained there. PayPal "
                "notifies the shop, and the dispute is recorded automatically."
            ),
            note(
                _(
                    "If you learn of it only by letter or e-mail: open the payment, press {record}, read "
                    "what will happen, and confirm it."
                ),
                record=existing("Record a dispute"),
            ),
            _(
                "What the shop had refunded to the wallet is taken out of it. What the wallet no longer has "
                "becomes a debt. New money in the wallet pays the debt first."
            ),
            note(
                _(
                    "At the end, open the dispute, and press {close}. Won or recorded by mistake: all of it "
                    "is undone. Lost: the order stays disputed, and the debt stays."
                ),
                close=existing("Close the dispute"),
            ),
            note(
                _(
                    "The customer’s page has the debt. Record there what the customer paid in another way, "
                    "or what the shop writes off, and press {reduce}."
                ),
                reduce=existing("Reduce the debt"),
            ),
        ),
    ),
    Topic(
        "approvals",
        _("Larger amounts need a second person"),
        _("Why an amount waits, where it waits, and how a colleague decides."),
        (),
        (
            note(
                _(
                    "Each person moves at most {limit} alone for one order or customer, and five times as "
                    "much on one day. Payments that you record, refunds to the wallet or by hand, points, "
                    "debts and undone disputes count together."
                ),
                limit=aud_text(Decimal(settings.APPROVAL_LIMIT)),
            ),
            note(
                _(
                    "What is above it is stored exactly as you entered it, and waits below {list}. Nothing "
                    "has moved yet. Do not split the amount: the parts count together."
                ),
                list=titled(existing("second approvals")),
            ),
            note(
                _(
                    "A colleague with the same permission finds it on the dashboard, below {waiting}, opens "
                    "it, and presses {approve} or {decline}."
                ),
                waiting=existing("Waiting for a second person"),
                approve=existing("Approve"),
                decline=existing("Decline"),
            ),
            note(
                _(
                    "You cannot approve what you entered yourself. To withdraw it, open it, and press "
                    "{decline}."
                ),
                decline=existing("Decline"),
            ),
            _(
                "If the order or the wallet has changed in the meantime, the approval is refused with the "
                "reason, and still waits."
            ),
        ),
    ),
    Topic(
        "roles",
        _("Roles and rights"),
        _("Editors write, managers publish; and how to read the back office in your language."),
        (
            Step(
                "roles-dashboard",
                "dashboard",
                _(
                    "Your first screen, the dashboard, has {waiting}: drafts that came back, texts to "
                    "translate, links that broke."
                ),
                {"waiting": existing("To do")},
                opens=True,
            ),
            Step(
                "roles-publish",
                "slide",
                _("Managers publish: {publish} is at the foot of the form, next to {save}."),
                {"save": existing("Save draft"), "publish": existing("Publish")},
                by_publisher=True,
            ),
            Step(
                "roles-language",
                "account",
                _(
                    "Press your name at the foot of the menu, go to your account, choose the {language} of "
                    "the back office, and press {save}."
                ),
                {"language": existing("Preferred language"), "save": existing("Save")},
                opens=True,
            ),
        ),
        (
            _("Editors: write pages, slides and areas, translate, upload pictures, submit."),
            _("Managers: all of that, publish and unpublish, and products, orders, stock and settings."),
        ),
    ),
)
TOPICS = {topic.slug: topic for topic in _TOPICS}
# By view name of the screen.
TOPIC_OF_SCREEN = {
    "wagtailadmin_pages:edit": "home",
    "wagtailadmin_pages:history": "undo",
    "wagtailadmin_pages:revisions_revert": "undo",
    **dict.fromkeys((f"{SLIDES}:list", f"{SLIDES}:add", f"{SLIDES}:edit"), "slide"),
    **dict.fromkeys((f"{AREAS}:list", f"{AREAS}:add", f"{AREAS}:edit"), "area"),
    **dict.fromkeys(
        (f"{each}:{view}" for each in (SLIDES, AREAS) for view in ("history", "revisions_revert")), "undo"
    ),
    "wagtailadmin_reports:site_history": "undo",
    "dashboard:preview": "preview",
    **dict.fromkeys((f"goods:{view}" for view in ("index", "add", "edit")), "label"),
    "orders:inspect": "orders",
    **dict.fromkeys(
        ("disputes:index", "disputes:inspect", "payment_dispute", "payments:inspect"), "disputes"
    ),
    **dict.fromkeys(("approvals:index", "approvals:inspect"), "approvals"),
    **dict.fromkeys(
        ("pictures", *(f"wagtailimages:{name}" for name in ("add", "add_multiple", "edit"))), "pictures"
    ),
}
