"""What a form of the back office has created."""

from django.conf import settings
from django.db import models


class Creation(models.Model):
    """What a form for something new has created, so that sending the form again creates no second one.

    `form` identifies the form that one browser window shows; `url` is empty until something was created:
    the URL that changes it, or, where nothing is left to change, the page that is shown then.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False)
    form = models.CharField(max_length=64)
    url = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "form"], name="one_creation_per_form")]
