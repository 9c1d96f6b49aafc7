"""The views of the help."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from content.help.steps import HEIGHT, WIDTH
from content.help.topics import TOPICS


def index(request: HttpRequest) -> HttpResponse:
    """List the topics of the help."""
    return render(request, "content/help/index.html", {"topics": TOPICS.values()})


def topic(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the steps of a topic; raises Http404."""
    if slug not in TOPICS:
        raise Http404
    others = [each for each in TOPICS.values() if each.slug != slug]
    facts = {"topic": TOPICS[slug], "others": others, "width": WIDTH, "height": HEIGHT}
    return render(request, "content/help/topic.html", facts)
