"""The reader of run bundles: everything after a run (reports, export, lookup, pipeline) goes through here.

`Bundle.open` reads run.json, the cases and the results, and checks every file against end.json; it refuses an
untrustworthy bundle with a named error (errors.py). Events are read per attempt, when asked for.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn, Self, TypeVar

from tck.record import compressed, lines
from tck.record.calls import CALLS, COUNTED, Call, calls_of
from tck.record.codec import RowError
from tck.record.errors import (
    BundleError,
    DuplicatedBundle,
    EmptyBundle,
    MissingBundle,
    NewerBundle,
    TamperedBundle,
    TruncatedBundle,
)
from tck.record.merge import collect
from tck.record.rows import CASES, RESULTS, SCHEMA, Case, End, EventsRef, Result, Row, Run
from tck.record.short_events import restore
from tck.record.writer import PARTS

AGAIN = "Run the suite again, or fetch the bundle again from where the run took place"
# Bundles of schema 1 are not compressed; those of a run that did not end lie in parts.
_EVENTS_FILE = re.compile(r"(events/|parts/events\.)[A-Za-z0-9_-]+\.ndjson(\.zst)?")
R = TypeVar("R", bound=Row)


class Bundle:
    """A run bundle on disk, opened with `Bundle.open`.

    Attributes:
        path: The folder.
        run: run.json.
        end: end.json; None in a truncated bundle.
        truncated: Whether it was read although it lacks its end or a tail of a file.
    """

    def __init__(
        self,
        path: Path,
        run: Run,
        end: End | None,
        cases: Iterable[Case],
        results: Iterable[Result],
        *,
        truncated: bool,
    ) -> None:
        self.path = path
        self.run = run
        self.end = end
        self.truncated = truncated
        self._cases = {case.case: case for case in cases}
        self._results = {(result.case, result.attempt): result for result in results}
        self._last: tuple[tuple[str, int, int], bytes] | None = None

    @classmethod
    def open(cls, path: str | Path, *, allow_truncated: bool = False) -> Self:
        """Open a bundle.

        Args:
            path: The folder of the run.
            allow_truncated: Read a run that did not end or lost a tail.

        Raises:
            BundleError: One of its subclasses, see errors.py.
        """
        return cls(**_Opening(Path(path), allow_truncated=allow_truncated).parts())

    def cases(self) -> tuple[Case, ...]:
        """Return all cases, in the order of worker and position."""
        return tuple(self._cases.values())

    def results(self) -> tuple[Result, ...]:
        """Return the results of all attempts."""
        return tuple(self._results.values())

    def case(self, name: str) -> Case:
        """Return one case by its name.

        Raises:
            KeyError: The run had no such case.
        """
        return self._cases[name]

    def result(self, name: str, attempt: int = 1) -> Result:
        """Return the result of one attempt.

        Raises:
            KeyError: The run had no such case or attempt.
        """
        return self._results[name, attempt]

    @cached_property
    def by_assertion(self) -> Mapping[str, tuple[Result, ...]]:
        """The results by assertion id, ordered by case and attempt."""
        table: dict[str, list[Result]] = {}
        for result in sorted(self._results.values(), key=lambda result: (result.case, result.attempt)):
            for assertion in result.verdicts:
                table.setdefault(assertion, []).append(result)
        return {assertion: tuple(results) for assertion, results in table.items()}

    def events(self, case: str, attempt: int = 1) -> list[dict[str, Any]]:
        """Return the events of one attempt, by number.

        Raises:
            KeyError: The run had no such case or attempt.
            TamperedBundle: The place named by the result does not hold these events.
        """
        ref = self.result(case, attempt).events
        if ref is None or ref.length == 0:
            return []
        path = self._events_path(ref)
        rows = self._rows(ref, path)
        whole = len(rows) == ref.count and all(row.get("case") == case for row in rows)
        if not whole and not self.truncated:
            what = f"expected {ref.count} events of {case} at byte {ref.offset}, saw {len(rows)} lines that differ"
            raise TamperedBundle(what, path=path, todo=AGAIN)
        return rows

    def calls(self) -> Iterator[Call]:
        """Yield the calls of the attempts that held or recorded a behaviour: one of each kind.

        A run that did not end, or that an earlier kit wrote, is read event by event, and yields every call.

        Raises:
            TamperedBundle: A line is no call, or a result names a place that does not hold its events.
        """
        path = self.path / CALLS
        if path.exists() and not self.truncated:
            for number, row in lines.read_lines(path, todo=AGAIN):
                try:
                    yield Call.from_json(row)
                except TypeError as error:
                    raise TamperedBundle(f"expected a call, saw {error}", path=path, line=number, todo=AGAIN) from None
            return
        for result in self._results.values():
            if result.outcome in COUNTED:
                yield from calls_of(self.events(result.case, result.attempt))

    def _events_path(self, ref: EventsRef) -> Path:
        path = self.path / ref.file
        known = self.end is None or ref.file in self.end.sizes
        if not _EVENTS_FILE.fullmatch(ref.file) or not known or not path.is_file():
            what = f"expected a file of events that this bundle holds, saw {ref.file!r}"
            raise TamperedBundle(what, path=self.path / RESULTS, todo=AGAIN)
        return path

    def _rows(self, ref: EventsRef, path: Path) -> list[dict[str, Any]]:
        try:
            block = self._frame(ref, path)[ref.start :]
            if self.truncated and not block.endswith(b"\n"):
                block = block[: block.rfind(b"\n") + 1]
            return list(restore(map(lines.decode, itertools.islice(block.splitlines(), ref.count))))
        except ValueError as error:
            raise TamperedBundle(f"expected events as JSON, saw {error}", path=path, todo=AGAIN) from None

    def _frame(self, ref: EventsRef, path: Path) -> bytes:
        """Return the content of a frame; that of the last one is kept, since attempts are read in a row."""
        place = ref.file, ref.offset, ref.length
        if self._last is None or self._last[0] != place:
            with path.open("rb") as file:
                file.seek(ref.offset)
                block = file.read(ref.length)
            if path.suffix == compressed.SUFFIX:
                block = compressed.unpack(block, torn=self.truncated)
            self._last = place, block
        return self._last[1]


def table(folder: Path, name: str) -> Path:
    """Return the file of the cases or the results; bundles before schema 3 have it uncompressed."""
    plain = folder / name.removesuffix(compressed.SUFFIX)
    return plain if plain.exists() else folder / name


def read_run(folder: Path) -> Run:
    """Read run.json.

    Args:
        folder: The folder of the run.

    Raises:
        MissingBundle: The file is not there.
        NewerBundle: A newer kit wrote it.
        TamperedBundle: No run writes it like this.
    """
    path = folder / "run.json"
    row = lines.read_object(path, todo=AGAIN)
    schema = row.get("schema")
    if not isinstance(schema, int) or schema < 1:
        raise TamperedBundle(f"expected a schema number, saw {schema!r}", path=path, todo=AGAIN)
    if schema > SCHEMA:
        what = f"expected schema {SCHEMA} or lower, saw {schema}"
        raise NewerBundle(what, path=path, todo="Read this bundle with the kit that wrote it, or a newer one")
    return _row(Run, row, path)


def _row(cls: type[R], row: dict[str, Any], path: Path, number: int | None = None) -> R:
    try:
        return cls.from_json(row)
    except RowError as error:
        raise TamperedBundle(str(error), path=path, line=number, todo=AGAIN) from None


class _Opening:
    """Run the checks of `Bundle.open`, the most specific error first."""

    def __init__(self, path: Path, *, allow_truncated: bool) -> None:
        self.path = path
        self.allow_truncated = allow_truncated
        self.truncated = False

    def parts(self) -> dict[str, Any]:
        self.check_folder()
        run = read_run(self.path)
        end = self.read_end(run)
        if end is not None:
            self.check_sizes(end)
        if end is None and (self.path / PARTS).is_dir():
            collected = collect(self.path)
            cases, results = list(collected.cases), list(collected.results)
        else:
            cases = self.read_rows(CASES, Case, ("case",))
            results = self.read_rows(RESULTS, Result, ("case", "attempt"))
        if end is not None and not self.truncated:
            self.check_digests(end)
            self.check_counts(end, cases, results)
        if not results:
            self.refuse_empty("expected results, saw none: the run judged nothing", self.path / RESULTS)
        return {
            "path": self.path,
            "run": run,
            "end": end,
            "cases": cases,
            "results": results,
            "truncated": self.truncated,
        }

    def check_folder(self) -> None:
        if not self.path.exists():
            todo = "Check the path; `run` prints the folder that it wrote"
            raise MissingBundle("expected the folder of a run, saw nothing", path=self.path, todo=todo)
        if not self.path.is_dir():
            todo = "Give the folder of the run, not a file in it"
            raise MissingBundle("expected the folder of a run, saw a file", path=self.path, todo=todo)
        if not any(self.path.iterdir()):
            self.refuse_empty("expected a run bundle, saw an empty folder", self.path)

    def refuse_empty(self, what: str, path: Path) -> NoReturn:
        todo = "Check the path and the selection of the run, and run again"
        raise EmptyBundle(what, path=path, todo=todo)

    def read_end(self, run: Run) -> End | None:
        path = self.path / "end.json"
        if not path.exists():
            self.refuse_truncated("expected end.json, saw none: the run did not end", path)
            return None
        end = _row(End, lines.read_object(path, todo=AGAIN), path)
        if end.run != run.run:
            raise TamperedBundle(f"expected the end of run {run.run}, saw that of {end.run}", path=path, todo=AGAIN)
        if not end.is_intact():
            raise TamperedBundle("expected the end as it was sealed, saw it changed", path=path, todo=AGAIN)
        return end

    def check_sizes(self, end: End) -> None:
        for name, size in end.sizes.items():
            path = self.path / name
            if not path.is_file():
                raise MissingBundle("expected this file of the bundle, saw none", path=path, todo=AGAIN)
            seen = path.stat().st_size
            if seen < size:
                self.refuse_truncated(f"expected {size} bytes, saw {seen}", path)

    def refuse_truncated(self, what: str, path: Path) -> None:
        self.truncated = True
        if not self.allow_truncated:
            todo = f"Run the suite again, or read what is there: `tck report {self.path.name} --allow-truncated`"
            raise TruncatedBundle(what, path=path, todo=todo)

    def read_rows(self, name: str, cls: type[R], key: tuple[str, ...]) -> list[R]:
        path = table(self.path, name)
        if not path.exists():
            raise MissingBundle("expected this file of the bundle, saw none", path=path, todo=AGAIN)
        rows, seen = [], set()
        for number, row in lines.read_lines(path, todo=AGAIN, torn=self.truncated):
            found = _row(cls, row, path, number)
            value = tuple(getattr(found, part) for part in key)
            if value in seen:
                what = " ".join(f"{part} {item}" for part, item in zip(key, value, strict=True))
                raise DuplicatedBundle(f"expected {what} once, saw it twice", path=path, line=number, todo=AGAIN)
            seen.add(value)
            rows.append(found)
        return rows

    def check_digests(self, end: End) -> None:
        for name, wanted in end.digests.items():
            path = self.path / name
            if lines.digest(path) != wanted:
                raise self.difference(path)

    def difference(self, path: Path) -> BundleError:
        """Distinguish a doubled event from any other change."""
        seen: set[bytes] = set()
        content = path.read_bytes() if path.parent.name == "events" else b""
        if path.suffix == compressed.SUFFIX:
            content = compressed.unpack(content, torn=True)
        for number, text in enumerate(content.splitlines(), start=1):
            if not text.startswith(b'{"case":'):  # short lines are alike
                continue
            if text in seen:
                return DuplicatedBundle("expected this event once, saw it twice", path=path, line=number, todo=AGAIN)
            seen.add(text)
        return TamperedBundle(
            "expected the content that end.json gives the digest of, saw another", path=path, todo=AGAIN
        )

    def check_counts(self, end: End, cases: list[Case], results: list[Result]) -> None:
        for name, wanted, seen in ((CASES, end.cases, len(cases)), (RESULTS, end.results, len(results))):
            if wanted != seen:
                what = f"expected {wanted} {name.split('.')[0]}, saw {seen}"
                raise TamperedBundle(what, path=table(self.path, name), todo=AGAIN)
