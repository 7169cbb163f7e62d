"""The recorded pass: which facts hold where each case of the suite, and each program of the corpus, enters the provider.

It runs once for a state of the tree, on the sound provider, and is kept in a file; faults are drawn from it and met by the cases
that reach them.
"""

from __future__ import annotations

import hashlib
import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest

from benchmarks.mutants.cases import CASE_MS, ROOT, SETTINGS, VERSION, name_of
from faults import find
from faults.composing.calls import Call, Past
from faults.composing.circumstances import FACTS, facts
from faults.composing.seams import seams
from faults.kit.declaring import Fault
from faults.kit.patch import Patch
from tck.detection.children import Job, fork_all
from tck.detection.judge import Sight, Story
from tck.plugin.state import State

CHUNK: Final = 400
"""Cases of one child."""
CALLS: Final = 70
"""Calls of one function in a case that are recorded: more than the largest count that a circumstance asks for."""
BITS: Final = {name: 1 << number for number, name in enumerate(FACTS)}
"""By fact, its bit in the record of a call."""
Target = tuple[Any, str]
"""A class or module, and the name of its function; of a property, with the part behind it."""


def key_of(owner: Any, name: str) -> str:  # noqa: ANN401 - a class or a module
    """Return the name of a function: its class or module, and its own."""
    return f"{owner.__module__}.{owner.__qualname__}.{name}" if isinstance(owner, type) else f"{owner.__name__}.{name}"


