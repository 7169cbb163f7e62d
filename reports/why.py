"""A sentence of why a case is a violation, where the test gave none: from its outcome, the values, and the call that showed it."""

from __future__ import annotations

from collections.abc import Sequence

from tck.record.outcomes import Outcome, Verdict
from tck.record.rows import Result
from tck.reports.read import Event, cites

_ENDS = ("ok", "fail", "unknown")


def why(attempt: Result, events: Sequence[Event]) -> str:
    """Return why an attempt violates its claim: the test's own explanation if there is one, else a sentence of ours.

    Empty for attempts that are no violation and have no explanation. `#12` names event 12.
    """
    if attempt.explanation or attempt.verdict is not Verdict.VIOLATION:
        return attempt.explanation or ""
    call = attempt.call or "a call"
    if attempt.outcome is Outcome.ABSENT:
        return f"The profile claims what this case needs, and {call} is not there{_shown_by(attempt, events)}."
    if attempt.outcome in (Outcome.CUT, Outcome.CUT_SETUP):
        return f"The case was ended at its deadline: {_open(events) or call} had not returned."
    if attempt.error is not None:
        return f"{call} raised {attempt.error.type}, which the claim does not permit{_shown_by(attempt, events)}."
    if attempt.expected and attempt.observed:
        return f"Expected and observed differ, and the claim permits only the expected{_shown_by(attempt, events)}."
    return f"The test found its claim refuted{_shown_by(attempt, events)}."


def _shown_by(attempt: Result, events: Sequence[Event]) -> str:
    """Return the words for the deciding event: the last one cited, else the end of the last call of the messaging API."""
    ends = [event for event in events if event["phase"] in _ENDS and not str(event["op"]).startswith("Provider.")]
    if not ends:
        return ""
    cited = [event for event in ends if int(event["seq"]) in cites(attempt)]
    last = (cited or ends)[-1]
    lead = "the last event that this rests on is" if cited else "the last call before the judgement is"
    return f"; {lead} {last['op']} on {last['on']} (#{last['seq']})"


def _open(events: Sequence[Event]) -> str:
    """Return the last call that had not ended."""
    ended = {event.get("call") for event in events if event["phase"] in _ENDS}
    waiting = [event for event in events if event["phase"] == "invoke" and event["seq"] not in ended]
    return f"{waiting[-1]['op']} on {waiting[-1]['on']} (#{waiting[-1]['seq']})" if waiting else ""
