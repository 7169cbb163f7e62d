"""`Company`: makes the bystander of a case before its first harmful call, and looks at it afterwards."""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Protocol

from tck import api
from tck.suite.support.company.bystanders import (
    APART,
    BESIDE,
    KINDS,
    WITHIN,
    Bystander,
    Durable,
    Ground,
    Transaction,
    Unacknowledged,
)
from tck.suite.support.company.desks import ClassicDesk, Desk, SimplifiedDesk
from tck.suite.support.harness.running import RunningCase

HARMFUL: Final = frozenset(
    {"close", "delete", "kill", "recover", "restart", "rollback", "sever", "stop", "unsubscribe"}
)
"""The last words of the calls that end, undo or break something."""
_ENDS_ALL: Final = frozenset({"kill", "restart"})
"""Calls after which no connection is left."""
_LISTENING: Final = frozenset(f"{name}.message_listener" for name in ("MessageConsumer", "JMSConsumer", "Session"))
_ABLE: Final = 2
"""One of so many cases has company."""


class Witnesses(Protocol):
    """The recorder, as far as company uses it."""

    def watch(self, words: frozenset[str], tell: Callable[[str, object], None]) -> None:
        """Call `tell` with the name and the object of the first call that ends in one of the words, before it is made."""

    def behind(self, value: Any) -> Any:
        """Return the provider's own object behind a recorded one."""
        ...

    def line(self, value: object) -> Sequence[object]:
        """Return an object and what it was made by: a consumer, its session, its connection."""
        ...

    def called(self, members: frozenset[str]) -> bool:
        """Return whether one of these was called."""
        ...

    def called_on(self, value: object, words: frozenset[str]) -> bool:
        """Return whether a call that ends in one of the words was made on an object."""
        ...


