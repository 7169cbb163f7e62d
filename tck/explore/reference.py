"""The reference provider's side: it makes programs and says what should be seen, or runs a program that is given.

It is opened by its profile, on its virtual clock, whatever clock the provider under test has; so nothing is waited for here.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Self

from tck.adapters.opening import open_provider
from tck.explore.making.crossed import play
from tck.explore.making.crossing import CROSSING, crossings
from tck.explore.making.draft import Draft, finish, generate
from tck.explore.making.moves_ending import ALL, SCENES, ending
from tck.profile import load_profile
from tck.profile.overriding import replace_settings
from tck.programs.expectation import Expectation
from tck.programs.legality import Rules
from tck.programs.observing.environment import RunSettings
from tck.programs.performing import perform
from tck.programs.program import Json, Observation, Program, Step
from tck.programs.runner import Runner
from tck.programs.state.objects import Capabilities, OpenOutcome


class Reference:
    """The reference provider of this process.

    Args:
        version: The specification version that it behaves by.
        capabilities: What programs may use.
        terms: What holds for all programs.
        directory: For its files; removed at the end.
    """

    def __init__(self, version: str, capabilities: Capabilities, terms: RunSettings, directory: Path) -> None:
        profile = load_profile("reference")
        if profile.adapter.tier_setting:
            profile = replace_settings(profile, {**profile.adapter.settings, profile.adapter.tier_setting: version})
        self.version = version
        self.capabilities = capabilities
        self.terms = terms
        self._directory = directory
        self.provider = open_provider(profile, self._directory)
        self._runs = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.provider.close()
        shutil.rmtree(self._directory, ignore_errors=True)

    def _runner(self) -> Runner:
        self._runs += 1
        return Runner(self.provider, f"r{self._runs}", self.terms)

    def make(self, seed: int, number: int) -> Expectation:
        """Make program `number` of a seed.

        Raises:
            UnfitError: The reference provider raised what no provider may raise.
        """
        about: dict[str, Json] = {"seed": seed, "number": number}

        def makes(draft: Draft) -> None:
            about["theme"] = generate(draft, ALL, SCENES, ending)

        return self._made(f"{seed}/{number}", about, makes)

    def crossed(self, seed: int, number: int) -> Expectation:
        """Make the program of a crossing, the first of which has the number 0; the seed is for what the crossing leaves open.

        Raises:
            UnfitError: The reference provider raised what no provider may raise.
        """
        crossing = crossings()[number]

        def makes(draft: Draft) -> None:
            play(draft, crossing)
            ending(draft)

        about = {
            "seed": f"crossing-{seed}",
            "number": number,
            "theme": CROSSING,
            CROSSING: dict(crossing.circumstances),
        }
        return self._made(f"crossing-{seed}/{number}", about, makes)

    def continued(self, program: Program, steps: int, seed: str) -> Expectation:
        """Make a program that begins as another one does, goes on by chance, looks at all that there is, and ends.

        Raises:
            UnfitError: The reference provider raised what no provider may raise.
        """

        def makes(draft: Draft) -> None:
            draft.repeat(program.steps[:steps])
            finish(draft, ALL, ending)

        return self._made(seed, {**program.about, "seed": seed}, makes)

    def _made(self, seed: str, about: dict[str, Json], makes: Callable[[Draft], None]) -> Expectation:
        runner = self._runner()
        with self.provider.clock.actor():
            draft = Draft(Random(seed), self.capabilities, runner)
            try:
                makes(draft)
            finally:
                runner.close()
        return self._expectation(Program(tuple(draft.steps), about), draft.seen, draft.rules, runner)

    def run(self, program: Program) -> Expectation:
        """Run a program that is given; at a step that makes no sense, or whose outcome the specification leaves open, it ends."""
        runner = self._runner()
        rules = Rules(self.capabilities)
        seen: list[Observation] = []
        unclear: str | None = None
        with self.provider.clock.actor():
            try:
                for step in program.steps:
                    missing = _missing(runner, step)
                    if missing is not None:
                        seen.append({"skipped": missing})
                        continue
                    rules.check(step)
                    seen.append(perform(rules, runner, step))
            except OpenOutcome as error:
                unclear = f"step {len(seen) + 1}, {step.do}: the specification leaves it open: {error}"
            except Exception as error:  # noqa: BLE001 - a program from a file may hold anything
                unclear = f"step {len(seen) + 1}, {step.do}: cannot be done: {type(error).__name__}: {error}"
            finally:
                runner.close()
        return self._expectation(program, seen, rules, runner, unclear)

    def _expectation(
        self, program: Program, seen: Sequence[Observation], rules: Rules, runner: Runner, unclear: str | None = None
    ) -> Expectation:
        ends = {
            name: {"end": end.key, "kind": end.kind, "contended": end.contended, "of": end.destination.name}
            for name, end in rules.ends.items()
        }
        return Expectation(program, tuple(seen), ends, tuple(runner.sends), unclear, self.version)


def _missing(runner: Runner, step: Step) -> str | None:
    return next((name for name in step.uses() if name not in runner.env.objects), None)
