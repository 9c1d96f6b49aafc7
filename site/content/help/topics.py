"""The topics of the help, in the order of the list.

Words of a screen come from its own catalogue (`said`, which collects no text of its own), so a step follows
when a button is renamed; a test looks for each on its screen.
"""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_lazy as said

from content.help.screens import AREAS, SLIDES
from content.help.steps import SUBMIT, Step, Topic, filled, titled
from content.models import CarouselSlide, SpecialArea

_NO_DRAFT = _("Shoppers never see a draft. The form saves what you type by itself every few seconds.")
_WAITING = _(
    "What you submitted waits on the manager’s dashboard. If something is to be changed, it comes back to "
    "yours, with a note."
)


def _hand_on(picture: str, screen: str) -> Step:
    text = _("Press {submit} at the foot of the form. A manager looks at it and publishes it.")
    return Step(picture, screen, text, {"submit": SUBMIT})


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
                    "The home page is written in English and then translated. Its blocks stand in the order "
                    "of the page, below {body}: write into the fields of a block, or fold one away by the "
                    "arrow beside its name."
                ),
                {"body": titled(said("body"))},
            ),
            Step(
                "home-preview",
                "home",
                _(
                    "Press the telephone at the top, {preview}: the page stands beside the form and follows "
                    "what you type."
                ),
                {"preview": said("Toggle preview")},
            ),
            _hand_on("home-submit", "home"),
            Step(
                "home-translation",
                "home",
                _(
                    "Once it is published, press {next} at the top of the form, and translate what has "
                    "changed."
                ),
                {"next": said("Continue translating")},
            ),
        ),
        (
            _NO_DRAFT,
            _WAITING,
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
                _("Open the shop windows, then the slides, and press {add}."),
                {"add": filled("Add %(model_name)s", model_name=CarouselSlide._meta.verbose_name)},
            ),
            Step(
                "slide-texts",
                "new_slide",
                _(
                    "Write title, text and button in both languages, side by side. Then say where the button "
                    "leads: press {choose} and search for it."
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
                "slide-schedule",
                "new_slide",
                _(
                    "Should it appear and go at a time? Press the i at the top, {status}, then {schedule}. "
                    "Without a schedule it appears when it is published, and stays."
                ),
                {"status": said("Toggle status"), "schedule": said("Set schedule")},
            ),
            _hand_on("slide-submit", "new_slide"),
        ),
        (_NO_DRAFT, _WAITING, _("The smaller number of the position comes first.")),
    ),
    Topic(
        "area",
        _("A special area"),
        _("A page of products on one subject, with a tile on the home page."),
        (
            Step(
                "areas-add",
                "areas",
                _("Open the shop windows, then the special areas, and press {add}."),
                {"add": filled("Add %(model_name)s", model_name=SpecialArea._meta.verbose_name)},
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
                    "Say under {products} by which rule products come in, then choose the brand, category, "
                    "promotion or tag that the rule names."
                ),
                {"products": said("Its products")},
            ),
            Step(
                "area-picked",
                "new_area",
                _(
                    "For products that you pick yourself, choose that rule, press {add}, search, tick "
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
        (_NO_DRAFT, _WAITING),
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
                {"preview": said("Preview"), "ask": said("Submit for approval")},
            ),
        ),
        (
            _("Slides and special areas need no translating: both languages stand in one form."),
            _("A draft in English changes nothing in Chinese. It comes over once it is published."),
        ),
    ),
    Topic(
        "undo",
        _("Put something right that went live"),
        _("Go back to an earlier version, give it an end, or take it off the shop at once."),
        (
            Step(
                "undo-history",
                "slide",
                _("Open the form of the page, slide or area, and press the clock at the top, {history}."),
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
            _hand_on("undo-submit", "slide"),
            Step(
                "undo-end",
                "slide",
                _(
                    "Should it only go later? Press the i at the top, {status}, then {schedule}, and give it "
                    "an end. Submit it as above."
                ),
                {"status": said("Toggle status"), "schedule": said("Set schedule")},
            ),
            Step(
                "undo-unpublish",
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
            _("A change is seen in the shop within five seconds."),
            _("The home page cannot go: publish another version of it instead."),
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
                "pictures-upload",
                "new_images",
                _(
                    "Drag files of at most 5 MB (JPG, PNG, WebP or AVIF) onto the grey field, or press "
                    "{choose}. They are in the library at once; give each a title by which it is found again."
                ),
                {"choose": said("Or choose from your computer")},
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
            _(
                "Edges may be cut, on a phone left and right. Open the picture in the library and draw a box "
                "around what must be seen: its focal point."
            ),
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
                    "Your first screen has {waiting}: drafts that came back, texts to translate, links that "
                    "broke."
                ),
                {"waiting": said("To do")},
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
                _("Choose the language in which you read the back office, then press {save}."),
                {"save": said("Save")},
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
    **dict.fromkeys((f"{SLIDES}:list", f"{SLIDES}:add", f"{SLIDES}:edit"), "slide"),
    **dict.fromkeys((f"{AREAS}:list", f"{AREAS}:add", f"{AREAS}:edit"), "area"),
    **dict.fromkeys((f"{SLIDES}:history", f"{AREAS}:history"), "undo"),
    "dashboard:preview": "preview",
    **dict.fromkeys(
        (f"wagtailimages:{name}" for name in ("index", "add", "add_multiple", "edit")), "pictures"
    ),
}
