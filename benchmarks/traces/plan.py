"""The cast of a generated trace: producers, endpoints and their consumers, and how everything is numbered."""

from __future__ import annotations

import numpy as np

from benchmarks.traces.model import VARIANTS, Shape, Sub
from tck.check.columns import AUTO, CLIENT, TRANSACTED, Array, Kind


class Plan:
    """Who is who in a trace of a given shape."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.destinations = shape.queues + shape.topics + shape.temporary
        self.producers = [
            (dest, variant)
            for dest in range(self.destinations)
            for _ in range(shape.hot if dest == 0 else 1)
            for variant in VARIANTS[: shape.variants]
        ]
        self.subs = self._subs()
        self.generations = -(-shape.rounds // shape.restart_every)
        self.lanes = len(self.producers) + 2 * len(self.subs) + shape.queues + 1
        """Sessions of one generation: producers, two for each endpoint, a browser for each queue, a pseudo-session."""

    def _subs(self) -> list[Sub]:
        shape = self.shape
        modes = ((AUTO, True), (AUTO, False), (CLIENT, False), (TRANSACTED, False))
        subs = [Sub(dest, Kind.QUEUE, modes[dest % 4][0], 2, modes[dest % 4][1]) for dest in range(shape.queues)]
        for dest in range(shape.queues, shape.queues + shape.topics):
            subs += [
                Sub(dest, Kind.DURABLE, CLIENT),
                Sub(dest, Kind.DURABLE, TRANSACTED, 2, shared=True),
                Sub(dest, Kind.NONDURABLE, AUTO, nolocal=True),
                Sub(dest, Kind.NONDURABLE, AUTO, selector=0),
                *(Sub(dest, Kind.NONDURABLE, AUTO, listens=True) for _ in range(shape.subscriptions)),
            ]
        if shape.temporary:
            subs.append(Sub(self.destinations - 1, Kind.QUEUE, AUTO, temporary=True))
        return subs

    # -- numbering -----------------------------------------------------------------------------------------------

    def lane(self, generation: Array, number: Array | int) -> Array:
        """Number a session; each one has a connection of its own, save that of a no-local subscription."""
        return generation * self.lanes + number

    def end(self, sub: int, generation: Array) -> Array:
        """Number an endpoint: non-durable subscriptions and temporary queues are new in each generation."""
        lasting = self.subs[sub].kind != Kind.NONDURABLE and not self.subs[sub].temporary
        return np.where(lasting, sub, generation * len(self.subs) + sub)

    def generation(self, round_: Array) -> Array:
        """Tell the generation of a round."""
        return round_ // self.shape.restart_every

    def last_round(self, round_: Array) -> Array:
        """Tell whether the provider is restarted at the end of a round."""
        ends = (round_ + 1) % self.shape.restart_every == 0
        fallen: Array = ends & (round_ + 1 < self.shape.rounds)
        return fallen

    def hands_back(self, round_: Array) -> Array:
        """Tell whether consumers roll back or recover in a round; not right after a restart, when old messages come."""
        back: Array = (round_ % 3 == 1) & (round_ % self.shape.restart_every != 0)
        return back

    def dest(self, dest: Array, generation: Array) -> Array:
        """Number a destination: the temporary queue is a new one in each generation."""
        return np.where(self.shape.temporary & (dest == self.destinations - 1), dest + generation, dest)

    def local(self, sub: Sub) -> int:
        """Number the producer that shares the connection of a no-local subscription."""
        return next(place for place, (dest, _) in enumerate(self.producers) if dest == sub.dest)

    def place(self, number: int, sub: Sub, generation: Array, consumer: Array) -> tuple[Array, Array, Array]:
        """Give session, connection and consumer of a turn at an endpoint."""
        lane = self.lane(generation, len(self.producers) + 2 * number + consumer)
        conn = self.lane(generation, self.local(sub)) if sub.nolocal else lane
        return lane, conn, generation * 2 * len(self.subs) + 2 * number + consumer
