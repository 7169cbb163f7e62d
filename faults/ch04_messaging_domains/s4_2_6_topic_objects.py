"""Faults in 4.2.6: topic objects."""

import itertools

from faults.kit import *

_LOOKS = itertools.count(1)


class _Renamed(ReferenceTopic):
    """A topic that returns another name each time."""

    __slots__ = ()

    @property
    def topic_name(self):
        return f"{self.name}.{next(_LOOKS)}"


saboteur(
    "4.2.6-1",
    "an administered topic returns another name each time",
    lambda patch: patch.replace(ReferenceProvider, "create_topic", lambda self, name: self._create(_Renamed(name))),
    collateral={"4.2.6-2": "it makes a second object of the name"},
)


class _PrivateTopic(ReferenceTopic):
    """A topic that equals only itself."""

    __slots__ = ()

    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return id(self)


@saboteur("4.2.6-2", "createTopic returns topics that do not equal each other")
def _(patch):
    def create_topic(self, topic_name):
        self.check_open()
        return _PrivateTopic(str(topic_name))

    patch.replace(SessionFactories, "create_topic", create_topic)
