"""Many threads on one provider or another queue: chunks of work, each in fresh threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from benchmarks.bars.provider.clients import TIMEOUT, QueueClient, require_message
from reference_provider.provider import ReferenceProvider

Work = Callable[[], None]


def run_together(works: Sequence[Work]) -> None:
    """Run each function in a thread of its own and wait for all; raise the first error."""
    errors: list[BaseException] = []

    def run(work: Work) -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - raised below
            errors.append(error)

    threads = [threading.Thread(target=run, args=(work,), daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


class ConcurrentClients:
    """Producers and consumers of one queue, each with a session and a thread of its own."""

    def __init__(self, provider: ReferenceProvider, each: int, mode: int) -> None:
        self.producers = [QueueClient(provider) for _ in range(each)]
        self.consumers = [QueueClient(provider) for _ in range(each)]
        for client in self.producers:
            client.consumer.close()
            client.producer.delivery_mode = mode

    def transfer(self, each: int) -> None:
        """Let every producer send `each` messages and every consumer receive as many."""

        def send(client: QueueClient) -> None:
            for _ in range(each):
                client.producer.send(client.message)

        def receive(client: QueueClient) -> None:
            for _ in range(each):
                require_message(client.consumer.receive(TIMEOUT))

        run_together(
            [
                *(lambda client=client: send(client) for client in self.producers),
                *(lambda client=client: receive(client) for client in self.consumers),
            ]
        )
