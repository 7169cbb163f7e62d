"""Helpers of faults in asynchronous sends."""

import threading

from faults.kit.seams import *


class Within:
    """Knows whether the calling thread is inside a function; `argument` is then its first argument."""

    def __init__(self):
        self._local = threading.local()

    def __bool__(self):
        return self.argument is not None

    @property
    def argument(self):
        """Return the first argument of the outermost call, or None outside of one."""
        return getattr(self._local, "argument", None)

    def call(self, original, *arguments, **named):
        """Call the function."""
        outer = self.argument
        self._local.argument = outer or arguments[0]
        try:
            return original(*arguments, **named)
        finally:
            self._local.argument = outer


def within(patch, point):
    """Watch a fault point."""
    watch = Within()
    patch.at(point, watch.call)
    return watch


def within_method(patch, owner, name):
    """Watch a method of the messaging API."""
    watch = Within()
    patch.around(owner, name, watch.call)
    return watch


def unanswered(patch, wanted):
    """Never make the callbacks that are wanted."""

    def add(original, completions, completion):
        if not wanted(completion):
            original(completions, completion)

    patch.at(fault_points.COMPLETION_QUEUED, add)


def impatient(patch, wanted):
    """Do not wait for callbacks where it is wanted."""

    def wait_until_done(original, completions, *sender):
        if not wanted():
            original(completions, *sender)

    patch.at(fault_points.COMPLETIONS_AWAITED, wait_until_done)


def overtaken(patch, held):
    """Make a callback after that of the next send, if it is held."""
    waiting = {}
    honest = Completions.add

    def add(original, completions, completion):
        late = waiting.pop(completions, None)
        if late is None and held(completion):
            waiting[completions] = completion
            return
        original(completions, completion)
        if late is not None:
            original(completions, late)

    def wait_until_done(original, completions, *sender):
        if completions in waiting:
            honest(completions, waiting.pop(completions))
        original(completions, *sender)

    patch.at(fault_points.COMPLETION_QUEUED, add)
    patch.at(fault_points.COMPLETIONS_AWAITED, wait_until_done)


class Sends:
    """The sends of a session so far: the producers that sent asynchronously, how often, and how many sends were not."""

    def __init__(self):
        self.senders = []
        self.asynchronous = 0
        self.synchronous = 0


def reordered(patch, late):
    """Hold each eighth asynchronous send back until the next send is made, if `late` of the sends and of the next's kind says so."""
    sends = {}
    held = {}
    here = threading.local()

    def send_later(original, producer, *arguments):
        here.sender = arguments[-1]
        try:
            original(producer, *arguments)
        finally:
            here.sender = None

    def submit(original, session, *entry):
        sender = getattr(here, "sender", None)
        seen = sends.setdefault(session, Sends())
        seen.asynchronous += sender is not None
        seen.synchronous += sender is None
        if sender is not None and sender not in seen.senders:
            seen.senders.append(sender)
        before = held.pop(session, None)
        if before is None and sender is not None and seen.asynchronous % 8 == 0:
            held[session] = entry
            return
        parts = [entry] if before is None else [entry, before] if late(seen, sender is not None) else [before, entry]
        for part in parts:
            original(session, *part)

    honest = ReferenceSession.submit

    def ended(original, session):
        if session in held:
            honest(session, *held.pop(session))
        original(session)

    def awaited(original, *arguments):
        for session in list(held):
            honest(session, *held.pop(session))
        return original(*arguments)

    patch.at(fault_points.SENT_ASYNCHRONOUSLY, send_later)
    patch.at(fault_points.SEND_SUBMITTED, submit)
    patch.at(fault_points.COMMIT, ended)
    patch.at(fault_points.SESSION_ENDED, ended)
    patch.at(fault_points.MESSAGE_AWAITED, awaited)


def is_large(message):
    """Return whether a message has a property with a long text."""
    values = (message.get_object_property(name) for name in message.get_property_names())
    return any(isinstance(value, str) and len(value) > 10_000 for value in values)
