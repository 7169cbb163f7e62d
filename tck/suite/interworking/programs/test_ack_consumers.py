"""Interworking 4.2: generated programs on connections of consumers with acknowledgment, against a model of what is pending there.

A program publishes events, fails, keeps silent, acknowledges any numbers that are pending in any order, suspends, and crashes the
channel; the model knows which number has which events, and which numbers have been acknowledged.
"""

from __future__ import annotations

import itertools
from typing import Any

from tck.interworking import acknowledgment as ack
from tck.interworking.qos import MAXIMUM_BATCH_SIZE
from tck.suite.support import Case, asserts, expect
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.interworking.acknowledging import (
    ACKNOWLEDGE,
    FAILURE,
    INTERVAL,
    KINDS,
    SILENCE,
    STEP,
    Push,
    PushProbe,
    Reliable,
    terms,
)
from tck.suite.support.interworking.pending import LASTING, PATIENT, Pending, Programmed, dice, rounds


@asserts(
    "iw-4.2.5.2-1", "iw-4.2.6-1", "iw-4.2.5-3", "iw-4.2.5-7", "iw-4.2.5.1-1", "iw-4.2.5.1-3", "iw-4.2.7.1-4",
    "iw-4.2.3.1-3", "iw-2.6.1-3", variant="program", plain=True
)  # fmt: skip
def test_programs_of_pushes(case: Case) -> None:
    """Whatever fails, and whichever numbers are acknowledged when: the others are pushed again, RetryInterval apart, with their numbers."""
    with expect.all_of():
        for kind in KINDS:
            on = Programmed(case)
            probe = on.pushed_to(kind=kind, qos=terms(PATIENT, **LASTING), otherwise=SILENCE)
            model = Pending(on, 3)
            for _ in range(rounds(case)):
                _step(on, probe, model)
            probe.answers, probe.otherwise = [], SILENCE
            _pushed_again(on, probe, model)
            on.until("all events were pushed", lambda: _looked(model, probe, on))
            model.rest(probe.proxy)
            on.intervals()
            model.look(probe.pushes)
            model.judge()
            with expect.for_row("iw-4.2.7.1-4"):
                expect.equal("gaps that are too short", _short(on, model), [])


def _looked(model: Pending, probe: PushProbe, on: Programmed) -> bool:
    """Look; tell whether all events have come. What waits behind an acknowledgment gets it."""
    model.look(probe.pushes)
    if model.pending and all(len(times) > 2 for times in list(model.times.values())[-3:]):
        model.rest(probe.proxy)  # a channel may push nothing new before
    return set(on.published) <= set(model.names())


