"""Faults of a watcher of a queue."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.client.browsers import ReferenceBrowser
from tck.api import Message


@saboteur("pj-queue-watch-1", "a browser with a selector removes the last message of the queue that it does not show")
def _(patch: Patch) -> None:
    def get_enumeration(original: Callable[..., Iterator[Message]], browser: Any) -> Iterator[Message]:
        shown = original(browser)
        if browser._matches is not None:
            stream = browser._physical.delivery_queue
            with browser.session.broker.lock:
                others = [entry for entry in stream.free_entries() if not browser._matches(entry)]
                for entry in others[-1:]:
                    stream.remove(entry.number, entry.priority)
        return shown

    around(patch, ReferenceBrowser, "get_enumeration", get_enumeration)


@saboteur("pj-queue-watch-2", "an enumeration ends after fifteen messages")
def _(patch: Patch) -> None:
    def get_enumeration(original: Callable[..., Iterator[Message]], browser: Any) -> Iterator[Message]:
        return itertools.islice(original(browser), 15)

    around(patch, ReferenceBrowser, "get_enumeration", get_enumeration)


@saboteur("pj-queue-watch-3", "getMessageSelector of a browser is null")
def _(patch: Patch) -> None:
    patch.replace(ReferenceBrowser, "message_selector", property(lambda self: None))
