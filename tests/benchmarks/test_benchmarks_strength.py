"""`python -m benchmarks strength`: faults against programs, and a corpus made anew."""

import json
from dataclasses import replace

import pytest

from benchmarks.strength.command import main
from benchmarks.strength.faults import Kill, Met, Task, meet
from benchmarks.strength.making import batches, numbered
from benchmarks.strength.strangers import lines, strangers
from tck.explore.collection import Candidate, store
from tck.programs.corpus import VERSIONS, Corpus, corpus_in
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


def test_a_corpus_is_trimmed_and_numbered_anew(tmp_path, capsys):
    store(tmp_path, _some())
    left = tmp_path / "left.txt"
    left.write_text(f"# of a broker\n{Corpus(tmp_path).entries[2].seed} artemis 3.4-1\n")
    agreed = tmp_path / "agreed.txt"
    agreed.write_text(
        f"{Corpus(tmp_path).entries[3].seed} artemis openmq\n{Corpus(tmp_path).entries[1].seed} artemis\n"
    )
    before = Corpus(tmp_path).entries
    words = ["trim", "--programs", "5", "--leave-out", str(left), "--confirmed", str(agreed)]
    assert main(["--corpus", str(tmp_path), *words]) == 0
    after = Corpus(tmp_path).entries
    assert [each.seed for each in after.values()] == [before[number].seed for number in (3, 1)]
    assert list(after) == [1, 2]
    assert [each.brokers for each in after.values()] == [("artemis", "openmq"), ("artemis",)]
    assert [each.confirmed for each in after.values()] == [True, False]
    assert "programs  2" in capsys.readouterr().out


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
