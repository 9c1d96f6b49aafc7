from tools.chaos.crowd import Answer
from tools.chaos.scenarios.login_timing import ROUNDS, compared


def pairs(*seconds: tuple[float, float], body: str = "") -> list[tuple[Answer, Answer]]:
    """Return answers for known and unknown accounts, the same in each round."""
    return [
        (Answer(200, known, {"reason": "wrong"}), Answer(200, unknown, {"reason": body or "wrong"}))
        for known, unknown in seconds
        for _ in range(ROUNDS)
    ]


def test_the_times_of_known_and_unknown_accounts_are_compared_by_their_medians() -> None:
    apart = compared("login", pairs((0.1, 0.25), (0.2, 0.25), (9.0, 0.25)))
    assert "medians 200.0 and 250.0 ms, 25.0% apart" in apart.found
    assert not apart.is_held
    assert compared("login", pairs((0.1, 0.21), (0.2, 0.21), (9.0, 0.21))).is_held
    first, *others = pairs((0.2, 0.2))
    slow = (first[0], Answer(200, 0.9, first[1].body))
    assert compared("login", [slow, *others]).is_held


def test_answers_that_differ_are_found() -> None:
    assert not compared("login", pairs((0.2, 0.2), body="unknown")).is_held