def _step(on: Programmed, probe: PushProbe, model: Pending) -> None:
    """Do one thing, and look."""
    rng = on.rng
    what = rng.choice(("some", "some", "answers", "pass", "acknowledge", "acknowledge", "suspend", "crash", "forget"))
    if what == "some":
        on.some()
    elif what == "answers":
        probe.answers = [rng.choice((FAILURE, SILENCE)) for _ in range(rng.randint(1, 5))]
    elif what == "acknowledge":
        model.acknowledge(probe.proxy)
    elif what == "suspend":
        probe.proxy.suspend_connection()
        on.some()
        on.case.pass_time(rng.randint(1, INTERVAL), "a connection is suspended")
        probe.proxy.resume_connection()
    elif what == "crash" and rng.random() < 0.5:
        on.crash()
    on.case.pass_time(rng.choice((STEP, STEP, INTERVAL // 2, 2 * INTERVAL)), "the channel pushes")
    model.look(probe.pushes)


def _pushed_again(on: Programmed, probe: PushProbe, model: Pending) -> None:
    """Demand that what is pending is pushed again."""
    before = {number: len(model.times[number]) for number in model.pending}

    def all_again() -> bool:
        model.look(probe.pushes)
        return all(len(model.times[number]) > count for number, count in before.items())

    for row in ("iw-4.2.6-1", "iw-4.2.3.1-3"):
        with expect.for_row(row):
            on.until(f"what is pending, {sorted(before)}, is pushed again", all_again, 60 * INTERVAL)


def _short(on: Programmed, model: Pending) -> list[object]:
    """Return gaps below RetryInterval between pushes with one number, but for those in which the channel has crashed."""
    found: list[object] = []
    for number, times in model.times.items():
        for before, after in itertools.pairwise(times):
            crashed = any(before <= at <= after for at in on.crashes)
            if after - before < 0.9 * INTERVAL and not crashed:
                found.append((number, after - before))
    return found


@asserts(
    "iw-4.2.6-1", "iw-4.2.3.2-3", "iw-4.2.5.2-1", "iw-4.2.5-3", "iw-4.2.5-7", "iw-4.2.5.1-3", "iw-2.6.1-3",
    plain=True, variant="program"
)  # fmt: skip
def test_programs_of_pulls(case: Case) -> None:
    """Whatever is pulled when, and whichever numbers are acknowledged: the others can be pulled again, with their numbers."""
    with expect.all_of():
        for kind in KINDS:
            on = Programmed(case)
            proxy = on.pulls_from(kind, terms(PATIENT, **{**LASTING, MAXIMUM_BATCH_SIZE: 7}))
            model, came = Pending(on, 3), []
            for _ in range(rounds(case)):
                what = on.rng.choice(("some", "pull", "pull", "pull", "acknowledge", "pass", "crash"))
                if what == "some":
                    on.some()
                elif what == "pull":
                    came += [found for _ in range(4) if (found := on.pull(proxy, 0)) is not None]
                elif what == "acknowledge":
                    model.look(came)
                    model.acknowledge(proxy)
                elif what == "pass":
                    case.pass_time(on.rng.choice((STEP, 2 * INTERVAL)), "what was pulled may be pulled again")
                elif on.rng.random() < 0.5:
                    on.crash()
                model.look(came)
            _pulled_again(on, proxy, model, came)
            model.judge()


def _pulled_again(on: Programmed, proxy: Any, model: Pending, came: list[Push]) -> None:
    """Demand that what is pending can be pulled again, at the latest after a restart; then pull the rest."""
    before = {number: len(model.times[number]) for number in model.pending}

    def left() -> list[int]:
        return [each for each, count in before.items() if len(model.times[each]) <= count]

    for restarted in (False, True):
        if restarted and left():
            on.crash()
        deadline = on.case.now() + 20 * INTERVAL
        while left() and on.case.now() < deadline and (found := on.pull(proxy, 3 * INTERVAL)):
            came.append(found)
            model.look(came)
            for each in (found.known,):
                if each not in left():
                    proxy.acknowledge((each,))
                    model.acknowledged[each] = on.case.now()
    for row in ("iw-4.2.6-1", "iw-4.2.3.2-3"):
        with expect.for_row(row):
            expect.equal("pending numbers that could not be pulled again", left(), [])
    while found := on.pull(proxy, 3 * INTERVAL):
        came.append(found)
        model.look(came)
        model.rest(proxy)


@asserts("iw-4.2.7.1-8", plain=True, variant="program")
def test_each_acknowledgment_gives_all_retries_back(case: Case) -> None:
    """While one event is never acknowledged and others are, it comes far more often than Retries, with Retries of 1 to 3."""
    for kind in KINDS:
        for retries in (1, 2, 3):
            on = Reliable(case)
            probe = on.pushed_to(kind=kind, qos=terms(retries), otherwise=SILENCE)
            on.publish(0)
            on.until("the first event came", lambda: probe.pushes)
            for each in range(1, 5 if case.provider.clock.virtual else 3):
                on.publish(each)
                if each == 1:
                    case.pass_time(INTERVAL // 2, "the second event is on its way")
                    if "1" not in probe.names:
                        raise Undecided("the channel pushes no further event before an acknowledgment")
                on.until(f"event {each} came", lambda: str(each) in probe.names)
                number = next(push.known for push in probe.pushes if str(each) in push.names)
                seen = probe.names.count("0")
                on.until("the first event came again", lambda: probe.names.count("0") > seen)
                probe.proxy.acknowledge((number,))
            seen = probe.names.count("0")
            claim = f"after an acknowledgment the first event comes {retries} times more"
            on.until(claim, lambda: probe.names.count("0") >= seen + retries)


@asserts("iw-4.2.7.3-4", "iw-4.2.5.2-1", plain=True, variant="program")
def test_recovery_keeps_the_numbers(case: Case) -> None:
    """What was pending when all retries had failed comes with the same numbers once delivery is resumed, in any number of rounds."""
    rng = dice(case)
    for kind in KINDS:
        on = Reliable(case)
        recovery = on.hook(ack.RecoversDelivery)
        probe = on.pushed_to(kind=kind, qos=terms(1), otherwise=rng.choice((FAILURE, SILENCE)))
        numbers: dict[str, set[Any]] = {}
        count = 0
        for _ in range(3 if case.provider.clock.virtual else 1):
            fresh = rng.randint(1, 4)
            on.publish(*range(count, count + fresh))
            count += fresh
            on.until("an event came", lambda: probe.pushes)
            on.settled(lambda: len(probe.pushes))
            probe.otherwise = rng.choice((FAILURE, SILENCE))
            before = len(probe.pushes)
            recovery.recover_delivery(on.channels.plain(probe.proxy))
            on.until("delivery is resumed", lambda: len(probe.pushes) > before)
            on.settled(lambda: len(probe.pushes))
        probe.otherwise = ACKNOWLEDGE
        recovery.recover_delivery(on.channels.plain(probe.proxy))
        on.until("all events came", lambda: len(set(probe.names)) >= count)
        on.intervals()
        for each in probe.pushes:
            for name in each.names:
                numbers.setdefault(name, set()).add(each.number)
        expect.equal("events with two numbers", [name for name, given in numbers.items() if len(given) > 1], [])


@asserts("iw-4.2.7.3-5", plain=True, variant="program")
def test_a_new_connection_after_a_failure_begins_anew(case: Case) -> None:
    """Where a consumer whose delivery has stopped connects anew, its numbers begin at 0 and its events come in order."""
    on = Reliable(case)
    for kind in KINDS:
        dead = on.pushed_to(kind=kind, qos=terms(1), otherwise=FAILURE)
        on.publish(0)
        on.settled(lambda: len(dead.pushes))
        fresh = on.pushed_to(kind=kind, qos=terms(1))
        on.publish(1, 2, 3)
        on.until("three events came on a new connection", lambda: len(fresh.names) >= 3)
        expect.equal("its events and first number", (fresh.names, fresh.numbers[0]), (["1", "2", "3"], 0))
