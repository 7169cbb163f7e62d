"""One bridge among several of a factory, as a program leads it through its life, and what should be seen of it after each step."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Final

from tck import api
from tck.interworking import event
from tck.interworking.bridge import (
    Bridge,
    BridgeAlreadyStarted,
    BridgeInactive,
    BridgeStatus,
    EndpointErrorCode,
    ExternalEndpoint,
    FlowStyle,
    InvalidExternalEndPoints,
    MessageType,
    StatusNotOffered,
    StyleNotOffered,
)
from tck.interworking.qos import ObjectNotExist
from tck.suite.support.harness.outcome import Broken, Undecided
from tck.suite.support.interworking.crossing import (
    PULL,
    PUSH,
    SEQUENCE,
    SINK,
    SOURCE,
    STARTED,
    STOPPED,
    STRUCTURED,
    WAY,
    Crossing,
    names_of,
    texts_of,
)
from tck.suite.support.interworking.programs import Table

KINDS: Final = tuple(
    (to_jms, type_, style) for to_jms in (True, False) for type_ in (STRUCTURED, SEQUENCE) for style in (PUSH, PULL)
)
"""The kinds of bridges: whether to JMS, grouping, and style at both ends, or at the source where the channel is that."""


_TRIES: Final = 3
"""How many items are sent in vain at most after a loss."""


class Lane:
    """A channel, a destination, and the bridge between them, if there is one, with what should be seen of it."""

    def __init__(self, crossing: Crossing, number: int, table: Table) -> None:
        self.case, self.table, self.number = crossing.case, table, number
        self.noticing = set[object]()
        """The kinds of bridges that have noticed the loss of an idle connection."""
        self.renew(crossing)

    def renew(self, crossing: Crossing) -> None:
        """Go on with another channel and destination, without a bridge."""
        self.crossing = crossing
        self.supplier, self.consumer, self.sender = crossing.supplier(), crossing.consumer(), crossing.sender
        self.bridge: Bridge | None = None
        self.id, self._last = 0, 0
        self.state: BridgeStatus | None = None
        self.to_jms: bool | None = None
        self.connections = list[api.Connection]()
        self.waiting = set[str]()
        self._doubtful = {"fence"}
        """What may come more than once: what the case pushes as a fence, and what was on its way at a loss."""
        self._cut = False
        """Whether JMS was lost and nothing has crossed since: a bridge that has not noticed sends in vain, and once more later."""

    def __str__(self) -> str:
        return f"bridge {self.id} of lane {self.number}, {'to' if self.to_jms else 'from'} JMS"

    # -- steps -----------------------------------------------------------------------------------------------------

    def create(self, kind: tuple[bool, MessageType, FlowStyle]) -> bool:
        """Make a bridge; return whether the kind is offered."""
        self.kind, (to_jms, type_, style) = kind, kind
        if self.to_jms is not None and to_jms != self.to_jms:
            self.renew(self.crossing.beside())
        self.to_jms = to_jms
        if to_jms:
            _ = self.crossing.link
        else:
            self.consumer.disconnect_structured_pull_supplier()
            self.consumer = self.crossing.consumer()
        self.points = self._points(type_, style)
        listed = self.crossing.proxy_suppliers if self.to_jms else self.crossing.proxy_consumers
        self.listed, self.before = listed, len(listed())
        connections = len(self.crossing.connections(0))
        try:
            self.bridge, self.id = self.crossing.factory.create_bridge(*self.points)
        except (StyleNotOffered, InvalidExternalEndPoints) as error:
            error_text = f"{type(error).__name__}: {error}"
            if kind in (KINDS[0], KINDS[4]):
                self.table.demand("iw-3.1.3.1-8", f"lane {self.number}: create_bridge", error_text, "a bridge")
            self.case.witness(f"create_bridge raised {error_text}")
            return False
        except Exception as error:  # noqa: BLE001 - judged here
            self.table.demand("iw-3.1.3.1-8", f"lane {self.number}: create_bridge", type(error).__name__, "a bridge")
            return False
        self.connections = self.crossing.connections(connections)
        self.state = STOPPED
        return True

    def _points(self, type_: MessageType, style: FlowStyle) -> tuple[ExternalEndpoint, ExternalEndpoint]:
        if self.to_jms:
            return self.crossing.channel_end(SOURCE, style, type_), self.crossing.destination(SINK)
        return self.crossing.destination(SOURCE, style), self.crossing.channel_end(SINK, style, type_)

    @property
    def own(self) -> Bridge:
        """The bridge."""
        assert self.bridge is not None  # noqa: S101 - only called where there is one
        return self.bridge

    def start(self, *, again: bool = False) -> bool:
        """Start; a start after a loss may fail. Return whether the bridge has started."""
        before = len(self.crossing.connections(0))
        try:
            self.own.start_bridge()
        except Exception as error:  # noqa: BLE001 - judged here
            error_text = f"{type(error).__name__}: {error}"
            if not again:
                self.table.demand("iw-3.1.2.1-1", f"{self}: start_bridge", error_text, "returns")
            self.case.witness(f"start_bridge after a loss raised {error_text}")
            return False
        self.connections += self.crossing.connections(before)
        self.state = STARTED
        return True

    def stop(self) -> None:
        """Stop."""
        self.table.attempt(
            "iw-3.1.2.2-4", f"{self}: stop_bridge", lambda: self.crossing.calls("stop_bridge", self.own.stop_bridge)
        )
        self.state = STOPPED

    def refuse(self) -> None:
        """Ask for what the state forbids."""
        if self.state == STARTED:
            self._raises("iw-3.1.2.1-4", BridgeAlreadyStarted, "start_bridge", self.own.start_bridge)
        else:
            self._raises("iw-3.1.2.2-5", BridgeInactive, "stop_bridge", self.own.stop_bridge)

    def _raises(self, row: str, kind: type[Exception], what: str, call: Callable[[], object]) -> None:
        self.table.demand(row, f"{self}, {self.state and self.state.name}: {what}", raised(call), kind.__name__)

    def destroy(self, *, lost: bool = False) -> int:
        """Destroy; the proxy and the connection are gone, unless they were lost. Return the id."""
        operations, seen = ("start_bridge", "stop_bridge", "destroy"), self.crossing.factory.uses_provider
        closed = self.crossing.provider_calls("Connection.close") if seen else 0
        self.table.attempt("iw-2.3-34", f"{self}: destroy", lambda: self.crossing.calls("destroy", self.own.destroy))
        for name in operations:
            self._raises("iw-2.3-34", ObjectNotExist, f"{name} after destroy", getattr(self.own, name))
        if not lost:
            self.table.demand(
                "iw-2.3-35 iw-3.1.2.4-1",
                f"{self}, {self.state}: proxies after destroy",
                len(self.listed()),
                self.before,
            )
            has_closed = not seen or self.crossing.provider_calls("Connection.close") > closed
            self.table.demand("iw-2.3-35", f"{self}, {self.state}: a connection was closed", has_closed, True)
        self.bridge, self.state, was = None, None, self.id
        return was

    def lose_channel(self) -> None:
        """Destroy the channel: the bridge stops, cannot be started, and no other can be made there."""
        started = self.state == STARTED
        self.crossing.channel.destroy()
        if started:
            self.is_in(STOPPED, "iw-2.3-21", f"{self}: the state without its channel", self.settles)
        self._raises(
            "iw-3.1.2.1-5", InvalidExternalEndPoints, "start_bridge without the channel", self.own.start_bridge
        )
        self.is_in(STOPPED, "iw-2.3-20", f"{self}: the state after it")
        codes: set[str] = set()
        try:
            self.crossing.factory.create_bridge(*self.points)
        except InvalidExternalEndPoints as error:
            codes = {each.code.name for each in error.errors}
        except Exception as error:  # noqa: BLE001 - judged here
            codes = {type(error).__name__}
        wanted = EndpointErrorCode.INVALID_CHANNELID.name
        code = wanted if wanted in codes else repr(sorted(codes))
        self.table.demand("iw-3.1.3.1-4", f"{self}: create_bridge on a channel that is gone", code, wanted)

    def lose_jms(self, *, idle: bool) -> bool:
        """Cut the connections to JMS, with traffic or without. Return whether the bridge carries on after a start; else it is good for
        nothing more.
        """
        was = self.state
        for each in self.connections:
            self.case.provider.sever(each)
        self.connections = []
        self._doubtful |= self.waiting
        self._cut = True
        if was == STARTED and self.to_jms and not idle:
            self._doubtful.add(self._send())
            self.is_in(STOPPED, "iw-2.3-21 iw-2.3-17", f"{self}: the state without JMS", self.settles)
        elif was == STARTED:
            self._idle_loss()
        self.state = STOPPED
        return self.start(again=True)

    def _idle_loss(self) -> None:
        """Look whether an idle bridge notices, which is its own affair; one that has noticed before does so again."""
        if self.kind in self.noticing:
            what = f"{self}: the state without JMS, once more"
            self.is_in(STOPPED, "iw-2.3-21 iw-2.3-17", what, lambda: self.settles(WAY))
        elif self.settles() == STOPPED:
            self.noticing.add(self.kind)
        else:
            self.case.witness(f"stop_bridge after a loss: {raised(self.own.stop_bridge)}")

    def settles(self, within: float = 0) -> BridgeStatus:
        """Return the state once it is STOPPED, or after a time."""
        deadline = self.case.now() + (within or self.case.timing.deadline)
        while self.own.get_status() != STOPPED and self.case.now() < deadline:
            self.case.pass_time(self.case.timing.delay / 10, "the bridge learns that one of its sides is gone")
        return self.own.get_status()

    def is_in(self, wanted: BridgeStatus, rows: str, what: str, look: Callable[[], BridgeStatus] | None = None) -> None:
        """Demand a state, of a bridge that tells it."""
        with contextlib.suppress(StatusNotOffered):
            self.table.demand(rows, what, (look or self.own.get_status)().name, wanted.name)

    # -- what is seen ----------------------------------------------------------------------------------------------

    def _send(self) -> str:
        self._last += 1
        name = str(self._last)
        self.waiting.add(name)
        if self._cut:
            self._doubtful.add(name)
        if self.to_jms:
            self.supplier.push_structured_event(event("d", "t", name))
        else:
            self.sender.send(name)
        return name

    def _next(self) -> str:
        if self.to_jms:
            return str(names_of(self.crossing.received(1))[0])
        return str(texts_of(self.crossing.pulled(self.consumer, 1))[0])

    def look(self) -> None:
        """Compare state and traffic with the model."""
        if self.state is None:
            return
        if self._cut and self.state == STARTED:
            self._cross_again()
        rows = f"iw-3.1.2.3-1 {'iw-3.1.2.1-3' if self.state == STARTED else 'iw-3.1.2.2-4'}"
        self.is_in(self.state, rows, f"{self}: the state")
        if self.state == STARTED:
            self._carries()
        else:
            self._rests()

    def _carries(self) -> None:
        """Two items cross, after some of those that waited."""
        for _ in range(2):
            name, came = self._send(), ""
            while came != name:
                what = f"{self}: {name} crosses while it is started"
                came = self.table.attempt("iw-3.1.2.1-1 iw-2.3-31", what, self._next)
                known = came in self.waiting | self._doubtful
                rows = "iw-3.1.2.1-1 iw-2.3-25"
                self.table.demand(rows, f"{self}: {came} was sent, and comes once", known, True)
                self.waiting.discard(came)
            self.waiting = {each for each in self.waiting if int(each) > int(name)}

    def _cross_again(self) -> None:
        """Send until something crosses: a bridge that has not noticed the loss may send in vain, or notice it after the start and need
        another.
        """
        for _ in range(_TRIES):
            if self.settles(self.case.timing.delay) == STOPPED:
                before = len(self.crossing.connections(0))
                self.case.witness(f"{self}: another start after a loss: {raised(self.own.start_bridge)}")
                self.connections += self.crossing.connections(before)
            self._send()
            try:
                self._next()
            except Broken as lost:
                self.case.witness(f"{self}: nothing crossed after a loss: {lost}")
            else:
                self._doubtful |= self.waiting
                self._cut = False
                return

    def _rests(self) -> None:
        """An item does not cross."""
        self._send()
        if self.to_jms:
            self.crossing.dispatched(self.supplier)
            self.crossing.link.send("marker")
            try:
                came: object = getattr(self.crossing.link.receive(), "text", None)
            except Undecided:
                came = "nothing"
        else:
            self.case.pass_time(self.case.timing.delay / 10, "what a stopped bridge carries is on its way")
            self.supplier.push_structured_event(event("d", "t", "marker"))
            came = self.crossing.pulled(self.consumer, 1)[0].header.fixed_header.event_name
        self.table.demand("iw-2.3-28 iw-3.1.2.2-2", f"{self}: what comes while it is stopped", came, "marker")


def raised(call: Callable[[], object]) -> str:
    """Return the name of the exception that a call raises, or `returns`."""
    try:
        call()
    except Exception as error:  # noqa: BLE001 - the caller judges it
        return type(error).__name__
    return "returns"
