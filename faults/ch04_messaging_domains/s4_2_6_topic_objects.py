"""Faults in 4.2.6: topic objects."""

from __future__ import annotations

import itertools

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.client.session_factories import SessionFactories
from reference_provider.destinations import ReferenceTopic
from reference_provider.provider import ReferenceProvider
from tck.api import Topic

_LOOKS = itertools.count(1)


class _Renamed(ReferenceTopic):
    """A topic that returns another name each time."""

    __slots__ = ()

    @property
    def topic_name(self) -> str:
        return f"{self.name}.{next(_LOOKS)}"


@saboteur(
    "4.2.6-1",
    "an administered topic returns another name each time",
    collateral={"4.2.6-2": "it makes a second object of the name"},
)
def _(patch: Patch) -> None:
    patch.replace(ReferenceProvider, "create_topic", lambda self, name: self._create(_Renamed(name)))


class _PrivateTopic(ReferenceTopic):
    """A topic that equals only itself."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


@saboteur("4.2.6-2", "createTopic returns topics that do not equal each other")
def _(patch: Patch) -> None:
    def create_topic(self: SessionFactories, topic_name: str | None) -> Topic:
        self.check_open()
        return _PrivateTopic(str(topic_name))

    patch.replace(SessionFactories, "create_topic", create_topic)
