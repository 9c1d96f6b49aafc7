"""What is wrong with files to import, said so that their owner can mend them."""

from dataclasses import dataclass, field

from django.utils.translation import gettext as _

# One broken column breaks every row; the first of them tell it as well.
MOST = 100


@dataclass(frozen=True)
class Problem:
    """One thing to mend; the heading is row 1, and column is empty where the row as a whole is meant."""

    file: str
    row: int
    column: str
    text: str

    def __str__(self) -> str:
        place = _("%(file)s, row %(row)s") % {"file": self.file, "row": self.row}
        return f"{place}, {self.column}: {self.text}" if self.column else f"{place}: {self.text}"


class ImportRefusedError(Exception):
    """Files that cannot be imported. Nothing was changed, or `is_partial`: what stands before was written."""

    is_partial = False

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


@dataclass
class Problems:
    """Collects problems, so that all of them are told at once."""

    found: list[Problem] = field(default_factory=list)

    def add(self, file: str, row: int, column: str, text: str) -> None:
        """Note a problem; raises ImportRefusedError when there are too many to go on."""
        self.found.append(Problem(file, row, column, text))
        if len(self.found) >= MOST:
            raise ImportRefusedError(self.found)

    def concern(self, *files: str) -> bool:
        """Tell whether any of these files has a problem."""
        return any(problem.file in files for problem in self.found)

    def refuse(self) -> None:
        """Raise ImportRefusedError if there was any problem."""
        if self.found:
            raise ImportRefusedError(self.found)
