"""The problems of imported files, in words for the files' owner."""

from dataclasses import dataclass, field

from django.utils.translation import gettext as _

# One wrong column is a problem in every row; the first ones are enough.
MAX_PROBLEMS = 100


@dataclass(frozen=True)
class Problem:
    """One problem; the heading is row 1, and the column is empty where the whole row is meant."""

    file: str
    row: int
    column: str
    text: str

    def __str__(self) -> str:
        place = _("%(file)s, row %(row)s") % {"file": self.file, "row": self.row}
        return f"{place}, {self.column}: {self.text}" if self.column else f"{place}: {self.text}"


class ImportRefusedError(Exception):
    """Raised for files that cannot be imported. Nothing was changed, or with `is_partial` the rows before."""

    is_partial = False

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


@dataclass
class Problems:
    """Collects problems, so that all are shown together."""

    found: list[Problem] = field(default_factory=list)

    def add(self, file: str, row: int, column: str, text: str) -> None:
        """Note a problem; raises ImportRefusedError at MAX_PROBLEMS."""
        self.found.append(Problem(file, row, column, text))
        if len(self.found) >= MAX_PROBLEMS:
            raise ImportRefusedError(self.found)

    def concern(self, *files: str) -> bool:
        """Return True if any of these files has a problem."""
        return any(problem.file in files for problem in self.found)

    def refuse(self) -> None:
        """Raise ImportRefusedError if there was any problem."""
        if self.found:
            raise ImportRefusedError(self.found)
