"""Faults of asynchronous sends; see `tck.check.properties.completion`."""

from faults.kit import *


@breaks("completion-once")
def _answered_twice(patch):
    strikes = now_and_then()

    def add(original, completions, completion):
        original(completions, completion)
        if strikes():
            original(completions, completion)

    patch.at(fault_points.COMPLETION_QUEUED, add)


@breaks("completion-order")
def _answered_in_reverse(patch):
    held = {}
    honest = Completions.add

    def add(original, completions, completion):
        if id(completions) not in held:
            held[id(completions)] = completion
            return
        original(completions, completion)
        original(completions, held.pop(id(completions)))

    def wait_until_done(original, completions, *sender):
        if id(completions) in held:
            honest(completions, held.pop(id(completions)))
        original(completions, *sender)

    patch.at(fault_points.COMPLETION_QUEUED, add)
    patch.at(fault_points.COMPLETIONS_AWAITED, wait_until_done)


@breaks("completion-serial", at=fault_points.COMPLETION_CALLED)
def _(original, completions, completion):
    completions._clock.spawn(lambda: original(completions, completion), "second-callback")


@breaks("commit-waits-for-completions", at=fault_points.COMPLETIONS_AWAITED)
def _(*_):
    return None


@breaks("close-waits-for-completions")
def _closed_meanwhile(patch):
    closing = within_method(patch, ReferenceSession, "close")
    impatient(patch, lambda: closing)
