"""The tables of the index, synonyms and failed searches."""

from typing import Any

from django.db import models, transaction
from django.utils.translation import gettext_lazy as _

from catalog.search.folding import fold, stem, tokens
from core.update_only import UpdateOnlyModel

# Longer words are cut to limit the size of the index.
MAX_TERM = 60


class Posting(UpdateOnlyModel):
    """The ids of a term within one chunk of 65,536 ids, as a serialised bitmap.

    A term is a letter for the kind of entry, a letter for the kind of term, and a text (`terms`).
    """

    UPDATE_ONLY = frozenset({"ids", "version"})

    term = models.CharField(max_length=MAX_TERM + 2)
    # The id without its last sixteen bits.
    chunk = models.PositiveIntegerField()
    ids = models.BinaryField()
    # Incremented at every change, so that a cached copy reads only new versions.
    version = models.PositiveIntegerField(db_default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["term", "chunk"], name="one_posting_per_chunk")]


class Word(models.Model):
    """A word of names, stored once, with which misspelt words are compared."""

    text = models.CharField(max_length=MAX_TERM, primary_key=True)
    initial = models.CharField(max_length=1)
    length = models.PositiveSmallIntegerField()

    class Meta:
        indexes = [models.Index(fields=["initial", "length"], name="words_alike")]


class Synonym(models.Model):
    """Words for the same thing; a search for one finds the products of all."""

    words = models.CharField(
        _("words"),
        max_length=300,
        help_text=_("Words for the same thing in any language, with commas between: 番茄, 西红柿, tomato."),
    )

    class Meta:
        ordering = ["words"]
        verbose_name = _("synonym")
        verbose_name_plural = _("synonyms")

    def __str__(self) -> str:
        return self.words

    def save(self, *args: Any, **kw: Any) -> None:
        """Save the words, and a folded copy of each for look-ups."""
        with transaction.atomic():
            super().save(*args, **kw)
            self.phrases.all().delete()
            SynonymPhrase.objects.bulk_create(
                SynonymPhrase(synonym=self, text=text) for text in dict.fromkeys(self.folded()) if text
            )

    def folded(self) -> list[str]:
        """Return the words folded and in the singular, like the words of a search."""
        written = self.words.replace("，", ",").replace("、", ",").split(",")
        return [" ".join(map(stem, tokens(fold(word))))[:MAX_TERM] for word in written]


class SynonymPhrase(models.Model):
    """One word of a synonym, folded."""

    synonym = models.ForeignKey(Synonym, models.CASCADE, related_name="phrases")
    text = models.CharField(max_length=MAX_TERM, db_index=True)


class FailedSearch(UpdateOnlyModel):
    """A search without results, its count, and how often customers asked to stock such products."""

    UPDATE_ONLY = frozenset({"count", "requests", "last_at"})

    word = models.CharField(_("search"), max_length=MAX_TERM, unique=True)
    count = models.PositiveIntegerField(_("times"), default=1)
    requests = models.PositiveIntegerField(_("requests to stock it"), default=0, db_default=0)
    last_at = models.DateTimeField(_("last time"), auto_now=True)

    class Meta:
        ordering = ["-count", "-last_at"]
        verbose_name = _("search with no results")
        verbose_name_plural = _("searches with no results")
        indexes = [models.Index(fields=["-count", "-last_at"], name="failed_searches_by_count")]

    def __str__(self) -> str:
        return self.word
