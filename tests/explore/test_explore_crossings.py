"""Crossings: the array meets what it says, contents meet each circumstance that they are carried through, and programs are legal."""

from collections import defaultdict

import pytest

from tck.covering import Array
from tck.explore.collection import expectations, references, shows_messages
from tck.explore.making.crossing import ARRAY, CARRIED, EXCLUSIONS, TRIPLES, contents, crossings
from tck.programs.corpus import VERSIONS


def test_an_array_meets_all_allowed_pairs_and_the_triples_that_are_named():
    axes = {"a": ("0", "1", "2"), "b": ("0", "1"), "c": ("0", "1"), "d": ("0", "1")}
    array = Array(axes, [{"a": frozenset("0"), "b": frozenset("1")}], [("d", "a", "c")])
    made = array.generate()
    assert array.met(made) == set(array.allowed)
    assert {len(each) for each in array.allowed} == {2, 3}
    assert not any(each["a"] == "0" and each["b"] == "1" for each in made)
    assert array.completed({"b": "1", "a": "0"}) is None
    assert array.completed({"b": "1"})["a"] != "0"


def test_crossings_meet_all_that_is_allowed():
    made = [each.circumstances for each in crossings()]
    assert ARRAY.met(made) == set(ARRAY.allowed)
    assert len(TRIPLES) == len({frozenset(each) for each in TRIPLES})
    assert all(any(axis in each for each in EXCLUSIONS) for axis in ("api", "end", "way"))


def test_contents_meet_nine_tenths_of_the_circumstances_that_they_are_carried_through():
    met = defaultdict(set)
    for each in crossings():
        here = {(axis, each.circumstances[axis]) for axis in CARRIED}
        for message in each.messages:
            for value in (
                message.get("body"),
                *(one[1:] for one in message["properties"]),
                *message["headers"].values(),
            ):
                met[repr(value)] |= here
    texts = [met[repr(value)] for part, value in contents() if part in {"property", "type"}]
    wanted = set().union(*texts)
    assert sum(map(len, texts)) > 0.9 * len(texts) * len(wanted)


@pytest.mark.parametrize("number", range(0, 480, 60))
def test_a_crossing_is_a_legal_program_and_the_same_again(number):
    with references() as found:
        newest = found[VERSIONS[0]]
        made = newest.crossed(1, number)
        assert newest.crossed(1, number).program.steps == made.program.steps
        assert made.program.about["crossing"] == crossings()[number].circumstances
        assert VERSIONS[0] in expectations(found, made.program)
        assert shows_messages(made)