class _Noted(Patch):
    """A patch that notes what it replaces."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[Target] = []

    def replace(self, owner: Any, name: str, new: object) -> None:  # noqa: ANN401
        """Note and replace."""
        old = getattr(owner, name)
        if isinstance(old, property) and isinstance(new, property):
            changed = [part for part in ("fget", "fset") if getattr(old, part) is not getattr(new, part)]
            self.targets += [(owner, f"{name}.{part}") for part in changed]
        elif callable(old) and not isinstance(old, type):
            self.targets.append((owner, name))
        super().replace(owner, name, new)


def targets_of(fault: Fault) -> list[Target]:
    """Return the functions that a fault replaces."""
    patch = _Noted()
    try:
        fault.install(patch)
    finally:
        patch.undo()
    return patch.targets


@dataclass(slots=True)
class Reach:
    """What the recorded pass found.

    Attributes:
        sound: The result of each case on the sound provider.
        facts: For each function the cases that call it, each with the sets of facts that held, as bits.
    """

    sound: dict[str, Sight] = field(default_factory=dict)
    facts: dict[str, dict[str, set[int]]] = field(default_factory=dict)

    def mined(self, target: str) -> list[str]:
        """Return the facts that hold in some calls of a function, but in no more than 60% of the different ones."""
        every = Counter(each for masks in self.facts.get(target, {}).values() for each in masks)
        shares = ((name, sum(count for each, count in every.items() if each & bit)) for name, bit in BITS.items())
        return [name for name, count in shares if 0 < count <= 0.6 * every.total()]

    def cases(self, target: str, wanted: Iterable[str]) -> list[str]:
        """Return the cases in which all of some facts hold in one call of a function."""
        mask = sum(BITS[name] for name in wanted)
        return [
            case for case, masks in self.facts.get(target, {}).items() if any(each & mask == mask for each in masks)
        ]


class Recorder:
    """In a child: listens at all functions, and says after each case what held there."""

    def __init__(self, targets: Mapping[str, Target], ground: str = "") -> None:
        self._targets, self._ground = targets, ground
        self._seen: dict[str, set[int]] = {}
        self._calls: Counter[str] = Counter()

    def start(self) -> None:
        """Listen."""
        patch = Patch()
        if self._ground:
            find(self._ground).install(patch)
        self._past = Past(patch)
        for key, (owner, name) in self._targets.items():
            attribute, _, part = name.partition(".")
            if part:
                old = getattr(owner, attribute)
                parts = {"fget": old.fget, "fset": old.fset}
                parts[part] = self._listening(key, (owner, name), parts[part])
                patch.replace(owner, attribute, property(**parts))
            else:
                patch.replace(owner, attribute, self._listening(key, (owner, name), getattr(owner, attribute)))

    def _listening(self, key: str, target: Target, original: Callable[..., Any]) -> Callable[..., Any]:
        def listening(*arguments: Any, **keywords: Any) -> Any:  # noqa: ANN401
            self._calls[key] += 1
            if self._calls[key] <= CALLS:
                held = sum(BITS[name] for name in facts(Call(*target, arguments), self._past) if name in BITS)
                self._seen.setdefault(key, set()).add(held)
            return original(*arguments, **keywords)

        return listening

    def taken(self) -> dict[str, list[int]]:
        """Return what held since the last call, and start over."""
        seen = {key: list(masks) for key, masks in self._seen.items()}
        self._seen = {}
        self._calls.clear()
        self._past.forget()
        return seen


def targets_by_key(faults: Iterable[Fault], ground: str = "") -> dict[str, Target]:
    """Return the functions of interest: those that the faults replace, and those that generic faults change on a ground."""
    found = {key_of(*target): target for fault in faults for target in targets_of(fault)}
    for seam in seams(ground).values():
        name = f"{seam.attribute}.{seam.part}" if seam.part else seam.attribute
        found[key_of(seam.owner, name)] = seam.owner, name
    return found


def recorded(
    faults: Iterable[Fault], items: Sequence[pytest.Item], state: State, folder: Path, ground: str = ""
) -> Reach:
    """Read the recorded pass of this tree from its file, or run it.

    Args:
        faults: Those beside the generic ones whose functions are of interest.
        items: The cases.
        state: Runs them.
        folder: Where it is kept.
        ground: The lawful provider that runs in place of the reference provider, if any.

    Raises:
        RuntimeError: a child did not end properly.
    """
    found = targets_by_key(faults, ground)
    kept = folder / f"reach-{_digest([ground, *sorted(found), *map(name_of, items)])}.pickle"
    if kept.exists():
        return pickle.loads(kept.read_bytes())  # type: ignore[no-any-return]  # noqa: S301 - written below
    recorder = Recorder(found, ground)
    reach = Reach()

    def ended(job: Job, story: Story) -> None:
        if story.failure:
            raise RuntimeError(f"the recorded pass failed in {job.name}: {story.failure}")
        for sight in story.sights:
            if "violation" in sight.verdicts.values() or sight.outcome in {"error", "unreachable"}:
                raise RuntimeError(f"the recording disturbs the provider: {sight.case}: {sight.observed}")
            reach.sound[sight.case] = Sight(sight.case, sight.verdicts, sight.outcome, sight.observed)
            for key, masks in sight.note.items():
                reach.facts.setdefault(key, {}).setdefault(sight.case, set()).update(masks)

    chunks = [tuple(items[at : at + CHUNK]) for at in range(0, len(items), CHUNK)]
    jobs = (
        Job(
            f"cases {number}",
            "reference",
            SETTINGS,
            VERSION,
            chunk,
            recorder.start,
            note=recorder.taken,
            seconds=900,
            case_ms=CASE_MS,
        )
        for number, chunk in enumerate(chunks, 1)
    )
    fork_all(jobs, state, ended)
    folder.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(pickle.dumps(reach))
    return reach


def _digest(names: Sequence[str]) -> str:
    """Return a digest of all that the recorded pass depends on: functions, cases, suite, provider and facts."""
    digest = hashlib.sha256("\n".join(names).encode())
    rooms = [*(ROOT / "tck" / "suite").rglob("*.py"), *(ROOT / "reference_provider").rglob("*.py")]
    grounds = (ROOT / "faults" / "lawful").glob("*.py") if names[0] else ()
    for path in sorted([*rooms, *grounds, *(ROOT / "faults" / "composing").glob("c*.py")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
