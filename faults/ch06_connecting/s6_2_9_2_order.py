"""Faults in 6.2.9.2: the order of messages over priorities, delivery modes, delays and transactions."""

from faults.kit import *


def _reversed_once(patch, width, condition):
    """Deliver the first waiting messages that meet a condition in the reverse order, once for each delivery queue."""
    done = set()
    late = {}

    def take(original, receiver):
        queue = receiver.delivery_queue
        if waiting := late.get(receiver):
            return receiver.deliver(queue, waiting.pop())
        first = list(queue.free_entries())[:width]
        if queue not in done and len(first) == width and condition(first):
            done.add(queue)
            late[receiver] = [entry for _ in first if (entry := queue.take(receiver)) is not None]
            return receiver.deliver(queue, late[receiver].pop())
        return original(receiver)

    patch.at(fault_points.MESSAGE_TAKEN, take)


@saboteur(
    "6.2.9.2-2",
    "a message of a lower priority overtakes one that was sent before it, once for each destination",
    by=lambda patch, made: _reversed_once(patch, 2, made),
)
def _(first):
    return first[0].priority > first[1].priority and first[0].number < first[1].number


@saboteur(
    "6.2.9.2-3",
    "two messages of one priority change places, if others were sent between them",
    by=lambda patch, made: _reversed_once(patch, 2, made),
)
def _(first):
    return first[0].priority == first[1].priority != 4 and first[1].number - first[0].number > 1


@saboteur(
    "6.2.9.2-5",
    "two messages with the same delay change places if one without delay was sent between them",
    by=lambda patch, made: _reversed_once(patch, 3, made),
)
def _(first):
    return [entry.delivery_time > entry.timestamp for entry in first] == [True, False, True]


def _around_another(mode):
    """Return the condition that the first and the third message are of a mode, and the second is not."""

    def condition(first):
        return [entry.delivery_mode == mode for entry in first] == [True, False, True]

    return condition


saboteur(
    "6.2.9.2-8",
    "a NON_PERSISTENT message overtakes another one and the PERSISTENT message between them",
    lambda patch: _reversed_once(patch, 3, _around_another(DeliveryMode.NON_PERSISTENT)),
)
saboteur(
    "6.2.9.2-9",
    "a PERSISTENT message overtakes another one and the NON_PERSISTENT message between them",
    lambda patch: _reversed_once(patch, 3, _around_another(DeliveryMode.PERSISTENT)),
)


@saboteur(
    "6.2.9.2-10",
    "a commit exchanges the first two messages to a destination",
    collateral={"6.2.9.2-11": "its transactions send several messages"},
    by=before_commit,
)
def _(session):
    sends = session.state.work.sends
    places = {}
    for place, (physical, _) in enumerate(sends):
        places.setdefault(physical, []).append(place)
    for first, second, *later in [of_one for of_one in places.values() if len(of_one) > 2]:
        del later
        sends[first], sends[second] = sends[second], sends[first]


@nearly_right(
    "large-commit-to-several-destinations-is-disordered",
    "a commit of more than four messages to one of several destinations exchanges two of them",
    "6.2.9.2-10",
    by=before_commit,
)
def _(session):
    sends = session.state.work.sends
    places = {}
    for place, (physical, _) in enumerate(sends):
        places.setdefault(physical, []).append(place)
    for of_one in places.values():
        if len(places) > 1 and len(of_one) > 4:
            sends[of_one[1]], sends[of_one[2]] = sends[of_one[2]], sends[of_one[1]]


@saboteur("6.2.9.2-11", "the second commit of four messages takes effect with the third")
def _(patch):
    commits = {}
    held = {}

    def fault(session):
        work = session.state.work
        if len(work.sends) != 4 or work.acks:
            return
        commits[session] = commits.get(session, 0) + 1
        if commits[session] == 2:
            held[session], work.sends = work.sends, []
        else:
            work.sends += held.pop(session, [])

    before_commit(patch, fault)
