"""The values of a profile. Values only: nothing here reads a file. Imports this package's names, and the versions."""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
import fnmatch
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tck.catalogue.model import APIS
from tck.catalogue.versions import offers
from tck.profile.bridges import Bridge
from tck.profile.names import Names

_DOMAINS = {"ptp": "queues", "pubsub": "topics"}


class Declared(enum.StrEnum):
    """What a deviation declares: the cases always fail, or sometimes, or cannot be decided."""

    FAILS = "fails"
    FLAKY = "flaky"
    UNDECIDED = "undecided"


@dataclasses.dataclass(frozen=True, slots=True)
class Adapter:
    """How the provider is reached.

    Attributes:
        kind: ``python`` or ``jvm``.
        target: ``package.module:callable``; empty for ``jvm``.
        settings: The table passed to the target, as in the profile; for ``jvm`` the keys of docs/jvm.md.
        tier_setting: The setting that receives the tier of a run, for a provider that can play older versions.
    """

    kind: str
    target: str
    settings: Mapping[str, object]
    tier_setting: str | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Disclaimed:
    """A part of the version that the provider's maintainers say it does not have yet.

    Attributes:
        what: Its name, `shared subscriptions`.
        calls: Globs on its calls, as events name them: `Session.create_shared_consumer`.
        link: Where they say so.
    """

    what: str
    calls: tuple[str, ...]
    link: str


@dataclasses.dataclass(frozen=True, slots=True)
class Claims:
    """What the provider says it supports.

    Attributes:
        version: Specification version.
        features: Optional features, by their names in the catalogue.
        api: Interfaces: classic, simplified, domain-specific.
        domains: Messaging domains: ptp, pubsub.
        without: What of the version it does not claim.
    """

    version: str
    features: frozenset[str]
    api: tuple[str, ...]
    domains: tuple[str, ...]
    without: tuple[Disclaimed, ...] = ()

    def disclaimed(self, call: str) -> Disclaimed | None:
        """Return the part without which the provider is claimed to be and which has this call; None if there is none."""
        return next(
            (part for part in self.without if any(fnmatch.fnmatchcase(call, each) for each in part.calls)), None
        )

    @property
    def narrowed_to(self) -> str:
        """What part of the version is claimed, `queues only, classic interface only, without delivery delay`; empty if all."""
        parts = [f"{_DOMAINS[self.domains[0]]} only"] if len(self.domains) == 1 else []
        if any(offers(self.version, api) and api not in self.api for api in APIS):
            parts.append(f"{' and '.join(self.api)} interface{'s' if len(self.api) > 1 else ''} only")
        parts += [f"without {' or '.join(part.what for part in self.without)}"] if self.without else []
        return ", ".join(parts)


@dataclasses.dataclass(frozen=True, slots=True)
class Timing:
    """How long the suite waits, in milliseconds on the provider's clock.

    Attributes:
        deadline: A message that must come has come, and a call that must return has returned, within this.
        case: A case has ended within this.
        quiet: Bounded wait for silence that cannot be proved.
        delay: Shortest delivery delay and time to live that the provider honours reliably.
        tolerance: Granularity of the provider's clock.
        timeout_multiplier: What `deadline` and `case` were multiplied by: the profile's factor times that of the run.
    """

    deadline: int = 5000
    case: int = 20000
    quiet: int = 100
    delay: int = 300
    tolerance: int = 0
    timeout_multiplier: float = 1

    def multiplied(self, factor: float) -> Timing:
        """Return it with the bounds for messages, calls and cases multiplied by its own factor and that of the run."""
        total = self.timeout_multiplier * factor
        return dataclasses.replace(
            self, deadline=round(self.deadline * total), case=round(self.case * total), timeout_multiplier=total
        )


@dataclasses.dataclass(frozen=True, slots=True)
class Vary:
    """Conditions that the suite varies from case to case where the rows are not about them.

    Attributes:
        delivery_mode: Half of the cases send NON_PERSISTENT. Such a send has taken effect when it returns.
        subscription: Half of the cases on topics consume through shared subscriptions, durable or not.
        spare: Contents that journeys and programs of two client libraries do without, by the names that the schema has.
    """

    delivery_mode: bool = False
    subscription: bool = False
    spare: Sequence[str] = dataclasses.field(default_factory=list)


ANY_ROW = "*"
"""Instead of a row's id, in a declaration that identifies failures by `observed`."""


