"""Saboteurs bind to fault points and to methods of the messaging API, so that the provider can be changed without them.

What binds to anything else is listed in `saboteurs_without_fault_point.txt`; a new saboteur should not need a line there. The
faults of red rounds are not asked: strangers wrote them, and bind to whatever they saw.
"""

import inspect
from collections import defaultdict
from pathlib import Path

import pytest

from faults import Patch, all_nearly_right, all_saboteurs, find, trace_faults
from reference_provider.fault_points import FAULT_POINTS

LIST = Path(__file__).parent / "saboteurs_without_fault_point.txt"
POINTS = {(id(point.owner), point.attribute): name for name, point in FAULT_POINTS.items()}

OWN = [name for name, found in all_nearly_right().items() if found.origin in {"authors", "reported"}]
NAMES = [*all_saboteurs(), *OWN, *trace_faults()]


class Seams(Patch):
    """A patch that notes what is replaced other than by name of a fault point."""

    def __init__(self):
        super().__init__()
        self.replaced = []

    def replace(self, owner, name, new):
        """Note and replace."""
        self.replaced.append((owner, name))
        super().replace(owner, name, new)

    def at(self, point, fault):
        """Bind to a fault point, without a note."""
        noted = list(self.replaced)
        super().at(point, fault)
        self.replaced = noted


def is_private(name):
    """Whether a name is private; `__exit__` and the like are Python's."""
    return name.startswith("_") and not name.endswith("__")


def is_of_the_api(owner, name):
    """Whether the messaging API declares a method that a class implements."""
    declaring = owner.__mro__ if inspect.isclass(owner) else ()
    return any(each.__module__.startswith("tck.api") and name in vars(each) for each in declaring)


def seams(name):
    """What a saboteur replaces by `Patch.replace`."""
    patch = Seams()
    find(name).install(patch)
    patch.undo()
    return patch.replaced


def called(owner, name):
    return f"{owner.__name__.rpartition('.')[2]}.{name}"


@pytest.fixture(scope="module")
def bypasses():
    """The seams that are neither fault points nor methods of the API, with the saboteurs that use them."""
    found = defaultdict(set)
    for saboteur in NAMES:
        for owner, name in seams(saboteur):
            if not is_of_the_api(owner, name):
                found[called(owner, name)].add(saboteur)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_saboteur_replaces_no_private_name_and_no_fault_point(name):
    replaced = seams(name)
    assert [seam for seam in (called(*each) for each in replaced if is_private(each[1])) if seam not in listed()] == []
    assert [POINTS[id(owner), attribute] for owner, attribute in replaced if (id(owner), attribute) in POINTS] == []


def listed():
    """The seams of the list with the saboteurs that may use them."""
    lines = [line.split() for line in LIST.read_text().splitlines() if line and not line.startswith("#")]
    return {seam: set(saboteurs) for seam, *saboteurs in lines}


@pytest.mark.slow
def test_saboteurs_that_bypass_fault_points_are_listed_and_only_shrink(bypasses):
    added = {seam: names - listed().get(seam, set()) for seam, names in bypasses.items()}
    assert {seam: names for seam, names in added.items() if names} == {}, "bind to a fault point, or add one"
    gone = {seam: names - bypasses.get(seam, set()) for seam, names in listed().items()}
    assert {seam: names for seam, names in gone.items() if names} == {}, f"take them off {LIST.name}"
