"""Many threads on one provider, or on anything else that puts and takes: chunks of work, each with fresh threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from benchmarks.scenes import TIMEOUT, QueueScene, got
from reference_provider.provider import ReferenceProvider

Work = Callable[[], None]


def together(works: Sequence[Work]) -> None:
    """Run each work in a thread of its own and wait for all; raise the first error of any."""
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


class Crowd:
    """Producers and consumers of one queue, each with a session and a thread of its own."""

    def __init__(self, provider: ReferenceProvider, each: int, mode: int) -> None:
        self.producers = [QueueScene(provider) for _ in range(each)]
        self.consumers = [QueueScene(provider) for _ in range(each)]
        for scene in self.producers:
            scene.consumer.close()
            scene.producer.delivery_mode = mode

    def pass_on(self, each: int) -> None:
        """Let every producer send `each` messages and every consumer receive as many."""

        def send(scene: QueueScene) -> None:
            for _ in range(each):
                scene.producer.send(scene.message)

        def receive(scene: QueueScene) -> None:
            for _ in range(each):
                got(scene.consumer.receive(TIMEOUT))

        together(
            [
                *(lambda scene=scene: send(scene) for scene in self.producers),
                *(lambda scene=scene: receive(scene) for scene in self.consumers),
            ]
        )
