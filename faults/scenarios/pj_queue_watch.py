"""Faults of a watcher of a queue."""

import itertools

from faults.kit import *


@saboteur(
    "pj-queue-watch-1",
    "a browser with a selector removes the last message of the queue that it does not show",
    around=(ReferenceBrowser, "get_enumeration"),
)
def _(original, browser):
    shown = original(browser)
    if browser._matches is not None:
        stream = browser._physical.delivery_queue
        with browser.session.broker.lock:
            others = [entry for entry in stream.free_entries() if not browser._matches(entry)]
            for entry in others[-1:]:
                stream.remove(entry.number, entry.priority)
    return shown


@saboteur(
    "pj-queue-watch-2", "an enumeration ends after fifteen messages", around=(ReferenceBrowser, "get_enumeration")
)
def _(original, browser):
    return itertools.islice(original(browser), 15)


saboteur(
    "pj-queue-watch-3",
    "getMessageSelector of a browser is null",
    lambda patch: patch.replace(ReferenceBrowser, "message_selector", property(lambda self: None)),
)
