"""The link from a screen of the back office to its help."""

from django import template
from django.template import RequestContext

from content.help.topics import TOPIC_OF_SCREEN

register = template.Library()


@register.inclusion_tag("content/help/link.html", takes_context=True)
def help_link(context: RequestContext) -> dict[str, str]:
    """Link to the topic of the current screen, if it has one."""
    request = getattr(context, "request", None)
    match = request.resolver_match if request else None
    return {"slug": TOPIC_OF_SCREEN.get(match.view_name, "") if match else ""}
