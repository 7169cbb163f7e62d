"""The second judgement: the properties of `tck.check` over what was recorded, many programs at a time.

Two providers that do the same wrong thing agree; the properties know what is right. May import `tck.check` and the
recorder; numpy comes with the first judgement.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any, Final

from tck import api
from tck.adapters.recording import Recorder
from tck.check import Margins, judge_events
from tck.profile import Profile
from tck.programs.comparing.differences import Difference
from tck.programs.observing.environment import stands_still
from tck.programs.program import Program

TOGETHER: Final = 30
"""So many programs are recorded together and judged at once: the cost of a judgement is shared."""


class Traces:
    """Records programs of one provider, and judges what was recorded.

    Args:
        provider: The provider.
        profile: Its timing says what to allow for.
        enabled: Whether to record at all.
    """

    def __init__(self, provider: api.Provider, profile: Profile, *, enabled: bool = True) -> None:
        self._provider = provider
        self._enabled = enabled
        # Where time stands still a receive that waited at all has shown that nothing was there.
        patience = 0 if stands_still(provider) else Margins().patience
        self._margins = Margins(tolerance=max(1, profile.timing.tolerance), patience=patience)
        self._recorder: Recorder | None = None
        self._programs: list[tuple[int, Program]] = []

    @property
    def full(self) -> bool:
        """Whether so many programs were recorded that it is time to judge."""
        return len(self._programs) >= TOGETHER

    def restart(self, provider: api.Provider) -> None:
        """Go on with another provider; what was recorded of the one before is not judged."""
        self._provider = provider
        self._recorder = None
        self._programs = []

    def begin(self, program: Program) -> Recorder | None:
        """Return the recorder for the next program; None where nothing is recorded."""
        if not self._enabled or not tellable(program):
            return None
        if self._recorder is None:
            self._recorder = Recorder(self._provider.clock, "explore")
        self._programs.append((len(self._recorder.log), program))
        return self._recorder

    def alone(self, program: Program) -> Recorder | None:
        """Return a recorder for one program that is judged alone; None where nothing is recorded."""
        return Recorder(self._provider.clock, "explore") if self._enabled and tellable(program) else None

    def judge(self) -> list[tuple[Program, str]]:
        """Judge what was recorded; give the programs in which a property was violated, and which. Begin anew."""
        if self._recorder is None:
            return []
        recorder, programs = self._recorder, self._programs
        self._recorder, self._programs = None, []
        # Events are numbered in the order of the log, from 1.
        starts = [start for start, _ in programs]
        found: dict[tuple[int, str], Program] = {}
        for name, cites in _violations(recorder, self._margins):
            at = max(0, bisect_right(starts, min(cites) - 1) - 1) if cites else 0
            found.setdefault((at, name), programs[at][1])
        return [(program, name) for (_, name), program in found.items()]

    def judge_alone(self, recorder: Recorder | None, step: int) -> list[Difference]:
        """Judge the recorded events of one program.

        Args:
            recorder: What recorded it.
            step: The step that a violation is reported at.
        """
        if recorder is None:
            return []
        found = []
        for result in judge_events(recorder.finish(), margins=self._margins):
            if result.violations and not result.observes:
                first = result.violations[0]
                found.append(
                    Difference(
                        step, "trace", f"trace {result.name}", "the property holds", first.text, rows=result.assertions
                    )
                )
        return found


def tellable(program: Program) -> bool:
    """Return whether every message has an identifier of its own: bodies without messages, and disabled ones, cannot.

    Nor is it recorded from which queue or subscription a connection consumer took a message, or what a branch came to.
    """
    return not any(
        step.do in {"send_body", "receive_body", "pool", "branch"}
        or step.args.get("what") == "disable_id"
        or "delivery_time" in step.args.get("headers", ())  # a provider that keeps it never delivers
        or (step.do == "set" and step.args["what"] == "property")  # the recorder knows the message without it
        for step in program.steps
    )


def _violations(recorder: Recorder, margins: Margins) -> list[tuple[str, Any]]:
    results = judge_events(recorder.finish(), margins=margins)
    return [(each.name, one.cites) for each in results if not each.observes for one in each.violations]
