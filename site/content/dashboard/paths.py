"""Finds the page of the tree at a path."""

from wagtail.models import Page, Site

from core.languages import ENGLISH, in_language


def page_at(path: str, language: str) -> Page | None:
    """Return the page at a path in a language, whether live or not; three queries.

    `path`: without host and query, with or without the language.
    """
    site = Site.objects.filter(is_default_site=True).select_related("root_page").first()
    if site is None:
        return None
    roots = site.root_page.get_translations(inclusive=True)
    root = roots.filter(locale__language_code=language).first()
    if root is None:
        return None
    names = [name for name in in_language(path, ENGLISH).split("/") if name]
    found = Page.objects.filter(url_path="/".join([root.url_path.rstrip("/"), *names, ""])).first()
    return found.specific if found else None
