"""`python -m benchmarks strength`: faults against programs, and a corpus made anew."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from benchmarks.strength.choosing import chosen
from benchmarks.strength.command import main
from benchmarks.strength.confirming import agreed, note
from benchmarks.strength.cover import Cover
from benchmarks.strength.faults import Kill, Met, Task, meet
from benchmarks.strength.gaps import crossed
from benchmarks.strength.gaps import lines as gap_lines
from benchmarks.strength.making import batches, numbered
from benchmarks.strength.recording import BITS, Reach, key_of
from benchmarks.strength.strangers import lines, strangers
from reference_provider.fault_points import FAULT_POINTS
from tck.explore.collection import Candidate, store
from tck.explore.making.crossing import crossings
from tck.profile import load_profile
from tck.programs.corpus import COMPLETE, VERSIONS, Corpus, corpus_in
from tck.suite.support.corpus import FOLDER


def test_a_sound_provider_is_met_by_no_program_and_a_broken_one_is():
    numbers = tuple(corpus_in(FOLDER).entries)
    found = {
        each.fault: each for each in meet([Task("3.4.10-3", ("3.4-1",), numbers), Task("no such fault", (), numbers)])
    }
    assert found["3.4.10-3"].names(["3.4-1"])
    assert found["3.4.10-3"].kills[-1].first == ("3.4-1",)
    assert not found["no such fault"].opened


@pytest.mark.parametrize(("fault", "row"), [("3.8.1.1-18", "3.8.1.1-18"), ("6.2.12-1", "6.2.12-1")])
def test_a_saboteur_is_noticed_by_its_row(fault, row):
    (met,) = meet([Task(fault, (row,), tuple(corpus_in(FOLDER).entries))], processes=1)
    assert met.opened
    assert met.names([row])


def test_the_figures_count_faults_and_owners():
    met = [Met("a", [Kill(1, "x", ("3.4-1",), ("3.4-1",))]), Met("b", [Kill(2, "y", (), ())]), Met("c"), Met("d")]
    shown = list(lines(met, {"a": ("3.4-1",), "b": ("3.4-1",), "c": (), "d": ()}, 40))
    assert shown == ["programs        40", "faults          4", "noticed         2 (50%)", "by the owner    1 (25%)"]


def test_the_strangers_are_those_of_red_rounds():
    found = strangers()
    assert len(found) > 300
    assert len(strangers(10)) == len(found[::10])


def test_the_batches_of_a_corpus_make_it_up():
    made = batches(1, 100, 3)
    assert sum(each.count for each in made) == 100
    assert len({each.seed for each in made}) == len(made)
    assert {each.version for each in made} == {VERSIONS[0], VERSIONS[-1]}
    assert {each.virtual for each in made} == {True, False}


@pytest.mark.slow
def test_a_corpus_is_made_written_and_the_same_again(tmp_path, capsys):
    for name in ("one", "two"):
        assert main(["--corpus", str(tmp_path / name), "corpus", "--programs", "12", "--seed", "9"]) == 0
    one, two = (Corpus(tmp_path / name) for name in ("one", "two"))
    assert list(one.entries) == list(range(1, 13))
    assert one.entries == two.entries
    assert one.programs == two.programs
    left = tmp_path / "left.txt"
    left.write_text(one.entries[1].seed)
    main(["--corpus", str(tmp_path / "three"), "corpus", "--programs", "12", "--seed", "9", "--leave-out", str(left)])
    assert one.entries[1].seed not in {each.seed for each in Corpus(tmp_path / "three").entries.values()}
    assert "programs  12" in capsys.readouterr().out


def test_a_cover_takes_what_adds_most_by_its_cost_and_ends_where_nothing_is_wanted():
    meets = {1: frozenset("abc"), 2: frozenset("ab"), 3: frozenset("d"), 4: frozenset("a")}
    cover = Cover(meets, lambda _: (4, 1), lambda number: 10 if number == 1 else 1)
    assert [(number, sorted(new)) for number, new in cover.choose([1, 2, 3, 4], 9)] == [
        (2, ["a", "b"]),
        (3, ["d"]),
        (4, []),
        (1, ["c"]),
    ]
    assert list(cover.choose([2, 3], 9, least=2)) == []


def test_of_the_programs_that_are_there_a_tenth_leaves_at_most():
    entry = _some()[0].entry
    entries = {number: replace(entry, number=number) for number in range(1, 31)}
    meets = {number: frozenset({("fault", f"{number}")} if number > 20 else set()) for number in entries}
    kept = dict(chosen(range(1, 21), entries, meets, 100))
    assert set(kept) == {*range(1, 19), *range(21, 31)}
    assert (kept[1], kept[30]) == ("", "fault:1")
    assert len(dict(chosen(range(1, 21), entries, meets, 20))) == 20


def test_a_tier_of_ability_is_covered_by_its_own_programs():
    entry = _some()[0].entry
    entries = {
        1: replace(entry, number=1, hooks=("kill",), virtual=False),
        2: replace(entry, number=2, hooks=(), virtual=False),
    }
    meets = {1: frozenset({("fault", "a"), ("fault", "b")}), 2: frozenset({("fault", "a"), ("row", "3.4-1")})}
    assert [number for number, _ in chosen([], entries, meets, 9)] == [2, 1]


@pytest.mark.slow
def test_a_corpus_is_chosen_from_a_pool_that_has_grown(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    store(tmp_path / "corpus", _some())
    before = Corpus(tmp_path / "corpus").entries
    words = ["--corpus", "corpus", "choose", "--seed", "9", "--pool", "8", "--crossings", "8", "--faults", "12"]
    assert main(words) == 0
    assert main(["grow", "--seed", "9"]) == 0
    lengths = {number: entry.steps for number, entry in Corpus(tmp_path / "corpus").entries.items()}
    assert main(["--corpus", "corpus", "reduce", "--seed", "9"]) == 0
    reduced = Corpus(tmp_path / "corpus").entries
    assert all(reduced[number].steps <= steps for number, steps in lengths.items())
    left = tmp_path / "left.txt"
    left.write_text("# of a broker\ncorpus/0003 artemis:3.4-1\n")
    assert main([*words, "--leave-out", "left.txt"]) == 0
    after = Corpus(tmp_path / "corpus").entries
    assert 3 not in after
    for number in (1, 2):
        assert replace(after[number], why="") == replace(before[number], why="")
    shown = capsys.readouterr().out
    assert "faults         12 drawn" in shown
    assert "programs into the pool" in shown


class _Bundle:
    def __init__(self, **verdicts):
        self.verdicts = verdicts

    def results(self):
        return [
            SimpleNamespace(case="3.4-1/queue/classic/auto", verdicts={"3.4-1": "violation"}),
            *(SimpleNamespace(case=f"corpus/{name[1:]}", verdicts=found) for name, found in self.verdicts.items()),
        ]


def test_a_broker_agrees_where_it_breaks_no_row_that_is_not_declared():
    ran = _Bundle(
        p0001={"corpus-1": "conformant"},
        p0002={"corpus-1": "conformant", "3.4-1": "violation"},
        p0003={"corpus-1": "conformant", "3.4-1": "declared"},
        p0004={"corpus-1": "unsupported"},
        p0005={"corpus-1": "undecided"},
        p0006={"corpus-1": "inconclusive"},
    )
    assert agreed(ran) == {1: (), 2: ("3.4-1",), 3: (), 5: ("corpus-1",)}


def test_where_nothing_ran_an_earlier_run_is_not_noted(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    store(tmp_path / "corpus", _some())
    (tmp_path / "tck-out/strength/confirm/nobody/runs/20260101-000000-abcdef").mkdir(parents=True)
    before = Corpus(tmp_path / "corpus").entries
    assert main(["--corpus", str(tmp_path / "corpus"), "confirm", "-p", "nobody", "--", "corpus", "-n", "2"]) == 4
    assert Corpus(tmp_path / "corpus").entries == before
    assert "nobody" in capfd.readouterr().err


def test_what_a_broker_showed_is_noted_in_the_index(tmp_path):
    store(tmp_path, [replace(each, entry=replace(each.entry, brokers=("artemis", "qpid"))) for each in _some()])
    note(Corpus(tmp_path), "openmq", {1: (), 3: ("3.4-1",)})
    note(Corpus(tmp_path), "artemis", {2: ("corpus-1",), 3: ()})
    assert {number: each.brokers for number, each in Corpus(tmp_path).entries.items()} == {
        1: ("artemis", "openmq", "qpid"), 2: ("qpid",), 3: ("artemis", "qpid"),
    }  # fmt: skip
    entries = Corpus(tmp_path).entries
    assert {number: each.unsettled for number, each in entries.items()} == {1: (), 2: ("artemis",), 3: ("openmq",)}
    note(Corpus(tmp_path), "artemis", {2: ()})
    entries = Corpus(tmp_path).entries
    assert (entries[2].brokers, entries[2].unsettled) == (("artemis", "qpid"), ())
    assert {number: each.confirmed for number, each in entries.items()} == {1: True, 2: False, 3: False}
    note(Corpus(tmp_path), "qpid", {1: ("3.4-1",)})
    assert not Corpus(tmp_path).entries[1].confirmed


def test_a_program_is_confirmed_by_the_complete_brokers_that_have_its_features():
    for broker, lacks in COMPLETE.items():
        claimed = load_profile(broker).claims.features
        others = frozenset().union(*(load_profile(each).claims.features for each in COMPLETE))
        assert lacks == others - claimed - {"anonymous-connection", "authentication", "administered-client-id"}
    entry = next(each.entry for each in _some())
    assert replace(entry, features=("asf",), brokers=("openmq",)).confirmed
    assert not replace(entry, features=("xa",), brokers=("openmq",)).confirmed


@pytest.mark.slow
def test_the_command_measures_strangers(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["strangers", "--skip", "150", "--programs", "5"]) == 0
    assert "noticed" in capsys.readouterr().out
    assert len(json.loads((tmp_path / "tck-out/strength/strangers.json").read_text())) == len(strangers(150))


def test_numbers_go_from_one_through_all_batches():
    made = _some()
    assert [each.entry.number for each in numbered(made)] == list(range(1, len(made) + 1))


def _some():
    corpus = corpus_in(FOLDER)
    return [
        Candidate(
            replace(corpus.entries[n], versions=(VERSIONS[0],)), {VERSIONS[0]: corpus.expectation(n, VERSIONS[0])}
        )
        for n in (3, 1, 2)
    ]


def test_gaps_are_what_sends_meet_and_another_way_does_not():
    def key(point):
        found = FAULT_POINTS[point]
        return key_of(found.owner, found.attribute)

    text, mode, session = (BITS[name] for name in ("text", "persistent", "transacted"))
    reach = Reach(facts={key("SEND_PREPARED"): {"a": {text | mode}}, key("HANDED_OVER"): {"a": {text | session}}})
    shown = list(gap_lines(reach, 5))
    assert shown[1].split() == ["sent", "2", "of", "2", "1", "of", "1"]
    assert next(each.split() for each in shown if each.startswith("received")) == [
        "received",
        "1",
        "of",
        "2",
        "0",
        "of",
        "1",
    ]
    assert "received: never with persistent" in shown


def test_gaps_say_which_pairs_of_circumstances_no_program_of_the_corpus_meets():
    made = [SimpleNamespace(about={"crossing": each.circumstances}) for each in crossings()]
    pairs, triples = crossed(made, 2)
    assert pairs.endswith("never -")
    assert triples.endswith("never -")
    pairs, _ = crossed([SimpleNamespace(about={}), *made[:1]], 2)
    assert pairs.startswith("crossings: 55 of ")
    assert pairs.count(";") == 2
