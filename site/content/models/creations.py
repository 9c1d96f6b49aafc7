"""Records of the rows that forms of the back office have created."""

from django.conf import settings
from django.db import models


class Creation(models.Model):
    """The row that a form has created, so that sending the form again creates no second one.

    `form`: identifies the form in one browser window. `url`: the edit URL of the created row, or the next
    page if nothing can be edited; empty until something was created.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False)
    form = models.CharField(max_length=64)
    url = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "form"], name="one_creation_per_form")]
