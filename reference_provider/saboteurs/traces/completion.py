"""Faults of asynchronous sends; see `tck.check.properties.completion`."""

from __future__ import annotations

from reference_provider.client.completions import Completion, Completions
from reference_provider.saboteurs.registry import Patch
from reference_provider.saboteurs.traces.registry import breaks, now_and_then


@breaks("completion-once")
def _answered_twice(patch: Patch) -> None:
    original, strikes = Completions.add, now_and_then()

    def add(self: Completions, completion: Completion) -> None:
        original(self, completion)
        if strikes():
            original(self, completion)

    patch.replace(Completions, "add", add)


@breaks("completion-order")
def _answered_in_reverse(patch: Patch) -> None:
    held: dict[int, Completion] = {}
    original, waited = Completions.add, Completions.wait_until_done

    def add(self: Completions, completion: Completion) -> None:
        if id(self) not in held:
            held[id(self)] = completion
            return
        original(self, completion)
        original(self, held.pop(id(self)))

    def wait_until_done(self: Completions, sender: object = None) -> None:
        if id(self) in held:
            original(self, held.pop(id(self)))
        waited(self, sender)

    patch.replace(Completions, "add", add)
    patch.replace(Completions, "wait_until_done", wait_until_done)


@breaks("completion-serial")
def _answered_at_once(patch: Patch) -> None:
    original = Completions.call_listener

    def call(self: Completions, completion: Completion) -> None:
        self._clock.spawn(lambda: original(self, completion), "second-callback")

    patch.replace(Completions, "call_listener", call)


@breaks("commit-waits-for-completions")
def _impatient_commit(patch: Patch) -> None:
    patch.replace(Completions, "wait_until_done", lambda self, sender=None: None)
