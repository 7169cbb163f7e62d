"""Faults of bridges that pull with acknowledgment, and of those that wait for the application's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from faults.interworking.registry import Faults, declare
from reference_bridge.acknowledging import Consuming
from reference_bridge.applications import Awaiting
from reference_bridge.bridges import ReferenceBridge
from reference_bridge.factory import ReferenceFactory
from reference_bridge.polling import PulledToJms
from tck.interworking.clients import Batch


class _OfPulls(Consuming):
    """What acknowledges pulls otherwise, and pushes as it should."""

    def stored(self, number: int) -> None:
        if self.proxy.type.name.startswith("PULL"):
            self.pulled(number)
        else:
            super().stored(number)

    def pulled(self, number: int) -> None:
        super().stored(number)


class _Empty(_OfPulls):
    def pulled(self, number: int) -> None:
        self.proxy.acknowledge(())


class _Tenth(_OfPulls):
    def pulled(self, number: int) -> None:
        if number % 10 == 9:
            super().pulled(number)


class _Nothing(_OfPulls):
    def pull(self, try_pull: Callable[[], Batch]) -> bool:
        found = super().pull(try_pull)
        if not found:
            self.proxy.acknowledge((0,))
        return found


class _Collecting(_OfPulls):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.collected: list[int] = []

    def pulled(self, number: int) -> None:
        self.collected.append(number)


class _AtStop(ReferenceBridge):
    consuming = _Collecting
    acknowledging: Any

    def stop_bridge(self) -> None:
        super().stop_bridge()
        if isinstance(self.acknowledging, _Collecting):
            self._proxy.acknowledge(tuple(self.acknowledging.collected))


class _Always(ReferenceBridge):
    def ask(self) -> Sequence[Any]:
        found: Sequence[Any] = super().ask()  # type: ignore[misc]
        if found and isinstance(self, PulledToJms) and not self.acknowledging.terms.on:
            self._proxy.acknowledge((0,))
        return found


def _consuming(rows: str, title: str, consuming: type[Consuming]) -> None:
    """Declare what acknowledges as a fault."""
    declare(rows, title, Faults(mixin=type("Acknowledging", (), {"consuming": consuming})))


declare("iw-2.6.2-6 iw-2.6.2-10", "what is pulled without acknowledgment is acknowledged", Faults(mixin=_Always))
_consuming("iw-2.6.2-7", "acknowledge after a pull has no numbers", _Empty)
_consuming("iw-2.6.2-8 iw-2.6.2-12", "of what is pulled every tenth is acknowledged", _Tenth)
_consuming("iw-2.6.2-11", "a pull that finds nothing is acknowledged", _Nothing)
declare("iw-2.6.2-15", "what is pulled is acknowledged at the stop", Faults(mixin=_AtStop))


# -- applications --------------------------------------------------------------------------------------------------


class _AtReception(Awaiting):
    def stored(self, number: int) -> None:
        self.proxy.acknowledge((number,))


class _LastOnly(Awaiting):
    def settled(self, awaited: dict[int, set[str]], message_ids: set[str]) -> tuple[int, ...]:
        return super().settled(awaited, message_ids)[-1:]

    def stored(self, number: int) -> None:
        pass


class _WholeBatch(Awaiting):
    def refuse(self) -> None:
        pass

    def settled(self, awaited: dict[int, set[str]], message_ids: set[str]) -> tuple[int, ...]:
        for number, left in awaited.items():
            if left & message_ids:
                awaited[number] = set()
        return super().settled(awaited, message_ids)


def _awaiting(rows: str, title: str, awaiting: type[Awaiting]) -> None:
    """Declare what waits for applications as a fault."""

    def change(factory: ReferenceFactory) -> None:
        factory.awaiting = awaiting

    declare(rows, title, Faults(of_factory=change))


_awaiting(
    "iw-2.6.2-5 iw-2.6.2-9 iw-2.6.2-13", "what an application has to acknowledge is acknowledged before", _AtReception
)
_awaiting("iw-2.6.2-14", "a batch is acknowledged with the first of its messages", _WholeBatch)
_awaiting("iw-2.6.2-16", "of what an application acknowledges the last is passed on", _LastOnly)