@dataclasses.dataclass(frozen=True, slots=True)
class Deviation:
    """A known failure of a provider, declared with its reason.

    Attributes:
        assertion: The row that fails; ``*`` for any, with ``observed``.
        outcome: Whether its cases fail always or sometimes, or cannot be decided.
        reason: Why, in one sentence.
        cases: Glob on the names of the cases it covers; ``*`` crosses ``/``.
        link: Where the provider's maintainers or documentation say so.
        evidence: The evidence, if there is nothing to link to.
        at_most: For a flaky one, the greatest share of repetitions that may fail.
        expires: For a flaky one, the last day on which it holds.
        observed: For a flaky one, a glob on the observed text of the failures it covers.
        when: The setting under which it holds, in one clause.
        holds_with: The settings, by name, with which the rows hold.
        effect: How bad it is for a user, in a word of the schema; None where the profile does not say.
        line: The line of its table; 0 where it comes from no file.
        file: The profile that declares it, which may be an extended one.
    """

    assertion: str
    outcome: Declared
    reason: str
    cases: str = "*"
    link: str | None = None
    evidence: str | None = None
    at_most: float | None = None
    expires: dt.date | None = None
    observed: str | None = None
    when: str | None = None
    holds_with: Mapping[str, object] | None = dataclasses.field(default=None, hash=False)
    effect: str | None = None
    line: int = dataclasses.field(default=0, compare=False)
    file: str = dataclasses.field(default="", compare=False)

    def covers(self, assertion_id: str, case_name: str, observed: str | None = None) -> bool:
        """Return whether it covers a row in a case with this observed text."""
        if self.assertion not in {ANY_ROW, assertion_id} or not fnmatch.fnmatchcase(case_name, self.cases):
            return False
        return self.observed is None or fnmatch.fnmatchcase(observed or "", self.observed)

    def expired(self, on: dt.date) -> bool:
        """Return whether its last day is over; a ``fails`` declaration has none."""
        return self.expires is not None and on > self.expires

    def exceeded(self, failed: int, repetitions: int) -> bool:
        """Return whether more than the declared share of repetitions failed; a ``fails`` declaration has no bound."""
        return self.at_most is not None and failed > self.at_most * repetitions


@dataclasses.dataclass(frozen=True, slots=True)
class Profile:
    """A provider as its profile describes it, with what the profile extends merged in.

    Attributes:
        name: Short name.
        title: Name of the provider as people write it.
        url: Web page of the provider, if given.
        adapter: How it is reached.
        claims: What it says it supports.
        timing: How long the suite waits for it.
        vary: Which conditions the suite varies on it.
        deviations: Its known failures, those of this file before those of extended files.
        path: The file.
        digest: ``sha256:`` and the digest of the merged content; comments and layout do not count.
        variant: The variant of the file's profile that this one is; empty for the profile itself.
        release: The release of the provider, where the profile or the command line names one.
        names: The shape of names it takes.
        second: Profile of the provider beside this one in a run of two; by default programs on two providers open this one twice.
        bridge: The bridge that the rows on interworking judge; by default that of the kit.
    """

    name: str
    title: str
    url: str | None
    adapter: Adapter
    claims: Claims
    timing: Timing
    vary: Vary
    deviations: tuple[Deviation, ...]
    path: Path
    digest: str
    release: str = ""
    variant: str = ""
    names: Names = dataclasses.field(default_factory=Names)
    second: Profile | None = None
    bridge: Bridge | None = None

    @property
    def reference(self) -> Path:
        """What `load_profile` finds it by: the file, or the path of its variant."""
        return self.path.with_stem(f"{self.path.stem}-{self.variant}") if self.variant else self.path

    def deviation_for(self, assertion_id: str, case_name: str, observed: str | None = None) -> Deviation | None:
        """Return the first deviation that covers a row in a case with this observed text, or None."""
        return next((found for found in self.deviations if found.covers(assertion_id, case_name, observed)), None)

    def known_deviation(self, assertion_id: str) -> Deviation | None:
        """Return the first deviation of a row, whatever cases it names, one that fails before one that is undecided; None if the profile declares none.

        Those that name programs of the corpus with ``observed`` cover what they say and no more.
        """
        found = [
            each
            for each in self.deviations
            if each.assertion == assertion_id and not (each.observed and each.cases.startswith("corpus/"))
        ]
        return next((each for each in found if each.outcome is not Declared.UNDECIDED), found[0] if found else None)

    def unmatched(self, judged: Iterable[tuple[str, str]]) -> tuple[Deviation, ...]:
        """Return the deviations that cover nothing in a run.

        Only a run of everything shows that a declaration is useless; a selection does not, and for a declaration
        with ``observed`` no run does.

        Args:
            judged: Pairs of a row's id and a case's name.
        """
        cases: dict[str, list[str]] = {}
        for assertion, case in judged:
            cases.setdefault(assertion, []).append(case)
        return tuple(
            found
            for found in self.deviations
            if found.observed is None
            and not any(found.covers(found.assertion, case) for case in cases.get(found.assertion, ()))
        )
