"""The verdict table, cell by cell, and the exit codes in their precedence."""

from datetime import date
from itertools import product

import pytest

from tck.record import Exit, Outcome, Verdict, exit_code, flaky_is_spent, judge, worst

TABLE = """
held         MUST   conformant    stale        conformant stale
held         SHOULD conformant    stale        conformant stale
broken       MUST   violation     declared     declared violation
broken       SHOULD advisory      declared     declared violation
broken       MAY    advisory      declared     declared violation
undecided    MUST   undecided     undecided    undecided     declared
undecided    SHOULD inconclusive  inconclusive inconclusive  declared
undecided    MAY    inconclusive  inconclusive inconclusive  declared
no-hook      MUST   inconclusive  inconclusive inconclusive  inconclusive
no-hook      MAY    inconclusive  inconclusive inconclusive  inconclusive
unsupported  MUST   unsupported   unsupported  unsupported unsupported
absent       MUST   violation     declared     declared violation
absent       MAY    violation     declared     declared violation
cut          MUST   violation     declared     declared violation
cut          SHOULD advisory      declared     declared violation
cut-setup    MUST   undecided     undecided    undecided     declared
error        MUST   harness-error harness-error harness-error harness-error
lost         MAY    harness-error harness-error harness-error harness-error
unreachable  MUST   harness-error harness-error harness-error harness-error
observed     UNDEFINED observation observation observation observation
held         UNDEFINED observation observation observation observation
broken       UNDEFINED observation observation observation observation
"""


@pytest.mark.parametrize("row", TABLE.split("\n")[1:-1])
def test_the_table(row):
    outcome, level, *verdicts = row.split()
    declarations = (None, "fails", "flaky", "undecided")
    seen = [judge(Outcome(outcome), level, declared) for declared in declarations]
    assert seen == verdicts


def test_every_cell_has_a_verdict():
    for outcome, level, declared in product(
        Outcome, ("MUST", "SHOULD", "MAY", "UNDEFINED"), (None, "fails", "flaky", "undecided")
    ):
        assert isinstance(judge(outcome, level, declared), Verdict)


def test_flaky_beyond_its_bound_is_a_violation_whatever_the_level():
    assert judge(Outcome.BROKEN, "SHOULD", "flaky", spent=True) is Verdict.VIOLATION
    assert judge(Outcome.HELD, "MUST", "flaky", spent=True) is Verdict.CONFORMANT
    assert judge(Outcome.BROKEN, "MUST", "fails", spent=True) is Verdict.DECLARED


@pytest.mark.parametrize(
    ("failures", "attempts", "spent"),
    [(0, 1, False), (1, 1, False), (1, 3, False), (2, 5, True), (2, 10, False), (3, 10, True)],
)
def test_the_bound_of_declared_flakiness(failures, attempts, spent):
    days = {"expires": date(2027, 1, 1), "today": date(2027, 1, 1)}
    assert flaky_is_spent(failures, attempts, at_most=0.2, **days) is spent


def test_the_date_of_declared_flakiness():
    assert flaky_is_spent(0, 1, at_most=0.2, expires=date(2027, 1, 1), today=date(2027, 1, 2))


def test_worst_follows_the_order_of_the_design():
    order = [
        "harness-error",
        "violation",
        "stale",
        "undecided",
        "inconclusive",
        "advisory",
        "declared",
        "conformant",
        "observation",
        "unsupported",
    ]
    verdicts = [Verdict(name) for name in order]
    assert list(Verdict) == verdicts
    for place in range(len(verdicts)):
        assert worst(reversed(verdicts[place:])) is verdicts[place]
    with pytest.raises(ValueError, match="empty"):
        worst([])


def code(*pairs, **flags):
    return exit_code([(Outcome(outcome), Verdict(verdict)) for outcome, verdict in pairs], **flags)


GOOD = ("held", "conformant")


@pytest.mark.parametrize(
    ("pairs", "strict", "expected"),
    [
        ([GOOD], False, 0),
        ([GOOD, ("broken", "violation")], False, 1),
        ([GOOD, ("held", "stale")], False, 1),
        ([GOOD, ("broken", "advisory"), ("undecided", "inconclusive")], False, 0),
        ([GOOD, ("broken", "advisory")], True, 1),
        ([GOOD, ("undecided", "inconclusive")], True, 1),
        ([GOOD, ("undecided", "undecided")], False, 1),
        ([GOOD, ("no-hook", "inconclusive")], False, 0),
        ([GOOD, ("broken", "declared")], True, 0),
        ([GOOD, ("error", "harness-error")], False, 3),
        ([GOOD, ("lost", "harness-error")], False, 3),
        ([GOOD, ("unreachable", "harness-error")], False, 6),
        ([], False, 5),
        ([("undecided", "inconclusive"), ("unsupported", "unsupported")], False, 5),
        ([("undecided", "inconclusive")], True, 1),
        ([("observed", "observation")], False, 0),
    ],
)
def test_exit_codes_of_verdicts(pairs, strict, expected):
    assert code(*pairs, strict=strict) == expected


def test_where_several_apply_the_first_of_2_7_4_3_6_1_5():
    flags = {"interrupted": True, "terminated": True, "usage": True, "kit_error": True, "provider_lost": True}
    seen = []
    for flag in (None, *flags):
        if flag:
            flags[flag] = False
        seen.append(code(("broken", "violation"), **flags))
    assert seen == [2, 7, 4, 3, 6, 1]
    assert code() is Exit.NOTHING_JUDGED
