"""A plan of load as a case: its point, its bounds, and its verdict.

The case drives its provider through one of the plans of `tck workload`, with fewer messages, and judges the trace by the same
properties. Each that is violated breaks the rows that its violations are about. A plan runs alone: what a race shows
beside other cases might not show again, and would not count. Its names contain the namespace of the case.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from tck.catalogue import load_catalogue
from tck.catalogue.versions import ASYNCHRONOUS_SENDS, SHARED_SUBSCRIPTIONS, offers
from tck.record import Outcome
from tck.suite.support import expect
from tck.suite.support.case import Case
from tck.suite.support.harness.alone import needs_alone
from tck.suite.support.harness.outcome import Undecided, Unsupported
from tck.suite.support.harness.point import PLANS, Variant
from tck.suite.support.harness.running import Elsewhere
from tck.temporary import temporary_folder

if TYPE_CHECKING:
    from tck.workload.verdicts import PropertyReport

SECONDS: Final = 2.0
"""The longest time of sending, on the provider's clock."""
MESSAGES: Final = {
    "async-close": (1500, "simplified", ASYNCHRONOUS_SENDS),
    "async-sends": (300, "simplified", ASYNCHRONOUS_SENDS),
    "browsers": (300, "classic", ""),
    "hot-queue": (900, "classic", ""),
    "joined-at-once": (300, "classic", SHARED_SUBSCRIPTIONS),
    "seen-at-once": (300, "classic", ""),
    "shared-subscriptions": (200, "classic", SHARED_SUBSCRIPTIONS),
    "transactions": (500, "classic", ""),
    "undone-at-once": (400, "classic", ""),
}
"""The number of messages that each plan sends, the interface that it uses, and a part of the specification that it needs."""


def variants() -> Sequence[Variant]:
    """Return the point of each plan."""
    return [
        Variant(name, "queue", api, "auto", frozenset({PLANS}), partial(_offered, api, part), plain=True)
        for name, (_, api, part) in MESSAGES.items()
    ]


def _offered(api: str, part: str, version: str) -> bool:
    return offers(version, api) and (not part or offers(version, part))


def performed(case: Case) -> None:
    """Drive the provider through the plan that the case names, and judge the trace.

    Raises:
        Unsupported: The profile does not claim what the plan uses, or the provider does not have it.
    """
    needs_alone("a plan has threads of its own")
    from tck.workload.plan import load_plan  # noqa: PLC0415 - brings numpy
    from tck.workload.run import Options, drive, judgement_of  # noqa: PLC0415 - likewise

    name, provider = case.point.variant, case.evidence.behind(case.provider)
    plan = dataclasses.replace(load_plan(name), drain=case.timing.case / 4000)
    if any(each.kind.endswith("topic") for each in plan.destinations) and "pubsub" not in case.profile.claims.domains:
        raise Unsupported("the profile does not claim the pubsub domain")
    with temporary_folder("load") as folder:
        bundle, messages = folder / "run", MESSAGES[name][0]
        options = Options(case.namespace, bundle, case.seed, min(plan.duration, SECONDS), messages, case.version)
        ended = drive(provider, case.profile, plan, load_catalogue(), options)
        _drop(provider, ended.destinations)
        if ended.stopped == "interrupt":
            raise KeyboardInterrupt
        if isinstance(ended.fault, NotImplementedError):  # asynchronous sends, say, or a hook
            raise Unsupported(f"the provider lacks what the plan needs: {ended.fault}") from ended.fault
        if ended.fault is not None:
            raise ended.fault
        reports = judgement_of(bundle, allow_truncated=True)[2]
    _blame(case, reports, f"tck workload run --plan {name} --seed {case.seed} --messages {messages}")
    broken = sum(each.violations for each in reports if not each.kind.observes)
    decided = [each.obligations for each in reports if not each.kind.observes and each.obligations]
    raised = f"; the first call that failed: {ended.first_failure}" if ended.first_failure else ""
    with expect.for_row(PLANS):
        if ended.lost or not decided:
            raise Undecided(f"the plan could not be driven: {ended.lost or 'nothing could be judged'}{raised}")
        case.witness(
            f"sent {ended.sent}, delivered {ended.delivered}; {sum(decided)} obligations of {len(decided)} properties, "
            f"{broken} violations{raised}"
        )


def _drop(provider: Any, destinations: Sequence[Any]) -> None:  # noqa: ANN401 - the provider behind the recorder
    for each in destinations:
        with contextlib.suppress(Exception):  # as at the end of any case: it decides nothing
            provider.drop(each)


def _blame(case: Case, reports: Sequence[PropertyReport], again: str) -> None:
    """Note each row that violations are about, with the story of the first; what no declaration covers comes first."""
    from tck.workload.verdicts import applying  # noqa: PLC0415 - brings numpy

    found = [
        Elsewhere(row, each.case_of(case.point.variant), f"{each.kind.claim} {each.numbers()}, the first: {each.story_of(row)}\n{again}")
        for each in reports
        if each.outcome is Outcome.BROKEN
        for row in applying(each.broken, load_catalogue(), case.profile, case.version)
    ]  # fmt: skip
    found.sort(key=lambda each: case.profile.deviation_for(each.row, each.call) is not None)
    case.marks.elsewhere += found
