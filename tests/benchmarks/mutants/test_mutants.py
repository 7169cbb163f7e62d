"""Mutants: what is changed and what is left alone; a changed module is loaded; the suite notices, or does not."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from dataclasses import asdict
from pathlib import Path

import pytest

from benchmarks.mutants.cases import ROOT, digest_of, suite_files
from benchmarks.mutants.command import SAME, as_text, read_same, share
from benchmarks.mutants.hunt import Fate, Hunt, all_mutants, known_fates
from benchmarks.mutants.sites import Mutant, mutants_of, mutated

SOURCE = '''"""A docstring, 1 + 1."""

from typing import Final

__all__ = ["double"]
LIMIT: Final = 5


def double(value: int, *, really: bool = True) -> int | None:
    """Double it: 2 * 2."""
    if value > LIMIT and really:
        raise ValueError("more than 5 is too much")
    return value * 2
'''


@pytest.fixture
def module(tmp_path: Path) -> Path:
    path = tmp_path / "doubling.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def test_each_place_is_changed_and_words_are_not(module: Path) -> None:
    found = {(mutant.line, mutant.before, mutant.after) for mutant in mutants_of("a.doubling", module)}
    assert found == {
        (6, "5", "6"),
        (9, "True", "False"),
        (11, "value > LIMIT and really", "value > LIMIT or really"),
        (11, "value > LIMIT and really", "value > LIMIT"),
        (11, "value > LIMIT and really", "really"),
        (11, "value > LIMIT", "value >= LIMIT"),
        (12, "raise ValueError('more than 5 is too much')", "pass"),
        (13, "return value * 2", "return None"),
        (13, "value * 2", "value // 2"),
        (13, "2", "3"),
    }


def test_the_changed_module_does_something_else(module: Path) -> None:
    seen = set()
    for mutant in mutants_of("a.doubling", module):
        names: dict[str, object] = {}
        exec(compile(mutated(mutant), "doubling", "exec"), names)  # noqa: S102 - the source above, changed in one place
        seen.add((mutant.after, names["double"](4, really=False)))  # type: ignore[operator]  # the function of the source above
    assert {("value // 2", 2), ("3", 12), ("return None", None), ("6", 8)} <= seen


def test_mutants_of_the_provider_have_names_of_their_own() -> None:
    ids = [mutant.id for mutant in all_mutants()]
    assert len(ids) == len(set(ids))
    assert len(ids) > 1000


def test_the_same_seed_draws_the_same_and_leaves_out_what_is_known() -> None:
    mutants = list(all_mutants())

    def drawn(seed: int, same: dict[str, str]) -> list[str]:
        return [mutant.id for mutant in Hunt(seed, 20, 0, (), Path(), same).chosen(mutants)]

    first = drawn(1, {})
    assert drawn(1, {}) == first
    assert drawn(2, {}) != first
    assert len(first) == 20
    assert first[0] not in drawn(1, {first[0]: "why"})
    place = next(mutant.place for mutant in mutants if mutant.id == first[0])
    assert first[0] not in drawn(1, {f"{place}: *": "why"})


def test_a_change_of_the_source_leaves_most_of_the_draw() -> None:
    mutants = list(all_mutants())

    def drawn(some: list[Mutant]) -> list[str]:
        return [mutant.id for mutant in Hunt(1, 20, 0, (), Path(), {}).chosen(some)]

    first = drawn(mutants)
    without = [mutant for mutant in mutants if mutant.id != first[3]]
    assert drawn(without)[:19] == [*first[:3], *first[4:]]


def test_who_survived_another_suite_faces_this_one(tmp_path: Path) -> None:
    kept = tmp_path / "fates.ndjson"
    found = [
        Fate("a", "x.py:1", "killed", "", 1, 0, suite="old"),
        Fate("b", "x.py:2", "survived", "", 1, 0, suite="old"),
        Fate("c", "x.py:3", "survived", "", 1, 0, suite="new"),
    ]
    kept.write_text("".join(json.dumps(asdict(fate)) + "\n" for fate in found), encoding="utf-8")
    assert list(known_fates(kept, "new")) == ["a", "c"]


def test_what_is_known_to_change_nothing_is_there_and_says_why() -> None:
    mutants = list(all_mutants())
    names = {mutant.id for mutant in mutants} | {f"{mutant.place}: *" for mutant in mutants}
    assert [known for known in read_same() if known not in names] == []
    rows = tomllib.loads(SAME.read_text(encoding="utf-8"))["mutant"]
    assert {row["kind"] for row in rows} <= {"same", "words", "open"}
    assert all(len(row["why"]) > 10 for row in rows)


def test_the_share_leaves_out_what_was_never_alive() -> None:
    fates = [Fate(str(number), "x.py:1", fate, "", 1, 0) for number, fate in enumerate(["killed"] * 3 + ["stillborn"])]
    assert share(fates) == 1.0
    fates.append(Fate("5", "x.py:2", "survived", "", 1, 0))
    assert share(fates) == 0.75
    assert "SURVIVED x.py:2" in as_text(fates, 4)


def hunt(notes: Path, mutant: Mutant, test: str) -> subprocess.CompletedProcess[str]:
    """Hunt one mutant with one test; what the cases reach is given, since finding it out takes a minute."""
    paths = sorted({each.path for each in all_mutants()})
    reach = {
        f"tck/suite/ch03_message_model/{test} queue classic": {
            "ms": 1.0,
            "places": [[str(mutant.path), mutant.first_lines[-1]]],
        }
    }
    (notes / f"reach-{digest_of([*paths, *suite_files()])}.json").write_text(json.dumps(reach), encoding="utf-8")
    command = [sys.executable, "-m", "benchmarks", "mutants", "--only", mutant.id, "--notes", str(notes)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120, check=False)


@pytest.mark.slow
def test_the_suite_notices_a_mutant(tmp_path: Path) -> None:
    mutant = next(each for each in all_mutants() if "text_message:ReferenceTextMessage._has_body: return" in each.id)
    noticed = hunt(tmp_path, mutant, "test_3_11_get_body.py::test_a_text_as_what_a_string_is")
    assert (noticed.returncode, "killed" in noticed.stderr) == (0, True)
    assert "mutants 1 of 200, killed 1 (100.0%), survived 0" in noticed.stdout
    missed = hunt(tmp_path, mutant, "test_3_4_8_type.py::test_it_carries_the_clients_type")
    assert (missed.returncode, "SURVIVED" in missed.stdout) == (1, True)
