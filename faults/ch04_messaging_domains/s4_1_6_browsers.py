"""Faults in 4.1.6: queue browsers."""

import itertools

from faults.kit import *


@saboteur(
    "4.1.6-1",
    "a second browser removes the first message it shows",
    collateral={"4.1.6-4": "three browsers of one queue are read in turn"},
)
def _(patch):
    original = ReferenceBrowser.get_enumeration
    browsed = {}

    def get_enumeration(self):
        shown = original(self)
        if browsed.setdefault(self._physical, self) is not self:
            with self.session.broker.lock:
                for entry in itertools.islice(list(self._physical.delivery_queue.free_entries()), 1):
                    self._physical.delivery_queue.remove(entry.number, entry.priority)
        return shown

    patch.replace(ReferenceBrowser, "get_enumeration", get_enumeration)


@saboteur("4.1.6-2", "a QueueSession's browser ignores its selector")
def _(patch):
    def create_browser(self, queue, message_selector=OMITTED):
        return ReferenceSession.create_browser(self, queue)

    patch.replace(ReferenceQueueSession, "create_browser", create_browser)


@saboteur(
    "4.1.6-3", "JMSContext.createBrowser with a selector returns null", around=(ReferenceContext, "create_browser")
)
def _(original, self, queue, message_selector=OMITTED):
    return original(self, queue) if message_selector is OMITTED else None


@saboteur("4.1.6-4", "an enumeration ends after fifteen messages")
def _(patch):
    original = ReferenceBrowser.get_enumeration
    patch.replace(ReferenceBrowser, "get_enumeration", lambda self: itertools.islice(original(self), 15))


@saboteur(
    "4.1.6-5",
    "a browser with a selector shows every third message that does not match",
    collateral={"4.1.6-10": "one of its browsers has a selector"},
)
def _(patch):
    original = ReferenceBrowser.shows
    passed = {}

    def shows(self, entry):
        if original(self, entry):
            return True
        passed[self] = passed.get(self, 0) + 1
        return self._matches is not None and passed[self] % 3 == 0

    patch.replace(ReferenceBrowser, "shows", shows)


@saboteur("4.1.6-6", "an enumeration ignores priorities", around=(ReferenceBrowser, "get_enumeration"))
def _(original, self):
    shown = original(self)
    shown._seen = iter(sorted(shown._seen, key=lambda one: one.entry.number))
    return shown


@saboteur(
    "4.1.6-7",
    "an enumeration fails when a message expires during the scan",
    around=(ReferenceBrowser, "get_enumeration"),
)
def _(original, self):
    shown = original(self)
    while True:
        left = list(shown._seen)
        if any(self.session.broker.is_expired(one.entry) for one in left):
            raise JMSException("a message has expired")
        shown._seen = iter(left)
        message = next(shown, None)
        if message is None:
            return
        yield message


@saboteur(
    "4.1.6-8", "a browser shows messages before their delivery time", around=(ReferenceBrowser, "get_enumeration")
)
def _(original, self):
    shown = original(self)
    broker = self.session.broker
    with broker.lock:
        waiting = [self._view(entry) for entry in broker.schedule.waiting_for(self._physical.delivery_queue)]
    shown._seen = itertools.chain(shown._seen, waiting)
    return shown


saboteur(
    "4.1.6-9",
    "getQueue() of a browser returns null",
    lambda patch: patch.replace(ReferenceBrowser, "queue", property(lambda self: None)),
)


@saboteur("4.1.6-10", "a browser returns the same enumeration each time")
def _(patch):
    original = ReferenceBrowser.get_enumeration
    first = {}

    def get_enumeration(self):
        if self not in first:
            first[self] = original(self)
        return first[self]

    patch.replace(ReferenceBrowser, "get_enumeration", get_enumeration)
