"""The topics of the help, in the order of the list.

Words of a screen come from its own catalogue (`said`, which collects no text of its own), so a step follows
when a button is renamed; a test looks for each on its screen.
"""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_lazy as said

from content.help.screens import AREAS, SLIDES
from content.help.steps import SUBMIT, Step, Topic, filled, note, titled
from content.models import CarouselSlide, SpecialArea

_NO_DRAFT = _(
    "Shoppers never see a draft. The form saves what you type by itself every few seconds; while something "
    "is missing, it waits and says so."
)
_WAITING = _(
    "What you submitted waits on the manager’s dashboard; meanwhile you cannot change it. If something is to "
    "be changed, it comes back to your dashboard, with a note."
)
_WITHIN_SECONDS = _("A change is seen in the shop within five seconds.")
_WINDOWS = said("Shop windows")
_PREVIEW = said("Preview")
_STATUS = {"status": said("Status"), "schedule": said("Set schedule")}
_APPEARS = titled(said("go live date/time"))
_DISAPPEARS = titled(said("expiry date/time"))


def _hand_on(picture: str, screen: str) -> Step:
    text = _(
        "Press {submit} at the foot of the form. A manager looks at it and publishes it; managers have "
        "{publish} there themselves."
    )
    return Step(picture, screen, text, {"submit": SUBMIT}, publishers_names={"publish": said("Publish")})


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
                {"body": titled(said("body"))},
                opens=True,
            ),
            Step(
                "home-preview",
                "home",
                _(
                    "Press the telephone at the top, {preview}: the page stands beside the form and follows "
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
                {"next": said("Continue translating")},
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
                    "Every other page is in the menu under {pages}: the arrow beside a page shows those "
                    "below it, the pencil opens its form."
                ),
                pages=said("Pages"),
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
                menu=(_WINDOWS, said("Slides")),
            ),
            Step(
                "slide-texts",
                "new_slide",
                _(
                    "Write title, text and button in both languages, side by side. Then say where the button "
                    "leads: press {choose}, search for it and press its name."
                ),
                {"choose": said("Choose a page of the shop")},
            ),
            Step(
                "slide-pictures",
                "new_slide",
                _(
                    "Choose a layout, then press {choose}: take a picture of the library, or upload one. Say "
                    "below it in both languages what it shows; shoppers who cannot see it hear that."
                ),
                {"choose": said("Choose an image")},
            ),
            Step(
                "slide-place",
                "new_slide",
                _("Further down, {place} says after which slides it comes: 1 is seen first."),
                {"place": titled(said("place in the carousel"))},
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
                {"appears": _APPEARS, "disappears": _DISAPPEARS, "save": said("Save schedule")},
            ),
            _hand_on("slide-submit", "new_slide"),
        ),
        (
            _NO_DRAFT,
            _WAITING,
            _("If something is missing, a red line says so at the top: its button leads to what is missing."),
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
                menu=(_WINDOWS, said("Special areas")),
            ),
            Step(
                "area-texts",
                "new_area",
                _(
                    "Write name and text in both languages. Press {choose} for the picture of its tile, and "
                    "choose the colour below it."
                ),
                {"choose": said("Choose an image")},
            ),
            Step(
                "area-products",
                "new_area",
                _(
                    "Say under {products} by which rule products come in. If it names a brand, a category, a "
                    "promotion or a tag, choose that one below; they come in by themselves then."
                ),
                {"products": said("Its products")},
            ),
            Step(
                "area-picked",
                "new_area",
                _(
                    "For products that you pick yourself, leave the rule as it is, press {add}, search, tick "
                    "what you find and confirm. They appear in this order; the arrows move them."
                ),
                {"add": filled("Add %(label)s", label=said("product"))},
            ),
            Step(
                "area-place",
                "new_area",
                _(
                    "Tick {checked}, and the home page shows its tile. Without it the area stands at /areas "
                    "alone."
                ),
                {"checked": titled(said("on the home page"))},
            ),
            _hand_on("area-submit", "new_area"),
        ),
        (
            _NO_DRAFT,
            _WAITING,
            _("It can appear and go at a time, as a slide can: see “A new slide”."),
            _("If something is missing, a red line says so at the top: its button leads to what is missing."),
        ),
    ),
    Topic(
        "translate",
        _("Translate a page"),
        _("What was published in English comes to the Chinese page by itself, and waits there."),
        (
            Step(
                "translate-from",
                "home",
                _(
                    "Open the English page. Above the form it says how many texts are left; press {next} "
                    "there, and the Chinese page opens."
                ),
                {"next": said("Continue translating")},
                opens=True,
            ),
            Step(
                "translate-text",
                "translation",
                _(
                    "Each text stands there in English. Write the Chinese into the field below it and press "
                    "Enter: it is saved. While texts are left, {next} at the foot leads to the next one."
                ),
                {"next": said("Continue translating")},
            ),
            Step(
                "translate-ask",
                "translation",
                _(
                    "When all are translated, look at the page by {preview}, then press {ask}. A manager "
                    "publishes it."
                ),
                {"preview": _PREVIEW, "ask": said("Submit for approval")},
            ),
            Step(
                "translate-publish",
                "translation",
                _("Managers open it from their dashboard, look at it, and press {publish}."),
                {"publish": said("Publish the translation")},
                by_publisher=True,
            ),
        ),
        (
            _("Slides and special areas need no translating: both languages stand in one form."),
            _("A draft in English changes nothing in Chinese. It comes over once it is published."),
            note(
                _(
                    "Is everything translated, and a Chinese text is still to be changed? The button above "
                    "the English form is then {open}; there press {edit} below the text."
                ),
                open=said("Open the translation"),
                edit=said("Edit"),
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
                {"history": said("Site history")},
                opens=True,
                menu=(said("Reports"), said("Site history")),
            ),
            Step(
                "undo-history",
                "slide",
                _("Its form opens. Press the clock at the top, {history}."),
                {"history": said("History")},
            ),
            Step(
                "undo-version",
                "slide_history",
                _(
                    "Find the version that was right, press the three dots beside it, then {review}. The "
                    "form opens as it was then."
                ),
                {"review": said("Review this version")},
            ),
            Step(
                "undo-replace",
                "slide_version",
                _(
                    "Is it the right one? Press {replace}: your draft is as it was then. Managers press "
                    "{publish}, and it is done."
                ),
                {"replace": said("Replace current draft")},
                publishers_names={"publish": said("Publish this version")},
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
        _("A page, a slide or a special area that is to go, at a time or at once."),
        (
            Step(
                "end-find",
                "slides",
                _("Find it in its list, here that of the {slides}, and press its name."),
                {"slides": said("Slides")},
                opens=True,
                menu=(_WINDOWS, said("Slides")),
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
                {"disappears": _DISAPPEARS, "save": said("Save schedule")},
            ),
            _hand_on("end-submit", "slide"),
            Step(
                "end-unpublish",
                "slide",
                _(
                    "Must it go at once? Press the arrow at the foot of the form, then {unpublish}, and "
                    "confirm. Nothing is lost: it can be published again."
                ),
                {"unpublish": said("Unpublish")},
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
                {"waiting": said("To approve")},
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
                {"approve": filled("%(label)s and Publish", label=said("Approve"))},
                by_publisher=True,
            ),
            Step(
                "approve-changes",
                "waiting",
                _(
                    "Is something to be changed? Press the arrow at the foot of the form, then {changes}, "
                    "and say what. It goes back to the dashboard of whoever wrote it."
                ),
                {"changes": said("Request changes")},
                by_publisher=True,
            ),
        ),
        (
            note(
                _("For a translation the button is {publish}."),
                publish=said("Publish the translation"),
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
                {"time": said("Time"), "look": said("Look")},
                opens=True,
                menu=(_WINDOWS, said("Preview at a time")),
            ),
            Step(
                "preview-from",
                "slide",
                _(
                    "Or from a form: press the three dots beside the title, then {preview}. It shows your "
                    "draft, scrolls to what you are changing and marks it."
                ),
                {"preview": said("Preview at a time")},
            ),
        ),
    ),
    Topic(
        "pictures",
        _("Pictures: what suits"),
        _("Which pictures look good where, and how to say what must be seen."),
        (
            Step(
                "pictures-add",
                "images",
                _("Open the library of pictures, and press {add}."),
                {"add": said("Add an image")},
                opens=True,
                menu=(_WINDOWS, said("Images")),
            ),
            Step(
                "pictures-upload",
                "new_images",
                _(
                    "Drag files of at most 5 MB (JPG, PNG, WebP or AVIF) onto the grey field, or press "
                    "{choose}. They are in the library at once. Give each a title by which it is found "
                    "again, say what it shows, and press the button below."
                ),
                {"choose": said("Or choose from your computer")},
            ),
            Step(
                "pictures-focus",
                "image",
                _(
                    "Edges may be cut, on a phone left and right. Press a picture in the library, draw a "
                    "box around what must be seen (its focal point), and press {save}."
                ),
                {"save": said("Save")},
            ),
            Step(
                "pictures-slide",
                "slide",
                _(
                    "On a slide, say below each picture what it shows, in both languages; tick {decorative} "
                    "where it only adorns."
                ),
                {"decorative": titled(said("decorative"))},
            ),
        ),
        (
            _("Cut-outs on a plate: products without a background (PNG), at least 200 pixels long."),
            _("Full picture: a photograph that lies flat, at least 960 × 500 pixels, without text in it."),
            _("What does not suit is named when you save, and refused when it is published."),
        ),
    ),
    Topic(
        "roles",
        _("Who may do what"),
        _("Editors write, managers publish; and how to read the back office in your language."),
        (
            Step(
                "roles-dashboard",
                "dashboard",
                _(
                    "Your first screen, the dashboard, has {waiting}: drafts that came back, texts to "
                    "translate, links that broke."
                ),
                {"waiting": said("To do")},
                opens=True,
            ),
            Step(
                "roles-publish",
                "slide",
                _("Managers publish: {publish} stands at the foot of the form, beside {save}."),
                {"save": said("Save draft"), "publish": said("Publish")},
                by_publisher=True,
            ),
            Step(
                "roles-language",
                "account",
                _(
                    "Press your name at the foot of the menu, go to your account, choose the {language} of "
                    "the back office, and press {save}."
                ),
                {"language": said("Preferred language"), "save": said("Save")},
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
# By the name of the screen's view.
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
    **dict.fromkeys(
        ("pictures", *(f"wagtailimages:{name}" for name in ("add", "add_multiple", "edit"))), "pictures"
    ),
}
