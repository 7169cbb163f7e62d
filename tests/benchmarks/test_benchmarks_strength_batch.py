"""`python -m benchmarks strength batch`: composed faults are drawn, met, sorted, counted and kept."""

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

import tck
from benchmarks.strength.batch import FORGIVEN, HARMLESS, KILLED, NEVER, SILENT, UNOWNED, judged, lines, run
from benchmarks.strength.command import main
from benchmarks.strength.drawing import Drawn, draw, kind_of
from benchmarks.strength.kept import keep, kept, table
from benchmarks.strength.mutating import Mutating, draw_mutants
from benchmarks.strength.recording import Reach, key_of, targets_of
from faults import all_nearly_right, all_nearly_right_bridges, find
from faults.composing.circumstances import FACTS
from faults.finding import found_alone
from tck.detection.judge import Sight, Story

PAGE = (Path(__file__).parents[2] / "docs" / "strength.md").read_text(encoding="utf-8")
MOST = {"round 8": 9, "round 9": 22, "round 10": 21, "round 11": 1, "round 14": 26, "round 13": 13}
"""How many faults of each round are not noticed yet. Each number may only shrink; a new round of strangers brings its own."""
DRAWN = Drawn("3.4.10-3 under persistent", "3.4.10-3", ("persistent",), ("a", "b"))
BITS = {name: 1 << number for number, name in enumerate(FACTS)}


def sight(case, verdict="conformant", outcome="held", infected=1, row="3.4.10-3"):
    return Sight(case, {row: verdict}, outcome, "", infected)


SOUND = Reach({each: sight(each) for each in ("a", "b")})


@pytest.mark.parametrize(
    ("sights", "failure", "fate"),
    [
        ([sight("a"), sight("b", "violation", "broken")], None, KILLED),
        ([sight("a"), sight("b", "violation", "broken", row="corpus-1")], None, UNOWNED),
        ([sight("a", infected=0), sight("b", infected=0)], None, HARMLESS),
        ([sight("a"), sight("b", infected=0)], None, SILENT),
        ([sight("a"), sight("b", "inconclusive", "undecided")], None, FORGIVEN),
        ([sight("a", infected=0), sight("b", "inconclusive", "undecided", infected=0)], None, HARMLESS),
        ([sight("a")], "killed at its deadline", KILLED),
    ],
)
def test_what_the_cases_saw_decides_the_fate(sights, failure, fate):
    row = judged(1, DRAWN, Story(tuple(sights), failure), SOUND)
    assert (row["fate"], row["reached"], row["chapter"]) == (fate, 2, "3")


def test_the_owner_is_named_by_a_row_that_the_fault_is_known_to_break():
    named = judged(1, DRAWN, Story((sight("a", "violation", "broken"),), None), SOUND)
    other = judged(1, DRAWN, Story((sight("a", "violation", "broken", row="6.1-1"),), None), SOUND)
    generic = Drawn("ROUTED/stale under persistent", "ROUTED/stale", ("persistent",), ("a",))
    assert [named["owner"], other["owner"]] == [1, 0]
    assert judged(1, generic, Story((sight("a", "violation"),), None), SOUND)["owner"] is None


def reach(facts=("persistent", "queue", "text", "simplified")):
    """A recorded pass in which each fact alone holds in one call of each function of some faults."""
    found = Reach()
    for name in ("3.4.10-3", "ROUTED/stale", "MESSAGE_MADE/type-default", "SEND_PREPARED/type-default"):
        for target in targets_of(find(name)):
            found.facts[key_of(*target)] = {f"case {fact}": {BITS[fact]} for fact in facts}
    return found


def test_a_seed_draws_the_same_faults_again_and_none_twice():
    some = [list(islice(draw(reach(), seed), 40)) for seed in (1, 1, 2)]
    assert some[0] == some[1] != some[2]
    assert len({each.name for each in some[0]}) == 40
    assert all(find(each.name).name == each.name for each in some[0])
    alone = [each for each in some[0] if len(each.facts) == 1]
    assert alone
    assert all(each.cases == (f"case {each.facts[0]}",) for each in alone)
    assert [each.cases for each in some[0] if len(each.facts) > 1 and each.cases] == []


