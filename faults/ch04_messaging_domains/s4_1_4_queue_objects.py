"""Faults in 4.1.4: queue objects."""

from __future__ import annotations

import itertools

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.client.session_factories import SessionFactories
from reference_provider.destinations import ReferenceQueue
from reference_provider.provider import ReferenceProvider
from tck.api import Queue


class _NamelessAfterAWhile(ReferenceQueue):
    """A queue that returns another name each time."""

    __slots__ = ()

    @property
    def queue_name(self) -> str:
        return f"{self.name}.{next(_LOOKS)}"


_LOOKS = itertools.count(1)


@saboteur(
    "4.1.4-1",
    "an administered queue returns another name each time",
    collateral={"4.1.4-2": "it makes a second object of the name"},
)
def _(patch: Patch) -> None:
    patch.replace(
        ReferenceProvider,
        "create_queue",
        lambda self, name: self._create(_NamelessAfterAWhile(name)),
    )


class _PrivateQueue(ReferenceQueue):
    """A queue that equals only itself."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


@saboteur("4.1.4-2", "createQueue returns queues that do not equal each other")
def _(patch: Patch) -> None:
    def create_queue(self: SessionFactories, queue_name: str | None) -> Queue:
        self.check_open()
        return _PrivateQueue(str(queue_name))

    patch.replace(SessionFactories, "create_queue", create_queue)
