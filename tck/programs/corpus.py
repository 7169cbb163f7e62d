"""The corpus: programs in files, each with the outcomes that are expected of it, by version of the specification.

Folder: ``programs/NN.jsonl`` (50 programs a file, one on a line), ``expected/VERSION.jsonl.zst`` (one expectation on a
line) and ``index.csv`` (one line a program: what it needs, what it judges). A number is never used for another program.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Final

from tck.catalogue.versions import VERSIONS as ALL_VERSIONS
from tck.catalogue.versions import offers
from tck.programs.expectation import Expectation
from tck.programs.program import Json, Program
from tck.record.compressed import SMALL, pack, unpack

CLASSIC: Final = "classic"
"""The interface for both domains; programs presume that a version has it."""
VERSIONS: Final = tuple(version for version in reversed(ALL_VERSIONS) if offers(version, CLASSIC))
"""The versions of the specification that expectations are stored for, the newest first."""
COMPLETE: Final = {"artemis": frozenset({"asf"}), "openmq": frozenset[str]()}
"""The brokers that implement the whole specification, each with the features that the other one has and it lacks."""
_A_FILE: Final = 50
_COLUMNS: Final = (
    "id", "versions", "apis", "domains", "features", "hooks", "virtual", "brokers", "unsettled", "steps", "cells", "theme", "seed", "title", "why", "rows",
)  # fmt: skip
_LISTS: Final = ("versions", "apis", "domains", "features", "hooks", "brokers", "unsettled", "rows")
_MANY: Final = " "
_OWN: Final = frozenset({"text", "part"})
"""What an outcome tells of an exception that is the provider's own affair."""


class CorpusError(ValueError):
    """The corpus cannot be read, or lacks a program; the message names file and number."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the index.

    Attributes:
        number: Of the program; its case is ``corpus/0137``.
        versions: Those with an expectation.
        apis: The interfaces it uses: ``classic``, ``simplified``, ``queue``, ``topic``.
        domains: ``ptp``, ``pubsub``.
        features: Optional features that it presumes.
        hooks: Hooks of the provider that it needs.
        virtual: Whether it looks at a destination while something there expires or falls due, which a real clock does not allow.
        steps: Number of its steps.
        cells: Number of the cells that are compared.
        theme: The theme that the generator chose.
        seed: Seed and number of the generator, ``2000/411``.
        why: How many faults, facts and rows it was the first to meet when it was chosen, ``fault:3 fact:12``.
        title: Its rarest states, and a value on its path.
        rows: The rows that own the cells.
        brokers: The brokers that showed the stored outcomes, or others in rows that their profiles declare only.
        unsettled: The brokers that contradict the program, as far as nobody has settled whose fault it is.
    """

    number: int
    versions: tuple[str, ...]
    apis: tuple[str, ...]
    domains: tuple[str, ...]
    features: tuple[str, ...]
    hooks: tuple[str, ...]
    virtual: bool
    steps: int
    cells: int
    theme: str
    seed: str
    rows: tuple[str, ...]
    brokers: tuple[str, ...] = ()
    unsettled: tuple[str, ...] = ()
    why: str = ""
    title: str = ""

    @property
    def confirmed(self) -> bool:
        """Whether each complete broker that has its features agrees, and no broker contradicts it unsettled, so that it may judge real ones."""
        able = {broker for broker, lacks in COMPLETE.items() if not lacks & set(self.features)}
        return able <= set(self.brokers) and not self.unsettled

    @property
    def name(self) -> str:
        """The number in four digits."""
        return f"{self.number:04}"

    def line(self) -> dict[str, str]:
        """Return the line of the index."""
        return {
            "id": self.name,
            "virtual": "yes" if self.virtual else "",
            **{name: str(getattr(self, name)) for name in ("steps", "cells", "theme", "seed", "why", "title")},
            **{name: _MANY.join(getattr(self, name)) for name in _LISTS},
        }

    @classmethod
    def of_line(cls, line: Mapping[str, str]) -> Entry:
        """Return the entry of a line of the index."""
        many = {name: tuple(line[name].split()) for name in _LISTS}
        plain = {"steps": int(line["steps"]), "cells": int(line["cells"])}
        words = {name: line[name] for name in ("theme", "seed", "why", "title")}
        return cls(number=int(line["id"]), virtual=line["virtual"] == "yes", **many, **plain, **words)  # type: ignore[arg-type]


