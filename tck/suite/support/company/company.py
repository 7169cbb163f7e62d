"""`Company`: makes the bystander of a case before its first harmful call, and looks at it afterwards."""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from tck import api
from tck.catalogue.versions import offers
from tck.suite.support.company.bystanders import (
    APART,
    BESIDE,
    KINDS,
    WITHIN,
    Browsing,
    Bystander,
    Durable,
    Ground,
    Transaction,
    Unacknowledged,
)
from tck.suite.support.company.calls import BREAKING, HARMFUL, LISTENING, AnyMember, Subscriptions, Witnesses, is_setter
from tck.suite.support.company.desks import ClassicDesk, Desk, SimplifiedDesk
from tck.suite.support.company.domains import DomainDesk, connected, domain_of, of_domain, open_session
from tck.suite.support.company.refused import Refused
from tck.suite.support.harness.running import Elsewhere, RunningCase

_ENDS_ALL: Final = frozenset({"kill", "restart"})
"""Calls after which no connection is left."""
_RIGHTLY: Final = frozenset({"close", "sever"})
"""Calls that end what belongs to their object."""
_RETURNING: Final = frozenset({"recover", "rollback"})
"""Calls after which nothing says how an enumeration of the session's browser goes on."""
_FIRST_USE: Final = frozenset({"create_consumer", "create_durable_consumer", "create_shared_consumer", "start"})
"""Calls on a context by which its connection is set up and started (6.1.4)."""
_ABLE: Final = 2
"""One of so many cases has company, apart from the first of each test."""