def test_faults_are_drawn_on_a_ground_in_its_own_functions_too():
    found = reach(FACTS)
    for target in targets_of(found_alone("converting.decode_whole/null", "lawful/converting")):
        found.facts[key_of(*target)] = {f"case {fact}": {BITS[fact]} for fact in FACTS}
    drawn = list(islice(draw(found, 1, "lawful/converting"), 40))
    assert all(find(each.name).name == each.name for each in drawn)
    assert {each.name.partition(": ")[0] for each in drawn} == {"on lawful/converting"}
    assert any(each.alone.startswith("converting.decode_whole/") for each in drawn)


def test_facts_are_mined_where_they_hold_sometimes():
    found = Reach(facts={"f": {"a": {BITS["persistent"] | BITS["queue"], BITS["queue"]}, "b": {BITS["queue"], 0}}})
    assert found.mined("f") == ["persistent"]
    assert found.cases("f", ["persistent", "queue"]) == ["a"]
    assert found.mined("g") == []


def test_each_circumstance_has_a_kind():
    kinds = {kind_of(name) for name in FACTS}
    assert kinds == {"state", "history", "equality", "nth event", "size", "value or name"}


def test_the_figures_are_shares_by_circumstance_kind_and_chapter():
    rows = [
        judged(1, DRAWN, Story((sight("a", verdict, "x"),), None), SOUND) for verdict in ("violation", "conformant")
    ]
    rows.append({**rows[0], "fate": NEVER})
    shown = [" ".join(line.split()) for line in lines(rows)]
    assert shown[0].startswith("drawn 3: 1 never reached, 0 changed nothing")
    assert shown[1] == "first sight 1 of 2 (50%; 95%: 9% to 91%)"
    assert "chapter 3 1 of 2 50%" in shown
    assert list(lines([]))[1] == "first sight    0 of 0 (-; 95%: -)"


def test_the_figures_of_a_batch_are_kept(tmp_path):
    file = tmp_path / "batches.csv"
    file.write_text((Path(main.__code__.co_filename).parent / "batches.csv").read_text().splitlines()[0] + "\n")
    keep([judged(7, DRAWN, Story((sight("a", "violation"),), None), SOUND)], 7, mutants=False, file=file)
    (line,) = kept(file)
    assert (line["faults"], line["seed"], line["drawn"], line["noticed"], line["owned"]) == (
        "composed",
        "7",
        "1",
        "1",
        "1",
    )
    assert (
        "| composed | 7 | 1 of 1 drawn | **1** (100%) | 21% to 100% | 1 of 1 | 0 | 0 | 0 |" in list(table([line]))[-1]
    )


@pytest.mark.slow
@pytest.mark.parametrize("mutants", [False, True])
def test_a_small_batch_is_met_and_goes_on_where_it_was_cut(tmp_path, capfd, mutants):
    cases = Path(tck.__file__).parent / "suite" / "ch05_administered_objects"
    assert run(3, 2, 0, tmp_path, mutants=mutants, cases=cases) == 5
    assert run(3, 2, 600, tmp_path, mutants=mutants, cases=cases) == 0
    first = capfd.readouterr().out.splitlines()
    assert run(3, 2, 600, tmp_path, mutants=mutants, cases=cases) == 0
    assert capfd.readouterr().out.splitlines()[-4:] == first[-4:]


def test_a_mutant_is_put_into_functions_that_are_loaded():
    drawn = next(draw_mutants(Reach(sound={"a": sight("a")}), 1))
    assert drawn.cases == ("a",)
    assert drawn.mutant is not None
    assert not drawn.broad
    assert Mutating(drawn.mutant).taken() in {0, 1}


@pytest.mark.parametrize("name", ["faults", "batches"])
def test_a_table_of_the_page_on_strength_is_what_its_command_prints(name, capsys):
    assert main([name]) == 0
    part = PAGE.partition(f"<!-- {name}: begin -->\n")[2].partition(f"<!-- {name}: end -->")[0]
    assert part == capsys.readouterr().out, f"python -m benchmarks strength {name}"


def test_what_is_not_noticed_only_shrinks():
    unnoticed = {**all_nearly_right(noticed=False), **all_nearly_right_bridges(noticed=False)}
    rounds = Counter(each.origin for each in unnoticed.values())
    assert {key: count for key, count in rounds.items() if count > MOST.get(key, 0)} == {}