class Corpus:
    """A corpus in a folder; files are read when they are needed.

    Raises:
        CorpusError: By every member: a file is missing or damaged.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._expected: dict[str, dict[int, str]] = {}

    @cached_property
    def entries(self) -> Mapping[int, Entry]:
        """The lines of the index by number."""
        try:
            with (self.folder / "index.csv").open(encoding="utf-8", newline="") as file:
                return {entry.number: entry for entry in map(Entry.of_line, csv.DictReader(file))}
        except (OSError, KeyError, ValueError) as error:
            raise CorpusError(f"{self.folder / 'index.csv'}: {error}") from error

    @cached_property
    def programs(self) -> Mapping[int, Program]:
        """The programs by number."""
        found: dict[int, Program] = {}
        for path in sorted((self.folder / "programs").glob("*.jsonl")):
            for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                try:
                    stored = json.loads(text)
                    found[stored["id"]] = Program.from_json(stored)
                except (ValueError, KeyError) as error:
                    raise CorpusError(f"{path}:{line}: {error}") from error
        return found

    def program(self, number: int) -> Program:
        """Return a program."""
        try:
            return self.programs[number]
        except KeyError:
            raise CorpusError(f"{self.folder}: there is no program {number:04}") from None

    def expectation(self, number: int, version: str) -> Expectation:
        """Return a program with the outcomes that are expected of it."""
        lines = self._expected.get(version) or self._read(version)
        if number not in lines:
            raise CorpusError(f"{self.folder}: program {number:04} has no expectation for {version}")
        stored = json.loads(lines[number].partition(" ")[2])
        program = self.program(number).to_json()
        return Expectation.from_json({**stored, "program": program, "unclear": None, "version": version})

    def _read(self, version: str) -> dict[int, str]:
        path = self.folder / "expected" / f"{version}.jsonl.zst"
        try:
            lines = unpack(path.read_bytes()).decode("ascii").splitlines()
        except (OSError, ValueError) as error:
            raise CorpusError(f"{path}: {error}") from error
        found = self._expected[version] = {int(line.partition(" ")[0]): line for line in lines}
        return found

    # -- writing ---------------------------------------------------------------------------------------------------

    def write(
        self,
        entries: Iterable[Entry],
        programs: Mapping[int, Program],
        expected: Mapping[str, Mapping[int, Expectation]],
    ) -> None:
        """Write a whole corpus in place of the one that is there.

        Args:
            entries: The index.
            programs: The programs by number.
            expected: By version, the expectations by number.
        """
        for name in ("programs", "expected"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
            for old in (self.folder / name).glob("*.jsonl*"):
                old.unlink()
        files: dict[int, list[str]] = {}
        for number, program in sorted(programs.items()):
            files.setdefault(number // _A_FILE, []).append(_line({"id": number, **program.to_json()}))
        for part, lines in files.items():
            (self.folder / "programs" / f"{part:02}.jsonl").write_text("".join(lines), encoding="utf-8")
        for version, found in expected.items():
            text = "".join(f"{number} {_line(stored(each))}" for number, each in sorted(found.items()))
            (self.folder / "expected" / f"{version}.jsonl.zst").write_bytes(pack(text.encode("ascii"), SMALL))
        self.write_index(entries)
        self.__dict__.pop("programs", None)
        self._expected.clear()

    def write_index(self, entries: Iterable[Entry]) -> None:
        """Write the index alone."""
        lines = [entry.line() for entry in sorted(entries, key=lambda each: each.number)]
        with (self.folder / "index.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, _COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(lines)
        self.__dict__.pop("entries", None)


def stored(expectation: Expectation) -> dict[str, Json]:
    """Return an expectation as it is stored: without the texts of exceptions, which are the provider's own."""
    seen = [{key: value for key, value in each.items() if key not in _OWN} for each in expectation.seen]
    return {"seen": seen, "ends": expectation.ends, "sends": list(expectation.sends)}


def moved(before: Expectation, after: Expectation) -> Iterator[tuple[int, Json, Json]]:
    """Yield the steps whose stored outcomes differ: number from 0, the outcome before and after."""
    one, two = stored(before), stored(after)
    for step, (ours, theirs) in enumerate(zip(one["seen"], two["seen"], strict=False)):
        if ours != theirs:
            yield step, ours, theirs
    if len(one["seen"]) != len(two["seen"]):
        yield min(len(one["seen"]), len(two["seen"])), f"{len(one['seen'])} outcomes", f"{len(two['seen'])} outcomes"


@cache
def corpus_in(folder: Path) -> Corpus:
    """Return the corpus of a folder, read once a process."""
    return Corpus(folder)


def _line(value: Json) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")) + "\n"
