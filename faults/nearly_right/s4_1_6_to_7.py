"""Narrow faults of sections 4.1.6 to 4.1.7."""

from operator import length_hint

from faults.kit import *
from faults.nearly_right.shared import *


@of_round(5)(
    "browsing-in-a-transacted-session-counts-as-delivery",
    "a message that a browser of a transacted session has shown counts as delivered when it is first received",
    "4.1.6-1 3.5.11-1 3.4-1",
    by=enumerated,
)
def _(browser, seen):
    session = browser.session
    if session.mode == Session.SESSION_TRANSACTED:
        with session.broker.lock:
            for one in seen:
                one.source.counts[one.entry.number] = one.count
    return seen


@nearly_right("no-browsers", "create_browser of a session is refused", "4.1.6-2")
def _(patch):
    def create_browser(*_):
        raise JMSException("browsers are not supported")

    patch.replace(ReferenceSession, "create_browser", create_browser)


@of_round(1)(
    "browser-hides-redelivered",
    "a browser leaves out messages that were delivered before",
    "4.1.6-4",
    around=(ReferenceBrowser, "shows"),
)
def _(original, self, entry):
    return original(self, entry) and not self._physical.delivery_queue.counts.get(entry.number, 0)


@of_round(11)(
    "closing-a-browser-ends-the-enumeration-of-another",
    "closing a browser ends open enumerations of other browsers of the session on that queue before the last message",
    "4.1.6-4 4.1.6-10",
)
def _(patch):
    enumerations = []

    def get_enumeration(original, browser):
        made = original(browser)
        enumerations.append(made)
        return made

    def close(original, browser):
        original(browser)
        for one in enumerations:
            other = one._browser
            if other.session is browser.session and other._physical is browser._physical:
                one._seen = iter([])

    patch.around(ReferenceBrowser, "get_enumeration", get_enumeration)
    patch.around(ReferenceBrowser, "close", close)


@of_round(11)(
    "second-browser-lends-the-first-its-selector",
    "opening a browser with a selector changes what an earlier browser with another selector of the session shows",
    "4.1.6-5",
)
def _(patch):
    opened = []

    def create_browser(original, session, *arguments):
        made = original(session, *arguments)
        if made._matches is not None:
            for one in opened:
                if one.session is session and one._physical is made._physical:
                    one._matches = made._matches
            opened.append(made)
        return made

    patch.around(ReferenceSession, "create_browser", create_browser)


@of_round(14)(
    "a14-browser-shows-redelivered-last",
    "a browser shows messages that were delivered before behind the others of their priority",
    "4.1.6-6",
    around=(BrowsedMessages, "__init__"),
)
def _(original, messages, browser, seen):
    original(messages, browser, sorted(seen, key=lambda one: (-one.priority, one.count > 1)))


# Seen in Qpid: what is given back goes to the end of the list that browsers walk.
@of_round(2)(
    "browser-shows-returned-messages-last",
    "a browser shows messages that were rolled back after the others",
    "4.1.6-6",
    around=(ReferenceBrowser, "get_enumeration"),
)
def _(original, self):
    seen = original(self)
    seen._seen = iter(sorted(seen._seen, key=lambda one: one.redelivered))
    return seen


of_round(5)(
    "browser-shows-redelivered-messages-last",
    "a browser shows messages that were delivered before after all others, although they are received first",
    "4.1.6-6",
    install=lambda patch: enumerated(patch, lambda _, seen: sorted(seen, key=lambda one: one.redelivered)),
)


@of_round(14)(
    "a14-enumeration-kept-with-selector",
    "a browser with a selector shows in its second enumeration what it showed in the first",
    "4.1.6-10 4.1.6-5",
)
def _(patch):
    kept = {}

    def get_enumeration(original, browser):
        if browser._matches is None:
            return original(browser)
        browser.check_open()
        if browser not in kept:
            kept[browser] = list(original(browser)._seen)
        return BrowsedMessages(browser, list(kept[browser]))

    patch.around(ReferenceBrowser, "get_enumeration", get_enumeration)


@of_round(3)(
    "second-enumeration-continues-the-first",
    "getEnumeration returns the former enumeration while that one is not at its end",
    "4.1.6-10",
)
def _(patch):
    # One cursor for each browser, as where a browser is a consumer in disguise.
    former = {}

    def get_enumeration(original, self):
        fresh = original(self)
        _, last = former.get(id(self), (self, None))
        if last is not None and length_hint(last._seen):
            return last
        former[id(self)] = (self, fresh)
        return fresh

    patch.around(ReferenceBrowser, "get_enumeration", get_enumeration)


@of_round(7)(
    "browser-remembers-what-is-gone",
    "a further enumeration of the same browser still shows the messages that were consumed since the first",
    "4.1.6-10 4.1.6-4",
)
def _(patch):
    shown = {}

    def change(browser, seen):
        _, known = shown.setdefault(id(browser), (browser, {}))
        known.update({one.entry.number: one for one in seen})
        return list(known.values())

    enumerated(patch, change)


# The program of datastax/pulsar-jms#9 sets JMSReplyTo before it hands the request over.
@of_round(7)(
    "requestor-leaves-a-reply-to-alone",
    "a QueueRequestor sets JMSReplyTo only if the request has none yet, so it waits in vain with one that has",
    "4.1.7-2 4.1.7-1",
    around=(ReferenceQueueRequestor, "request"),
)
@of_round(3)(
    "requestor-keeps-a-preset-reply-to",
    "a QueueRequestor leaves a JMSReplyTo that is set already",
    "4.1.7-2",
    around=(ReferenceQueueRequestor, "request"),
)
@of_round(2)(
    "requestor-keeps-reply-to",
    "a requestor keeps the JMSReplyTo that the request has already",
    "4.1.7-2 4.1.7-1",
    around=(ReferenceQueueRequestor, "request"),
)
def _(original, self, message):
    if message.jms_reply_to is None:
        return original(self, message)
    self._sender.send(message)
    return answered(self._receiver.receive())


@of_round(5)(
    "requestor-leaves-its-queue-if-a-reply-is-left",
    "close of a QueueRequestor does not delete the temporary queue if a reply is left in it",
    "4.1.7-5",
    around=(ReferenceQueueRequestor, "close"),
)
@of_round(3)(
    "requestor-leaves-a-queue-with-late-replies",
    "closing a QueueRequestor does not delete its temporary queue if a late reply is in it",
    "4.1.7-5",
    around=(ReferenceQueueRequestor, "close"),
)
def _(original, self):
    # datastax/pulsar-jms#9: the temporary queue of a requestor cannot be deleted when it is closed.
    broker = self._session.broker
    if broker.pending(self._reply_queue):
        self._session.close()
    else:
        original(self)
