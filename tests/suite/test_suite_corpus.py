"""The corpus: its files agree with each other, its programs are legal, and it notices faults."""

from dataclasses import replace
from random import Random
from types import SimpleNamespace

import pytest

from tck.blame.cells import owned_cells
from tck.catalogue import load_catalogue
from tck.explore.collection import legal, review, shows_messages
from tck.programs.corpus import VERSIONS, Corpus, CorpusError, Entry
from tck.programs.operations import OPERATIONS
from tck.programs.state.objects import Capabilities
from tck.suite.support.corpus import FOLDER, identify

CORPUS = Corpus(FOLDER)
ALL = Capabilities(
    ("classic", "simplified", "queue", "topic"),
    ("native-correlation-id", "admin-override", "asf", "xa"),
    ("restart", "kill", "sever", "fault", "administer"),
    True,
)
SAMPLE = sorted(Random(7).sample(sorted(CORPUS.entries), 25))  # noqa: S311 - any sample will do


def test_each_line_of_the_index_has_a_program_and_its_expectations():
    assert list(CORPUS.entries) == sorted(CORPUS.entries) == sorted(CORPUS.programs)
    for version in VERSIONS:
        have = [number for number, entry in CORPUS.entries.items() if version in entry.versions]
        assert have
        for number in have[:: max(1, len(have) // 10)]:
            assert len(CORPUS.expectation(number, version).seen) == len(CORPUS.program(number))


def test_the_newest_version_has_every_program():
    assert all(entry.versions[0] == VERSIONS[0] for entry in CORPUS.entries.values())


def test_the_rows_of_the_index_are_rows_of_the_catalogue():
    known = load_catalogue()
    assert {row for entry in CORPUS.entries.values() for row in entry.rows} - set(known) == set()


@pytest.mark.parametrize("number", SAMPLE)
def test_a_program_is_legal_for_what_its_line_names_and_for_nothing_less(number):
    entry, expectation = CORPUS.entries[number], CORPUS.expectation(number, VERSIONS[0])
    able = replace(ALL, apis=entry.apis, hooks=entry.hooks, virtual=entry.virtual)
    assert legal(expectation, able)
    assert shows_messages(expectation)
    for api in entry.apis:
        assert not legal(expectation, replace(able, apis=tuple(each for each in entry.apis if each != api)))
    for hook in entry.hooks:
        assert not legal(expectation, replace(able, hooks=tuple(each for each in entry.hooks if each != hook)))


@pytest.mark.parametrize("number", SAMPLE[:3])
def test_the_cells_and_rows_of_a_line_are_those_of_the_comparison(number):
    assert found_anew(number) == stored(number)


def test_the_reference_provider_of_today_shows_the_stored_outcomes():
    assert list(review(CORPUS, SAMPLE)) == []


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_every_line_and_every_outcome_is_of_today(part):
    """`tck corpus review --accept` renews both."""
    numbers = sorted(CORPUS.entries)[part::8]
    assert list(review(CORPUS, numbers)) == []
    assert [(number, found) for number in numbers if (found := found_anew(number)) != stored(number)] == []


def found_anew(number):
    owned = list(owned_cells(CORPUS.expectation(number, VERSIONS[0])))
    return len(owned), {row for cell in owned for row in cell.rows}


def stored(number):
    return CORPUS.entries[number].cells, set(CORPUS.entries[number].rows)


def test_every_operation_is_in_some_program():
    used = {step.do for program in CORPUS.programs.values() for step in program.steps}
    assert set(OPERATIONS) - used == set()


@pytest.mark.parametrize(("operation", "feature"), [("pool", "asf"), ("branch", "xa"), ("override", "admin-override")])
def test_a_program_that_uses_an_optional_feature_names_it_and_not_more_than_it_needs(operation, feature):
    users = [n for n, each in CORPUS.programs.items() if any(step.do == operation for step in each.steps)]
    assert users
    assert all(feature in CORPUS.entries[number].features for number in users)
    entry = CORPUS.entries[users[0]]
    able = replace(ALL, apis=entry.apis, hooks=entry.hooks, virtual=entry.virtual)
    assert legal(CORPUS.expectation(entry.number, VERSIONS[0]), able)
    assert any(len(CORPUS.entries[number].apis) < len(ALL.apis) for number in users)


def test_what_is_written_is_read(tmp_path):
    entries = [CORPUS.entries[number] for number in SAMPLE[:4]]
    programs = {entry.number: CORPUS.program(entry.number) for entry in entries}
    expected = {
        version: {each.number: CORPUS.expectation(each.number, version) for each in entries if version in each.versions}
        for version in VERSIONS
    }
    written = Corpus(tmp_path)
    written.write(entries, programs, expected)
    assert written.entries == {entry.number: entry for entry in entries}
    for entry in entries:
        assert Entry.of_line(entry.line()) == entry
        for version in entry.versions:
            again = written.expectation(entry.number, version)
            assert again.seen == CORPUS.expectation(entry.number, version).seen
            assert again.program.steps == CORPUS.program(entry.number).steps


@pytest.mark.parametrize("damage", ["index.csv", "programs/00.jsonl", "expected/3.1.jsonl.zst"])
def test_a_damaged_corpus_is_refused_by_its_file(tmp_path, damage):
    entry = CORPUS.entries[1]
    written = Corpus(tmp_path)
    written.write([entry], {1: CORPUS.program(1)}, {VERSIONS[0]: {1: CORPUS.expectation(1, VERSIONS[0])}})
    (tmp_path / damage).write_bytes(b"id\n{nonsense")
    broken = Corpus(tmp_path)
    with pytest.raises(CorpusError, match=damage.split("/")[-1].replace(".", "\\.")):
        _ = broken.entries, broken.programs, broken.expectation(1, VERSIONS[0])
    with pytest.raises(CorpusError):
        written.program(4711)


def test_programs_are_one_trace_identifiers_are_unique_and_no_message_of_another_program_comes():
    def broken(provider, program, *identifiers, received=()):
        case = SimpleNamespace(
            provider=provider,
            evidence=SimpleNamespace(behind=lambda found: found),
            point=SimpleNamespace(variant=program),
            marks=SimpleNamespace(elsewhere=[]),
        )
        identify(case, [SimpleNamespace(number=0, seen=True, id=each) for each in identifiers], received)
        return [(each.row, each.text.partition(": ")[2]) for each in case.marks.elsewhere]

    one, other = (type("Unhashable", (), {"__slots__": (), "__hash__": None})() for _ in range(2))
    assert broken(one, "0001", "ID:1", "ID:2", None) == []
    assert broken(one, "0002", "ID:3", "ID:2", None) == [("3.4.3-4", "ID:2")]
    assert broken(other, "0002", "ID:1") == []
    assert broken(one, "0003", "ID:4", received=["ID:4", "ID:9"]) == []
    assert broken(one, "0003", "ID:5", received=["ID:5", "ID:1"]) == [("8.1-1", "ID:1")]
