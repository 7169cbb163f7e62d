"""Faults in 4.1.4: queue objects."""

import itertools

from faults.kit import *


class _NamelessAfterAWhile(ReferenceQueue):
    """A queue that returns another name each time."""

    __slots__ = ()

    @property
    def queue_name(self):
        return f"{self.name}.{next(_LOOKS)}"


_LOOKS = itertools.count(1)
saboteur(
    "4.1.4-1",
    "an administered queue returns another name each time",
    lambda patch: patch.replace(
        ReferenceProvider, "create_queue", lambda self, name: self._create(_NamelessAfterAWhile(name))
    ),
    collateral={"4.1.4-2": "it makes a second object of the name"},
)


class _PrivateQueue(ReferenceQueue):
    """A queue that equals only itself."""

    __slots__ = ()

    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return id(self)


@saboteur("4.1.4-2", "createQueue returns queues that do not equal each other")
def _(patch):
    def create_queue(self, queue_name):
        self.check_open()
        return _PrivateQueue(str(queue_name))

    patch.replace(SessionFactories, "create_queue", create_queue)
