"""Changes of the suite's values reach the objects of Java that they were converted to; here lists stand for Java's."""

from types import MappingProxyType

from tck.adapters.jvm.twins import KEPT, Twins


class Box:
    def __init__(self, word):
        self.word = word


class Stubborn(Box):
    def __getstate__(self):
        raise AssertionError("nobody may ask")


def fill(ours, java):
    java[:] = [ours.word] if isinstance(ours, Box) else list(ours)


def twins():
    return Twins(fill, lambda kind: kind in {Box, Stubborn})


def test_a_change_is_carried_over():
    pairs = twins()
    for ours, change in (
        ([1], lambda one: one.append(2)),
        ({1: 2}, lambda one: one.update({3: 4})),
        (bytearray(b"ab"), lambda one: one.__setitem__(0, 7)),
        (Box("before"), lambda one: setattr(one, "word", "after")),
    ):
        java = ["untouched"]
        assert pairs.add(ours, java) is java
        pairs.carry_over()
        assert java == ["untouched"]
        change(ours)
        pairs.carry_over()
        assert java == ([ours.word] if isinstance(ours, Box) else list(ours))


def test_equal_values_that_are_others_are_a_change():
    pairs, ours, java = twins(), [1], []
    pairs.add(ours, java)
    ours[0] = True
    pairs.carry_over()
    assert java == [True]


def test_a_value_has_one_object_of_java_as_long_as_it_is_remembered():
    pairs, ours, java = twins(), [1], []
    pairs.add(ours, java)
    assert pairs.java_of(ours) is java
    assert pairs.java_of([1]) is None
    others = [[number] for number in range(KEPT)]
    for other in others:
        pairs.add(other, [])
    assert pairs.java_of(ours) is None


def test_what_cannot_change_and_what_makes_its_own_state_is_left_alone():
    pairs = twins()
    for ours in ((1,), "text", frozenset((1,)), Stubborn("x"), object()):
        pairs.add(ours, [])
        assert pairs.java_of(ours) is None
    pairs.carry_over()


def test_what_java_protects_stays():
    pairs, ours = twins(), [1]
    pairs.add(ours, MappingProxyType({}))
    ours.append(2)
    pairs.carry_over()


def test_the_array_behind_bytes_is_overwritten():
    pairs, ours, java = twins(), b"before", bytearray(b"before")
    pairs.add_array(ours, java)
    assert pairs.overwrite(ours)
    assert java == bytes(6)
    assert not pairs.overwrite(b"other")
    assert not pairs.overwrite(b"")


def test_the_pair_of_a_value_that_nobody_holds_goes():
    pairs, java = twins(), ["untouched"]
    held = [1]
    pairs.add(held, [])
    pairs.add([2], java)
    pairs.carry_over()
    assert list(pairs._pairs) == [id(held)]
    held.append(3)
    pairs.carry_over()
    assert pairs.java_of(held) == [1, 3]
    assert java == ["untouched"]
