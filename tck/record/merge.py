"""Merges the part files of the workers into one closed bundle.

`collect` reads the parts; the caller judges open attempts (of lost workers), bounds of declared flakiness and the
exit code; `finish` writes the merged files, end.json last.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tck.record import compressed, lines
from tck.record.calls import CALLS, merge
from tck.record.errors import DuplicatedBundle
from tck.record.outcomes import Outcome
from tck.record.regroup import regrouped
from tck.record.rows import CASES, RESULTS, Case, End, EventsRef, Result
from tck.record.writer import EVENTS, EVENTS_SUFFIX, PARTS

TODO = "Run the suite again"
_LOST = "it ran twice, since the first time all was lost"
_LOSSES = frozenset({Outcome.LOST, Outcome.UNREACHABLE})


@dataclass(frozen=True, slots=True)
class Unfinished:
    """An attempt that began and left no result, with the events that its watchdog wrote."""

    case: Case
    attempt: int
    events: EventsRef


@dataclass(frozen=True, slots=True)
class Collected:
    """The contents of the parts, by worker and position."""

    cases: tuple[Case, ...]
    results: tuple[Result, ...]
    unfinished: tuple[Unfinished, ...]
    again: Mapping[str, str]
    """Why cases ran again, and were judged then."""


def collect(folder: Path) -> Collected:
    """Read the part files of all workers; skip a torn last line, which a killed worker leaves.

    When a worker or its provider is lost, other workers take its cases. A case that it had begun, or whose end it could
    not report any more, runs a second time there, and the loss is an explanation of the result of that. Nothing else is
    dropped: a further result of the same attempt becomes the next attempt, and an attempt without a result, whether
    one worker was lost with it or several, is unfinished once, with the most events that any of them left.
    """
    cases: dict[str, Case] = {}
    results: list[Result] = []
    unfinished: list[Unfinished] = []
    withdrawn: dict[str, Case] = {}
    beside: dict[tuple[str, int], str] = {}
    for path in sorted((folder / PARTS).glob("cases.*.ndjson")):
        worker = path.name.split(".")[1]
        started: dict[tuple[str, int], Case] = {}
        for _, row in lines.read_lines(path, todo=TODO, torn=True):
            case = Case.from_json(row["row"])
            key = case.case, int(row["attempt"])
            if (why := row.get("withdrawn")) is not None:
                withdrawn[case.case] = started.pop(key, case)
                if why:
                    beside[key] = why
            else:
                started[key] = case
        cases |= {each.case: each for each in started.values() if each.case not in cases}
        ended = [
            Result.from_json(row)
            for _, row in lines.read_lines(path.with_name(f"results.{worker}.ndjson"), todo=TODO, torn=True)
        ]
        results += ended
        for result in ended:
            started.pop((result.case, result.attempt), None)
        unfinished += _unfinished(folder, worker, started, ended)
    cases = {**withdrawn, **cases}
    results, unfinished, again = _superseded(results, unfinished, beside)
    return Collected(tuple(cases.values()), *_apart(results, unfinished), again)


def _superseded(
    results: Iterable[Result], unfinished: Iterable[Unfinished], beside: Mapping[tuple[str, int], str]
) -> tuple[list[Result], list[Unfinished], dict[str, str]]:
    """Drop what ended with its worker or provider and was judged in the end; explain each result that is a second one."""
    every = list(results)
    judged = {(each.case, each.attempt): each.outcome for each in every if each.outcome not in _LOSSES}
    again = {
        key: f"beside other cases it had ended otherwise: {why}"
        for key, why in beside.items()
        if key in judged and not why.startswith(f"{judged[key]}: ")
    }
    again |= {
        (each.case.case, each.attempt): f"{_LOST}: the worker process ended in the middle of it"
        for each in unfinished
        if (each.case.case, each.attempt) in judged
    }
    lost = [each for each in every if each.outcome in _LOSSES and (each.case, each.attempt) in judged]
    again |= {(each.case, each.attempt): f"{_LOST}: {each.observed or each.outcome}" for each in lost}
    return (
        [_explained(each, again.get((each.case, each.attempt))) for each in every if each not in lost],
        [each for each in unfinished if (each.case.case, each.attempt) not in judged],
        {case: how for (case, _), how in again.items()},
    )


def _explained(result: Result, again: str | None) -> Result:
    if again is None:
        return result
    return replace(result, explanation="\n".join(filter(None, (result.explanation, again))))


def _apart(
    results: Iterable[Result], unfinished: Iterable[Unfinished]
) -> tuple[tuple[Result, ...], tuple[Unfinished, ...]]:
    """Give each record of a case an attempt of its own, and each lost case one record."""
    numbers: dict[str, set[int]] = {}
    kept: list[Result] = []
    again: list[Result] = []
    for result in results:
        taken = numbers.setdefault(result.case, set())
        (again if result.attempt in taken else kept).append(result)
        taken.add(result.attempt)
    kept += [replace(result, attempt=_free(numbers[result.case], result.attempt)) for result in again]
    fullest: dict[tuple[str, int], Unfinished] = {}
    for left in unfinished:
        key = left.case.case, left.attempt
        if key not in fullest or left.events.count > fullest[key].events.count:
            fullest[key] = left
    lost = [
        replace(left, attempt=_free(numbers.setdefault(left.case.case, set()), left.attempt))
        for left in fullest.values()
    ]
    return tuple(kept), tuple(lost)


def _free(taken: set[int], wanted: int) -> int:
    number = wanted if wanted not in taken else max(taken) + 1
    taken.add(number)
    return number


def _unfinished(
    folder: Path, worker: str, started: dict[tuple[str, int], Case], ended: Sequence[Result]
) -> Iterator[Unfinished]:
    """Give each started attempt its events: only the last attempt can have left some, after those of the last result."""
    name = f"{PARTS}/{EVENTS}.{worker}{EVENTS_SUFFIX}"
    end = max((ref.offset + ref.length for result in ended if (ref := result.events)), default=0)
    last = len(started) - 1
    for place, ((_, attempt), case) in enumerate(started.items()):
        left = _spilled(folder / name, end) if place == last else b""
        yield Unfinished(case, attempt, EventsRef(name, end, len(left), compressed.unpack(left).count(b"\n")))


def _spilled(path: Path, offset: int) -> bytes:
    if not path.exists():
        return b""
    with path.open("rb") as file:
        file.seek(offset)
        left = file.read()
    return left[: compressed.whole(left)]


def finish(
    folder: Path,
    cases: Sequence[Case],
    results: Sequence[Result],
    *,
    run: str,
    exit: int,  # noqa: A002 - the key of end.json
    seconds: float,
    finished: str,
    others: Sequence[str] = (),
    events: int = 0,
) -> End:
    """Write the events, cases.ndjson.zst, results.ndjson.zst and end.json, and drop the part files.

    Args:
        folder: The bundle.
        cases: One row per case.
        results: One row per attempt, with those of lost attempts.
        run: The id that run.json carries.
        exit: Exit code of the run.
        seconds: How long the run took.
        finished: When it ended, ISO 8601 in UTC.
        others: Further files of the bundle, whose digests end.json also has.
        events: Number of rows recorded beside the events that results name.

    Raises:
        DuplicatedBundle: A case, or an attempt at a case, occurs twice.
    """
    _unique(folder / CASES, (case.case for case in cases))
    _unique(folder / RESULTS, (f"{result.case} (attempt {result.attempt})" for result in results))
    results = regrouped(folder, results)
    lines.write_whole(folder / CASES, lines.packed_lines(cases))
    lines.write_whole(folder / RESULTS, lines.packed_lines(results))
    files = [folder / name for name in ("run.json", CASES, RESULTS)]
    if calls := sorted((folder / PARTS).glob("calls.*.ndjson")):
        merge(calls, folder / CALLS, todo=TODO)
        files.append(folder / CALLS)
    files += sorted((folder / EVENTS).glob(f"*{EVENTS_SUFFIX}"))
    files += [folder / name for name in others]
    names = {path.relative_to(folder).as_posix(): path for path in files}
    end = End(
        run=run,
        cases=len(cases),
        results=len(results),
        events=events + sum(result.events.count for result in results if result.events),
        outcomes=dict(sorted(Counter(result.outcome.value for result in results).items())),
        verdicts=dict(sorted(Counter(result.verdict.value for result in results).items())),
        exit=exit,
        seconds=round(seconds, 3),
        finished=finished,
        sizes={name: path.stat().st_size for name, path in names.items()},
        digests={name: lines.digest(path) for name, path in names.items()},
    ).sealed()
    lines.write_whole(folder / "end.json", lines.pretty(end.to_json()))
    shutil.rmtree(folder / PARTS, ignore_errors=True)
    return end


def _unique(path: Path, keys: Iterable[str]) -> None:
    seen: set[str] = set()
    for number, key in enumerate(keys, start=1):
        if key in seen:
            raise DuplicatedBundle(f"{key} twice", path=path, line=number, todo=TODO)
        seen.add(key)
