"""Faults in 6.2.3: creating destination objects by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from faults.kit.common import around, around_each
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.client.sessions import ReferenceSession
from tck.api import Queue, Topic


@saboteur("6.2.3-1", "a session that creates a topic of one name twice gets another topic the second time")
def _(patch: Patch) -> None:
    created: Counter[tuple[ReferenceSession, str]] = Counter()

    def create_topic(original: Callable[..., Topic], session: ReferenceSession, name: str) -> Topic:
        created[session, name] += 1
        return original(session, f"{name}-again" if created[session, name] > 1 else name)

    around(patch, ReferenceSession, "create_topic", create_topic)


@saboteur("6.2.3-2", "createQueue and createTopic create the destination at once")
def _(patch: Patch) -> None:
    def create(original: Callable[..., Queue | Topic], session: ReferenceSession, name: str) -> Queue | Topic:
        made = original(session, name)
        with session.broker.lock:
            session.broker.physical_destination(made)
        return made

    around_each(patch, ReferenceSession, ("create_queue", "create_topic"), create)
