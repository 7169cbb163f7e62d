"""Applications at the destination of a bridge: with CLIENT_ACKNOWLEDGE the channel learns only of what they acknowledge (section 2.6.2).

The bridge notes the JMSMessageID of what it sends. An event whose message an application has acknowledged is acknowledged to the channel; one
that is sent again meanwhile is neither carried nor acknowledged. An event that becomes no message, since it has expired, is acknowledged at once.
RetryInterval and Retries have to leave applications their time: a channel that pushes gives up when no acknowledgment comes. Imports
`tck.api` and `tck.interworking` only.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Final

from tck import api as jms
from tck.interworking.bridge import EndpointError, EndpointErrorCode, EndpointRole, InvalidExternalEndPoints
from tck.interworking.channel import Proxy, ProxyType

_BATCHES: Final = (ProxyType.PUSH_SEQUENCE, ProxyType.PULL_SEQUENCE)


class Awaiting:
    """Each event waits for the application that gets its message."""

    def __init__(self) -> None:
        self._number: int | None = None  # of the event that is handed on; guarded by `_one` of the delivery
        # guards what follows, also during a send: none is acknowledged before it is noted
        self._guard = threading.Lock()
        self._open: dict[int, set[str]] = {}  # messages that are not acknowledged, by the number of their event

    def agree(self, proxy: Proxy) -> None:
        """Look whether events can be acknowledged alone.

        Raises:
            InvalidExternalEndPoints: Batches are to be acknowledged, in which none can.
        """
        if proxy.type in _BATCHES:
            self.refuse()

    def refuse(self) -> None:
        """Refuse batches."""
        mismatch = EndpointErrorCode.MISMATCH_ENDPOINTROLE_NOTIFSTYLE
        raise InvalidExternalEndPoints(EndpointError(EndpointRole.SOURCE, mismatch))

    def begin(self, number: int | None) -> None:
        """Learn the number of the item that is handed on next."""
        self._number = number

    def sent(self, send: Callable[[], None], message: jms.Message) -> None:
        """Send a message of the event that is handed on, and note its id."""
        with self._guard:
            send()
            if self._number is not None and message.jms_message_id is not None:
                self._open.setdefault(self._number, set()).add(message.jms_message_id)

    def awaits(self, number: int) -> bool:
        """Return whether an application has still to acknowledge."""
        with self._guard:
            return number in self._open

    def acknowledged(self, message_ids: Iterable[str]) -> tuple[int, ...]:
        """Take messages off those that are awaited; return the numbers of events of which none is left."""
        with self._guard:
            return self.settled(self._open, set(message_ids))

    def settled(self, awaited: dict[int, set[str]], message_ids: set[str]) -> tuple[int, ...]:
        """Do so under the guard."""
        for left in awaited.values():
            left.difference_update(message_ids)
        numbers = tuple(number for number, left in awaited.items() if not left)
        for number in numbers:
            del awaited[number]
        return numbers