def choice(case: RunningCase, seed: int) -> tuple[type[Bystander], str] | None:
    """Return the bystander of a case and its place, by its name and a seed; None if it has no company."""
    turn = zlib.crc32(f"{seed} {case.point.name}".encode())
    alone = case.point.plain or case.point.journey or case.rows[0].chapter == "scenarios"
    able = case.point.first or turn % _ABLE == 0
    return KINDS[turn // _ABLE % len(KINDS)] if able and not alone else None


@dataclass(slots=True)
class Company:
    """The bystander of one case.

    Attributes:
        case: The case.
        recorder: What knows of its calls.
        refused: Tells whether a call is meant to fail.
        seed: Turns the choice of the bystander.
    """

    case: RunningCase
    recorder: Witnesses
    refused: Refused
    seed: int = 0
    call: str = ""
    first: str = ""
    place: str = ""
    bystander: Bystander | None = None
    missing: str = ""
    _line: Sequence[object] = ()
    _closing: list[Callable[[], object]] = field(default_factory=list)
    _ground: Ground | None = None
    _name: str = ""
    _making: bool = False
    _harmed: bool = False
    _subscriptions: Subscriptions = field(default_factory=Subscriptions)

    def expect(self, chosen: tuple[type[Bystander], str] | None = None) -> None:
        """Wait for the case's first harmful call.

        Args:
            chosen: The bystander and its place; by default the one of the case's name, if it is a case that has company.
        """
        chosen = chosen or choice(self.case, self.seed)
        if chosen is not None:
            self.recorder.watch(partial(self._before, *chosen))

    def _before(
        self, kind: type[Bystander], place: str, member: AnyMember, on: object, arguments: Sequence[object]
    ) -> None:
        """Make the bystander before the first call that may harm it; another one before the first that ends something, if that
        would end the bystander rightly.
        """
        ending = member.name in HARMFUL
        replaced = self._subscriptions.replaced(member, arguments)
        if not (ending or replaced or self.refused.now or is_setter(member, on)) or self._making:
            return
        if (
            member.name == "client_id"
        ):  # a bystander may be the first use of the connection, after which the call must fail
            return
        if not ending and self.recorder.called(BREAKING):  # a failure that the case has prepared is its own
            return
        self.call = member.op
        if member.name == "close":
            self._step_aside(on)
        first_ending, self._harmed = ending and not self._harmed, ending or self._harmed
        if self.first and not (first_ending and self._leaves(member.name, on)):
            return
        self._making = True
        try:
            self._make(kind, place, member, on)
        finally:
            self._making = False

    def look(self) -> Elsewhere | None:
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
        own = {SimplifiedDesk: bystander.row_simplified, DomainDesk: bystander.row_domain}.get(type(bystander.desk))
        return Elsewhere(
            own or bystander.row, self.call, f"{bystander.words}, {self.place}, made before {self._calls}: {wrong}"
        )

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

    def _make(self, kind: type[Bystander], place: str, member: AnyMember, on: object) -> None:
        """Make the bystander. What goes wrong here is not the case's: then it has none."""
        self.first, self.place, self.bystander, self.missing = member.op, place, None, ""
        self._line, self._name = self.recorder.line(on), self.case.name("company")
        try:
            desk = self._desk(kind, member)
            self._ground = ground = self._found()
            bystander = kind(desk, ground)
            bystander.make()
        except (Exception, SystemExit) as error:  # noqa: BLE001 - see above
            self.missing = f"{type(error).__name__}: {error}"
            return
        self.bystander = bystander

    @property
    def _calls(self) -> str:
        return self.first if self.call == self.first else f"{self.first}, the last harmful call being {self.call}"

    def _found(self) -> Ground:
        provider, shape = self._provider, self.case.profile.names.shape
        queue, other = (provider.create_queue(shape(f"{self._name}.{part}")) for part in ("q", "o"))
        topic = provider.create_topic(shape(f"{self._name}.t"))
        self._closing[:0] = [partial(provider.drop, each) for each in (queue, other, topic)]
        return Ground(queue, other, topic, self._name, self.case.timing.deadline, self._apart)

    @property
    def _provider(self) -> Any:
        return self.recorder.behind(self.case.provider)

    def _desk(self, kind: type[Bystander], member: AnyMember) -> Desk:
        """Return the session of the bystander: of another connection where its place has none."""
        mode = api.Session.CLIENT_ACKNOWLEDGE if issubclass(kind, Unacknowledged) else api.Session.AUTO_ACKNOWLEDGE
        transacted = issubclass(kind, Transaction)
        desk = None if self.place == APART else self._near(kind, member, mode, transacted=transacted)
        if desk is not None:
            return desk
        self.place = APART
        client_id = self._name if issubclass(kind, Durable) else None
        return self._apart(mode, transacted=transacted, client_id=client_id)

    def _near(self, kind: type[Bystander], member: AnyMember, mode: int, *, transacted: bool) -> Desk | None:
        """Return a session that is near the harmful call; None where there can be none.

        Before a call that ends nothing, the connection must be in use: a fresh one may be meant to get a client identifier, and
        a context that has no consumer is not started.
        """
        if self.recorder.called(BREAKING | {"XASession.xa_resource", "XAJMSContext.xa_resource"}):
            return None
        ending = member.name in HARMFUL
        connection = next((each for each in self._line if isinstance(each, api.Connection)), None)
        context = next((each for each in self._line if isinstance(each, api.JMSContext)), None)
        if not ending and connection is not None and not self.recorder.called_on(connection, frozenset({"start"})):
            return None
        if not ending and context is not None and not self._started(context):
            return None
        if self.place == WITHIN:
            return self._within(kind, ends=ending)
        if context is not None:
            return None if member.name == "close" else self._beside_context(context, mode, transacted=transacted)
        return self._beside(kind, connection, mode, transacted=transacted)

    def _apart(
        self, mode: int = api.Session.AUTO_ACKNOWLEDGE, *, transacted: bool = False, client_id: str | None = None
    ) -> Desk:
        """Open a connection with a session."""
        if self._by_domain:
            desk = connected(self._provider, mode, transacted=transacted, client_id=client_id)
            self._closing.append(desk.close)
            return desk
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

    def _beside(
        self, kind: type[Bystander], connection: api.Connection | None, mode: int, *, transacted: bool
    ) -> Desk | None:
        """Open another session of the connection whose part the harmful call is about."""
        if connection is None or isinstance(connection, api.XAConnection):
            return None
        special = isinstance(connection, api.QueueConnection | api.TopicConnection)
        if special and not self._suits(kind, connection):
            return None
        session = open_session(self.recorder.behind(connection), mode, transacted=transacted)
        return of_domain(session, session.close) if special else ClassicDesk(session, session.close)

    @property
    def _by_domain(self) -> bool:
        """Whether the version has no other interfaces than those of the domains."""
        return not offers(self.case.version, "classic")

    def _suits(self, kind: type[Bystander], of: object) -> bool:
        """Return whether a bystander can be of a session or connection of one domain: where the version has no others."""
        return self._by_domain and domain_of(of) == kind.domain

    def _beside_context(self, context: api.JMSContext, mode: int, *, transacted: bool) -> Desk | None:
        """Open another context on the connection; `_step_aside` closes it before the case's own."""
        if isinstance(context, api.XAJMSContext) or not self._started(context):
            return None
        beside = self.recorder.behind(context).create_context(api.Session.SESSION_TRANSACTED if transacted else mode)
        self._closing.append(beside.close)
        return SimplifiedDesk(beside, beside.close)

    def _started(self, context: api.JMSContext) -> bool:
        """Return whether the connection of a context is in use and started, going by the calls on this context."""
        used = self.recorder.called_on(context, _FIRST_USE)
        return used and not self.recorder.called_on(context, frozenset({"stop", "auto_start"}))

    def _within(self, kind: type[Bystander], *, ends: bool) -> Desk | None:
        """Take the session that the call is about, unless a listener owns its thread."""
        if self.recorder.called(LISTENING):
            return None
        session = next((each for each in self._line if isinstance(each, api.Session | api.JMSContext)), None)
        if session is None or isinstance(session, api.XASession | api.XAJMSContext):
            return None
        special = isinstance(session, api.QueueSession | api.TopicSession)
        if special and not self._suits(kind, session):
            return None
        if ends and session is self._line[0]:  # the call ends or undoes the session itself
            return None
        raw = self.recorder.behind(session)
        if special:
            return of_domain(raw, _nothing)
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
        if self.recorder.called(frozenset({"Provider.sever", "Provider.administer"})):
            return True
        if self.place == WITHIN and self.recorder.called(LISTENING):  # since it was made
            return True
        ending = _RIGHTLY | _RETURNING if self.place == WITHIN and isinstance(bystander, Browsing) else _RIGHTLY
        return any(self.recorder.called_on(each, ending) for each in self._owners())

    def _owners(self) -> Sequence[object]:
        """Return what the bystander ends with."""
        kinds = api.Connection | api.JMSContext
        if self.place == BESIDE:
            return [each for each in self._line if isinstance(each, kinds)]
        return [each for each in self._line if isinstance(each, kinds | api.Session)]

    def _leaves(self, word: str, on: object) -> bool:
        """Return whether a harmful call, the first, would rightly end the bystander that was made before a lesser one."""
        near = any(each is on for each in self._owners())
        return self.place != APART and near and (word in _RIGHTLY or self.place == WITHIN)

    def _step_aside(self, on: object) -> None:
        """Close a context beside one that the case is about to close: it would keep the connection open (6.1.8)."""
        found = self.bystander
        beside = self.place == BESIDE and found is not None and isinstance(found.desk, SimplifiedDesk)
        if found is not None and beside and any(each is on for each in self._owners()):
            found.desk.close()

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
