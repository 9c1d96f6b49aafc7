from tools.chaos import table
from tools.chaos.figures import Figure


def test_a_figure_is_one_line_of_the_table() -> None:
    figure = Figure("a fault", "a load", "1 | 2\nlines", "a limit", is_held=False)
    cells = table.line("wallets", "SQLite", figure).split(" | ")
    assert cells[:7] == ["| wallets", "SQLite", "a fault", "a load", "✗", r"1 \| 2 lines", "a limit"]
    assert len(cells) == table.HEAD.count("|") - 1
