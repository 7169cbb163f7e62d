"""Faults in 8.1: the destination and the selector of consumers."""

from collections import Counter, defaultdict

from faults.kit import *


@saboteur("8.1-1", "messages for the first destination of a session reach its last consumer too")
def _(patch):
    opened = defaultdict(list)

    def open_plain(original, session, *arguments):
        receiver = original(session, *arguments)
        opened[session].append(receiver)
        return receiver

    def submit(original, session, physical, entry):
        original(session, physical, entry)
        for first, *_others, last in [each for each in opened.values() if len(each) > 1]:
            if first.physical is physical is not last.physical:
                with session.broker.lock:
                    put_again(last, [entry])

    patch.at(fault_points.PLAIN_CONSUMER_OPENED, open_plain)
    patch.at(fault_points.SEND_SUBMITTED, submit)


@nearly_right(
    "third-message-reaches-the-third-destination",
    "the third message for the first of three destinations of a session reaches the third consumer too, if there are two sessions",
    "8.1-1",
)
def _(patch):
    opened = defaultdict(list)
    third = {}
    sent = Counter[PhysicalDestination]()

    def open_plain(original, session, *arguments):
        receiver = original(session, *arguments)
        receivers = opened[session]
        receivers.append(receiver)
        if len({one.physical for one in receivers}) == 3:
            third[receivers[0].physical] = (session, receiver)
        return receiver

    def submit(original, session, physical, entry):
        original(session, physical, entry)
        sent[physical] += 1
        if sent[physical] == 3 and physical in third:
            owner, receiver = third[physical]
            if len(owner.connection.sessions) == 2:
                with session.broker.lock:
                    put_again(receiver, [entry])

    patch.at(fault_points.PLAIN_CONSUMER_OPENED, open_plain)
    patch.at(fault_points.SEND_SUBMITTED, submit)


def _created(patch, fault):
    """Replace createConsumer() with its three arguments by `fault`, which gets the original first."""

    def create(original, session, destination, selector=OMITTED, no_local=OMITTED):
        if OMITTED in (selector, no_local):
            return original(session, destination, selector, no_local)
        return fault(original, session, destination, selector, no_local)

    patch.around(ReferenceSession, "create_consumer", create)


def _is_empty(selector):
    return isinstance(selector, str) and not selector


@saboteur(
    "8.1-4",
    "a null selector chooses no message",
    collateral={"8.1-7": "its consumers receive before they are asked for their selector"},
    at=fault_points.PLAIN_CONSUMER_OPENED,
)
def _(original, session, *arguments):
    receiver = original(session, *arguments)
    if arguments[1] is None:
        receiver.matches = lambda _: False
        if receiver.subscription is not None:
            receiver.subscription.matches = receiver.matches
    return receiver


@saboteur(
    "8.1-5",
    "an empty selector with a value for noLocal is refused as a syntax error",
    collateral={"8.1-8": "its consumers are created with the empty string"},
    by=_created,
)
def _(original, session, *arguments):
    if _is_empty(arguments[1]):
        raise InvalidSelectorException("the selector is empty")
    return original(session, *arguments)


def _reported(patch, tell):
    """Change the selector that a consumer returns; `tell` gets the consumer and the true one."""
    original = ReferenceConsumer.message_selector
    patch.replace(ReferenceConsumer, "message_selector", property(lambda self: tell(self, original.fget(self))))


saboteur(
    "8.1-6",
    "getMessageSelector() returns the selector with each run of blanks reduced to one",
    lambda patch: _reported(patch, lambda _, selector: None if selector is None else " ".join(selector.split())),
)


@saboteur("8.1-7", "getMessageSelector() returns the empty string once a consumer without a selector has had a message")
def _(patch):
    used = _users(patch)
    _reported(patch, lambda consumer, selector: "" if selector is None and consumer in used else selector)


def _users(patch):
    """Return the consumers that have been handed a message, kept up to date."""
    used = set[object]()

    def opened(original, state, consumer, *arguments):
        used.add(consumer)
        return original(state, consumer, *arguments)

    patch.at(fault_points.HANDED_OVER, opened)
    return used


@saboteur("8.1-8", "getMessageSelector() returns the empty string that a consumer was created with")
def _(patch):
    empty = set[Receiver]()

    def open_plain(original, session, *arguments):
        receiver = original(session, *arguments)
        if _is_empty(arguments[1]):
            empty.add(receiver)
        return receiver

    patch.at(fault_points.PLAIN_CONSUMER_OPENED, open_plain)
    _reported(patch, lambda consumer, selector: "" if consumer.receiver in empty else selector)


@saboteur("8.1-9", "createConsumer() of null with a value for noLocal raises NullPointerException", by=_created)
def _(original, session, *arguments):
    if arguments[0] is None:
        raise NullPointerException("null")
    return original(session, *arguments)


@saboteur("8.1-10", "a malformed selector with a value for noLocal is accepted and chooses nothing", by=_created)
def _(original, session, destination, selector, no_local):
    try:
        return original(session, destination, selector, no_local)
    except InvalidSelectorException:
        return original(session, destination, "1 = 0", no_local)
