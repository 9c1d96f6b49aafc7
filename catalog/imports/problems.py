"""The problems of imported files, as texts for the files' owner."""

from dataclasses import dataclass, field

from django.utils.translation import gettext as _

# One wrong column causes a problem in every row, so the first problems are enough.
MAX_PROBLEMS = 100


@dataclass(frozen=True)
class Problem:
    """One problem; the heading is row 1, and `column` is empty if the whole row is concerned."""

    file: str
    row: int
    column: str
    text: str

    def __str__(self) -> str:
        place = _("%(file)s, row %(row)s") % {"file": self.file, "row": self.row}
        return f"{place}, {self.column}: {self.text}" if self.column else f"{place}: {self.text}"


class ImportRefusedError(Exception):
    """Raised if files cannot be imported. Nothing was changed or, if `is_partial`, the rows before were."""

    is_partial = False

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


@dataclass
class Problems:
    """Collects problems, so that they are shown together."""

    found: list[Problem] = field(default_factory=list)

    def add(self, file: str, row: int, column: str, text: str) -> None:
        """Record a problem; raises ImportRefusedError at MAX_PROBLEMS."""
        self.found.append(Problem(file, row, column, text))
        if len(self.found) >= MAX_PROBLEMS:
            raise ImportRefusedError(self.found)

    def concern(self, *files: str) -> bool:
        """Return True if any of these files has a problem."""
        return any(problem.file in files for problem in self.found)

    def refuse(self) -> None:
        """Raise ImportRefusedError if there are problems."""
        if self.found:
            raise ImportRefusedError(self.found)
