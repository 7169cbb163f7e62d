"""Faults of asynchronous sends; see `tck.check.properties.completion`."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.declaring import breaks
from faults.kit.patch import Patch
from faults.kit.striking import now_and_then
from reference_provider import fault_points
from reference_provider.client.completions import Completion, Completions


@breaks("completion-once")
def _answered_twice(patch: Patch) -> None:
    strikes = now_and_then()

    def add(original: Callable[..., None], completions: Completions, completion: Completion) -> None:
        original(completions, completion)
        if strikes():
            original(completions, completion)

    patch.at(fault_points.COMPLETION_QUEUED, add)


@breaks("completion-order")
def _answered_in_reverse(patch: Patch) -> None:
    held: dict[int, Completion] = {}
    honest = Completions.add

    def add(original: Callable[..., None], completions: Completions, completion: Completion) -> None:
        if id(completions) not in held:
            held[id(completions)] = completion
            return
        original(completions, completion)
        original(completions, held.pop(id(completions)))

    def wait_until_done(original: Callable[..., None], completions: Completions, *sender: object) -> None:
        if id(completions) in held:
            honest(completions, held.pop(id(completions)))
        original(completions, *sender)

    patch.at(fault_points.COMPLETION_QUEUED, add)
    patch.at(fault_points.COMPLETIONS_AWAITED, wait_until_done)


@breaks("completion-serial")
def _answered_at_once(patch: Patch) -> None:
    def call(original: Callable[..., None], completions: Completions, completion: Completion) -> None:
        completions._clock.spawn(lambda: original(completions, completion), "second-callback")

    patch.at(fault_points.COMPLETION_CALLED, call)


@breaks("commit-waits-for-completions")
def _impatient_commit(patch: Patch) -> None:
    patch.at(fault_points.COMPLETIONS_AWAITED, lambda *_: None)
