"""Run the steps of a program on a provider, one after the other, and tell what each showed.

With the outcome that is expected, another provider's, it knows which messages must come and waits for them, and for no other.
A step that does not return is shown as hung, and ends the program.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import accumulate, groupby
from typing import Final

from tck import api
from tck.patience import join
from tck.programs.expectation import Execution, Expectation
from tck.programs.observing.environment import Environment, Missing, RunSettings, exception_name
from tck.programs.observing.second import SecondThread
from tck.programs.observing.wrapping import Wrapper
from tck.programs.operations import OPERATIONS
from tck.programs.operations.listening import settle
from tck.programs.program import Json, Observation, Program, Step
from tck.programs.senders import senders

HANG_SECONDS: Final = 4.0
"""A step that takes longer than this hangs; where time is real, longer than this beyond two deadlines of the profile."""


class Runner:
    """One program under way on one provider, step by step, in the calling thread."""

    def __init__(
        self,
        provider: api.Provider,
        scope: str,
        terms: RunSettings,
        wrapper: Wrapper | None = None,
        shape: Callable[[str], str] = str,
    ) -> None:
        self.env = Environment(provider, scope, terms, wrapper, shape)
        self.seen: list[Observation] = []
        self._second: SecondThread | None = None

    def step(self, step: Step, expected: Observation | None = None, *, listening: bool = False) -> Observation:
        """Do one step.

        Args:
            step: What to do.
            expected: What another provider showed there.
            listening: Whether listeners may be called by now, so that their messages are waited for.
        """
        env = self.env
        tell = self._second_tells if step.args.get("by") else self._outcome
        seen = tell(step, expected)
        if listening or (expected is not None and "delivered" in expected):
            delivered = settle(env, None if expected is None else expected.get("delivered"))
            seen["delivered"] = {"by": delivered, "total": env.total()}
        self.seen.append(seen)
        return seen

    def _second_tells(self, step: Step, expected: Observation | None) -> Observation:
        """Have the second thread do a step while this one waits; return its outcome."""
        seen: list[Observation] = []
        second = self._second = self._second or SecondThread(self.env.clock)
        second.finish(second.begin(lambda: seen.append(self._outcome(step, expected))))
        return seen[0]

    def _outcome(self, step: Step, expected: Observation | None, numbers: Iterator[int] | None = None) -> Observation:
        self.env.begin(expected, numbers)
        operation = OPERATIONS.get(step.do)
        if operation is None:
            return {"raises": "UnknownStep", "text": step.do}
        try:
            return {"ok": operation.call(self.env, step.args, step.name)}
        except Missing as missing:
            return {"skipped": str(missing)}
        except Exception as error:  # noqa: BLE001 - whatever a provider raises is what was seen
            seen = {"raises": exception_name(error), "text": str(error).strip().split("\n")[0][:200]}
            return {**seen, "part": self.env.part} if self.env.part else seen

    def by_two_clients(self, second: api.Provider, program: Program, spare: Collection[str]) -> bool:
        """Have those connections of a program that only send made by another client library; return whether there are any."""
        self.env.second, self.env.senders = second, senders(program, spare)
        return bool(self.env.senders)

    def follow(self, expectation: Expectation) -> Iterator[None]:
        """Do the steps of a program one by one, each with the outcome that is expected of it; yield after each."""
        pairs = zip(expectation.program.steps, expectation.seen, strict=False)
        for number, group in groupby(pairs, key=lambda each: each[0].args.get("together")):
            if number is not None:
                yield from self._together(list(group))
                continue
            for step, expected in group:
                if "skipped" in expected:
                    self.seen.append({"skipped": expected["skipped"]})
                else:
                    self.step(step, expected)
                yield

    def _together(self, pairs: Sequence[tuple[Step, Observation]]) -> Iterator[None]:
        """Do steps in two threads at the same time, each those of its own in order; yield for each when all are done."""
        env, first = self.env, len(self.env.sent)
        numbers = list(accumulate((_sends(*each) for each in pairs), initial=first))
        shown: list[Observation | None] = [None] * len(pairs)
        begun, lock = len(self.seen), threading.Lock()  # guards shown and the end of seen

        def work(*, second: bool) -> None:
            for at, (step, expected) in enumerate(pairs):
                if bool(step.args.get("by")) is not second:
                    continue
                own = iter(range(numbers[at], numbers[at + 1]))
                seen = {"skipped": expected["skipped"]} if "skipped" in expected else self._outcome(step, expected, own)
                with lock:
                    shown[at] = seen
                    # What hangs is then the step after the last that was seen.
                    while (done := len(self.seen) - begun) < len(shown) and (one := shown[done]) is not None:
                        self.seen.append(one)

        other = self._second = self._second or SecondThread(env.clock)
        done = other.begin(lambda: work(second=True))
        work(second=False)
        other.finish(done)
        env.number_anew(first)
        yield from (None for _ in pairs)

    def close(self) -> None:
        """Close what the program left open and drop the destinations that it made, whatever state it is in."""
        for each in reversed(self.env.opened):
            with contextlib.suppress(Exception):
                each.close()
        for destination in self.env.made:
            with contextlib.suppress(Exception):
                self.env.provider.drop(destination)
        if self._second is not None:
            self._second.begin(None)

    @property
    def sends(self) -> list[dict[str, Json]]:
        """Return the sends so far, as far as they are the program's choice."""
        names = ("number", "producer", "destination", "mode", "priority", "ttl", "delay", "given")
        return [
            {name: getattr(each, name) for name in names} | ({} if each.asked is None else {"asked": list(each.asked)})
            for each in self.env.sent
        ]


def _sends(step: Step, expected: Observation) -> int:
    """Return how many messages a step is expected to send."""
    if "ok" not in expected or not OPERATIONS[step.do].sends:
        return 0
    return int(step.args.get("count", 1))


def run(
    provider: api.Provider,
    expectation: Expectation,
    scope: str,
    terms: RunSettings,
    wrapper: Wrapper | None = None,
    shape: Callable[[str], str] = str,
) -> Execution:
    """Run a program in a thread of its own, which may hang.

    Args:
        provider: Where to run it.
        expectation: The program and the outcomes that are expected; it ends with them.
        scope: Goes into every name of the provider's.
        terms: What holds for all programs.
        wrapper: Wraps the provider, if anything does.
        shape: Returns a name that the provider takes for the one that would be chosen.
    """
    runner = Runner(provider if wrapper is None else wrapper.wrap(provider), scope, terms, wrapper, shape)
    progress = [0]

    def work() -> None:
        with provider.clock.actor():
            for _ in runner.follow(expectation):
                progress[0] += 1
            runner.close()
            progress[0] += 1

    hung = not _finished(work, progress, HANG_SECONDS + (0 if provider.clock.virtual else 2 * terms.deadline / 1000))
    ran = Execution(list(runner.seen), runner.sends, hung, runner.env.virtual)
    if hung and len(ran.seen) < min(len(expectation.program), len(expectation.seen)):
        ran.seen.append({"hung": True})
    return ran


def _finished(work: Callable[[], None], progress: Iterable[int], seconds: float) -> bool:
    """Run in a daemon thread as long as there is progress; return whether it ended.

    Raises:
        Exception: What the work raised, which is a fault of the kit.
    """
    failures: list[BaseException] = []

    def guarded() -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - raised again where it can be seen
            failures.append(error)

    thread = threading.Thread(target=guarded, name="explore", daemon=True)
    thread.start()
    before = -1
    while not join(thread, seconds):
        (now,) = progress
        if now == before:
            return False
        before = now
    if failures:
        raise failures[0]
    return True
