"""The actors of a generated trace: producers, endpoints and their consumers, and their numbers."""

from __future__ import annotations

import numpy as np

from benchmarks.traces.model import VARIANTS, Endpoint, Shape
from tck.check.columns import AUTO, CLIENT, TRANSACTED, Array, Kind


class Plan:
    """The actors of a trace of a given shape."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.destinations = shape.queues + shape.topics + shape.temporary
        self.producers = [
            (dest, variant)
            for dest in range(self.destinations)
            for _ in range(shape.hot if dest == 0 else 1)
            for variant in VARIANTS[: shape.variants]
        ]
        self.endpoints = self._endpoints()
        self.generations = -(-shape.rounds // shape.restart_every)
        self.lanes = len(self.producers) + 2 * len(self.endpoints) + shape.queues + 1
        """Sessions of one generation: producers, two for each endpoint, a browser for each queue, a pseudo-session."""

    def _endpoints(self) -> list[Endpoint]:
        shape = self.shape
        modes = ((AUTO, True), (AUTO, False), (CLIENT, False), (TRANSACTED, False))
        endpoints = [
            Endpoint(dest, Kind.QUEUE, modes[dest % 4][0], 2, modes[dest % 4][1]) for dest in range(shape.queues)
        ]
        for dest in range(shape.queues, shape.queues + shape.topics):
            endpoints += [
                Endpoint(dest, Kind.DURABLE, CLIENT),
                Endpoint(dest, Kind.DURABLE, TRANSACTED, 2, shared=True),
                Endpoint(dest, Kind.NONDURABLE, AUTO, nolocal=True),
                Endpoint(dest, Kind.NONDURABLE, AUTO, selector=0),
                *(Endpoint(dest, Kind.NONDURABLE, AUTO, listens=True) for _ in range(shape.subscriptions)),
            ]
        if shape.temporary:
            endpoints.append(Endpoint(self.destinations - 1, Kind.QUEUE, AUTO, temporary=True))
        return endpoints

    # -- numbering -----------------------------------------------------------------------------------------------

    def lane(self, generation: Array, number: Array | int) -> Array:
        """Number a session; each has a connection of its own, except that of a no-local subscription."""
        return generation * self.lanes + number

    def end(self, endpoint: int, generation: Array) -> Array:
        """Number an endpoint: non-durable subscriptions and temporary queues are new in each generation."""
        lasting = self.endpoints[endpoint].kind != Kind.NONDURABLE and not self.endpoints[endpoint].temporary
        return np.where(lasting, endpoint, generation * len(self.endpoints) + endpoint)

    def generation(self, round_: Array) -> Array:
        """Return the generation of a round."""
        return round_ // self.shape.restart_every

    def last_round(self, round_: Array) -> Array:
        """Return whether the provider is restarted at the end of a round."""
        ends = (round_ + 1) % self.shape.restart_every == 0
        fallen: Array = ends & (round_ + 1 < self.shape.rounds)
        return fallen

    def returns_messages(self, round_: Array) -> Array:
        """Return whether consumers roll back or recover in a round; never right after a restart, when old messages arrive."""
        back: Array = (round_ % 3 == 1) & (round_ % self.shape.restart_every != 0)
        return back

    def dest(self, dest: Array, generation: Array) -> Array:
        """Number a destination: the temporary queue is a new one in each generation."""
        return np.where(self.shape.temporary & (dest == self.destinations - 1), dest + generation, dest)

    def local(self, endpoint: Endpoint) -> int:
        """Number the producer that shares the connection of a no-local subscription."""
        return next(place for place, (dest, _) in enumerate(self.producers) if dest == endpoint.dest)

    def place(self, number: int, endpoint: Endpoint, generation: Array, consumer: Array) -> tuple[Array, Array, Array]:
        """Return session, connection and consumer of a turn at an endpoint."""
        lane = self.lane(generation, len(self.producers) + 2 * number + consumer)
        conn = self.lane(generation, self.local(endpoint)) if endpoint.nolocal else lane
        return lane, conn, generation * 2 * len(self.endpoints) + 2 * number + consumer