def choice(case: RunningCase, seed: int) -> tuple[type[Bystander], str] | None:
    """Return the bystander of a case and its place, by its name and a seed; None if it has no company."""
    turn = zlib.crc32(f"{seed} {case.point.name}".encode())
    alone = case.point.plain or case.point.journey or case.rows[0].chapter == "scenarios"
    return None if alone or turn % _ABLE else KINDS[turn // _ABLE % len(KINDS)]


@dataclass(frozen=True, slots=True)
class Harmed:
    """What a bystander suffered.

    Attributes:
        row: The row of its claim.
        call: The call that was made after it.
        text: What it was, and what it suffered.
    """

    row: str
    call: str
    text: str


@dataclass(slots=True)
class Company:
    """The bystander of one case.

    Attributes:
        case: The case.
        recorder: What knows of its calls.
        seed: Turns the choice of the bystander.
    """

    case: RunningCase
    recorder: Witnesses
    seed: int = 0
    call: str = ""
    place: str = ""
    bystander: Bystander | None = None
    missing: str = ""
    _line: Sequence[object] = ()
    _closing: list[Callable[[], object]] = field(default_factory=list)
    _ground: Ground | None = None
    _name: str = ""

    def expect(self, chosen: tuple[type[Bystander], str] | None = None) -> None:
        """Wait for the case's first harmful call.

        Args:
            chosen: The bystander and its place; by default the one of the case's name, if it is a case that has company.
        """
        chosen = chosen or choice(self.case, self.seed)
        if chosen is None:
            return
        kind, self.place = chosen
        self.recorder.watch(HARMFUL, lambda call, on: self._make(kind, call, on))

    def look(self) -> Harmed | None:
        """Look at the bystander after the case; return what it suffered.

        Raises:
            Exception: One that no provider raises: a fault of the adapter or the kit, which is not blamed on a row.
        """
        bystander, ground = self.bystander, self._ground
        if bystander is None or ground is None or self._gone(bystander):
            return None
        try:
            self._revive()
            apart = self._apart()
            if isinstance(bystander, Durable) and self._ended():
                bystander.desk = self._apart(client_id=ground.name)
            wrong = bystander.look(apart)
        except (api.JMSException, api.JMSRuntimeException, api.JavaException) as error:  # others are no provider's word
            wrong = f"{type(error).__name__}: {error}"
        if wrong is None:
            return None
        simplified = isinstance(bystander.desk, SimplifiedDesk)
        row = bystander.row_simplified if simplified and bystander.row_simplified else bystander.row
        return Harmed(row, self.call, f"{bystander.words}, {self.place}, made before {self.call}: {wrong}")

    def close(self) -> None:
        """Close what belongs to the bystander and drop its destinations."""
        if self.bystander is not None:
            with contextlib.suppress(Exception):
                self.bystander.leave()
        for closing in reversed(self._closing):
            with contextlib.suppress(Exception):
                closing()
        self._closing.clear()

    # -- making ----------------------------------------------------------------------------------------------------

    def _make(self, kind: type[Bystander], call: str, on: object) -> None:
        """Make the bystander. What goes wrong here is not the case's: then it has none."""
        self.call, self._line, self._name = call, self.recorder.line(on), self.case.name("company")
        try:
            desk = self._desk(kind)
            self._ground = ground = self._found()
            bystander = kind(desk, ground)
            bystander.make()
        except Exception as error:  # noqa: BLE001 - see above
            self.missing = f"{type(error).__name__}: {error}"
            return
        self.bystander = bystander

    def _found(self) -> Ground:
        provider, shape = self._provider, self.case.profile.names.shape
        queue, other = (provider.create_queue(shape(f"{self._name}.{part}")) for part in ("q", "o"))
        topic = provider.create_topic(shape(f"{self._name}.t"))
        self._closing[:0] = [partial(provider.drop, each) for each in (queue, other, topic)]
        return Ground(queue, other, topic, self._name, self.case.timing.deadline, self._apart)

    @property
    def _provider(self) -> Any:
        return self.recorder.behind(self.case.provider)

    def _desk(self, kind: type[Bystander]) -> Desk:
        """Return the session of the bystander: of another connection where its place has none."""
        mode = api.Session.CLIENT_ACKNOWLEDGE if issubclass(kind, Unacknowledged) else api.Session.AUTO_ACKNOWLEDGE
        transacted = issubclass(kind, Transaction)
        desk = None if self.place == APART else self._near(mode, transacted=transacted)
        if desk is not None:
            return desk
        self.place = APART
        client_id = self._name if issubclass(kind, Durable) else None
        return self._apart(mode, transacted=transacted, client_id=client_id)

    def _near(self, mode: int, *, transacted: bool) -> Desk | None:
        """Return a session that is near the harmful call; None where there can be none."""
        if self.recorder.called(frozenset({"XASession.xa_resource", "XAJMSContext.xa_resource"})):
            return None
        return self._within() if self.place == WITHIN else self._beside(mode, transacted=transacted)

    def _apart(
        self, mode: int = api.Session.AUTO_ACKNOWLEDGE, *, transacted: bool = False, client_id: str | None = None
    ) -> Desk:
        """Open a connection with a session."""
        factory = self._provider.connection_factory()
        if "classic" in self.case.profile.claims.api:
            connection = factory.create_connection()
            self._closing.append(connection.close)
            if client_id is not None:
                connection.client_id = client_id
            connection.start()
            return ClassicDesk(connection.create_session(transacted=transacted, session_mode=mode), connection.close)
        context = factory.create_context(session_mode=api.Session.SESSION_TRANSACTED if transacted else mode)
        self._closing.append(context.close)
        if client_id is not None:
            context.client_id = client_id
        return SimplifiedDesk(context, context.close)

    def _beside(self, mode: int, *, transacted: bool) -> Desk | None:
        """Open another session of the connection whose part the harmful call is about."""
        connection = next((each for each in self._line if isinstance(each, api.Connection)), None)
        if connection is None or isinstance(connection, api.QueueConnection | api.TopicConnection | api.XAConnection):
            return None
        session = self.recorder.behind(connection).create_session(transacted=transacted, session_mode=mode)
        return ClassicDesk(session, session.close)

    def _within(self) -> Desk | None:
        """Take the session that the harmful call is about, unless a listener owns its thread."""
        if self.recorder.called(_LISTENING):
            return None
        session = next((each for each in self._line if isinstance(each, api.Session | api.JMSContext)), None)
        if session is None or isinstance(
            session, api.QueueSession | api.TopicSession | api.XASession | api.XAJMSContext
        ):
            return None
        if session is self._line[0]:  # the call ends or undoes the session itself
            return None
        raw = self.recorder.behind(session)
        return SimplifiedDesk(raw, _nothing) if isinstance(session, api.JMSContext) else ClassicDesk(raw, _nothing)

    # -- looking ---------------------------------------------------------------------------------------------------

    def _ended(self) -> bool:
        return self.recorder.called(frozenset(f"Provider.{word}" for word in _ENDS_ALL))

    def _gone(self, bystander: Bystander) -> bool:
        """Return whether the case has ended the bystander rightly, with its session, its connection or the provider."""
        if self._ended():
            return not bystander.lasting
        if self.place == APART:
            return False
        rightly = frozenset({"close", "sever"})
        if self.recorder.called(frozenset({"Provider.sever", "Provider.administer"})):
            return True
        owners = [each for each in self._line if isinstance(each, api.Connection | api.Session | api.JMSContext)]
        if self.place == BESIDE:
            owners = [each for each in owners if isinstance(each, api.Connection)]
        return any(self.recorder.called_on(each, rightly) for each in owners)

    def _revive(self) -> None:
        """Start the connection of the bystander again, which the case may have stopped."""
        if self.place == APART:
            return
        connection = next((each for each in self._line if isinstance(each, api.Connection)), None)
        context = next((each for each in self._line if isinstance(each, api.JMSContext)), None)
        if connection is not None:
            self.recorder.behind(connection).start()
        elif context is not None:
            self.recorder.behind(context).start()


def _nothing() -> None:
    """Close nothing: the session is the case's."""
