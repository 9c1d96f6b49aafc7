from tools.chaos.figures import HEAD, Figure


def test_a_figure_is_one_line_of_the_table() -> None:
    figure = Figure("a fault", "a load", "1 | 2\nlines", "a limit", is_held=False)
    cells = figure.line("wallets", "SQLite").split(" | ")
    assert cells[:7] == ["| wallets", "SQLite", "a fault", "a load", "✗", r"1 \| 2 lines", "a limit"]
    assert len(cells) == HEAD.splitlines()[0].count("|") - 1
