"""Does a claimed hook do anything? Each check is a small program of the suite's own vocabulary, on connections of its own.

A check speaks against a claim only where it saw the opposite of the effect: a link that was severed and still carries
messages, a clock that was advanced and shows the same time. It looks again after the profile's deadline, since an effect may be
slow. If anything else goes wrong, it proves nothing, and the case judges its rows as ever.

`LOAD`, `PROFILE`, `SECOND_PROVIDER` and `NATIVE_CLIENT` promise a fact about the set-up and have no effect to look for.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from tck import api
from tck.catalogue.versions import DELIVERY_DELAYS
from tck.suite.support.case import Case
from tck.suite.support.clients.client import Login
from tck.suite.support.harness.outcome import Ending
from tck.suite.support.values.seen import body

MINUTE: Final = 60_000
CLIENTS_PRIORITY: Final = 2
ADMINISTRATORS_PRIORITY: Final = 7

_Result = TypeVar("_Result")


class NotRecorded:
    """The evidence of a check: none, for its calls are no part of a case."""

    @property
    def events(self) -> Sequence[dict[str, object]]:
        """No events."""
        return ()

    def raised(self, error: BaseException) -> bool:  # noqa: ARG002 - the signature of Evidence
        """Return False."""
        return False


def without_effect(case: Case, hook: api.Hook) -> str | None:
    """Return the sign that a claimed hook has no effect, or None if nothing shows that.

    Args:
        case: A case of its own on the provider itself; its connections are closed at the end.
        hook: The hook.
    """
    check = CHECKS.get(hook)
    if check is None:
        return None
    try:
        return check(case)
    except _NotImplementedHook as error:
        return str(error)
    except (Exception, Ending):  # noqa: BLE001 - something else is broken, which the suite's cases judge
        return None
    finally:
        for _ in case.close():
            pass


class _NotImplementedHook(Exception):  # noqa: N818 - it names the finding
    """The method of a claimed hook raised UnsupportedOperationException."""


def _use(what: str, call: Callable[[], _Result]) -> _Result:
    try:
        return call()
    except api.UnsupportedOperationException as error:
        raise _NotImplementedHook(f"{what} raised UnsupportedOperationException: {error}") from error


def _persists(case: Case, unchanged: Callable[[], bool], effect: api.Event | None = None) -> bool:
    """Return whether a state is the old one, now and after the profile's deadline; `effect` ends the wait early."""
    if not unchanged():
        return False
    if (effect or case.provider.clock.event()).wait(case.timing.deadline):
        return False
    return unchanged()


def _in_time(case: Case, what: str, call: Callable[[], bool]) -> bool:
    """Return the answer of a call on a thread of its own; False if it raised or did not return in time."""
    try:
        return case.spawn(what, call).result()
    except (Exception, Ending):  # noqa: BLE001 - a dead object may raise anything
        return False


class _Told(api.ExceptionListener):
    """An exception listener that keeps the fact of its call."""

    def __init__(self, event: api.Event) -> None:
        self.event = event

    def on_exception(self, exception: Exception) -> None:
        """Note the call."""
        del exception
        self.event.set()


def _outlived(case: Case, what: str, break_it: Callable[[api.Connection | api.JMSContext], None]) -> str | None:
    """Return a text if a connection carries messages after it should have been broken and nobody told its listener."""
    link = case.link("auto")
    told = _Told(case.provider.clock.event())
    link.client.connection.exception_listener = told
    numbers = iter(range(100))

    def carries() -> bool:
        text = f"after {what} {next(numbers)}"
        link.send(text)
        return any(body(message) == text for message in iter(link.poll, None))

    if not carries():
        return None
    _use(what, lambda: break_it(link.client.connection))
    alive = _persists(case, lambda: not told.event.is_set() and _in_time(case, "a round trip", carries), told.event)
    return f"a connection from before {what} still carried a message {case.timing.deadline} ms later" if alive else None


def _sever(case: Case) -> str | None:
    return _outlived(case, "sever", case.provider.sever)


def _restart(case: Case) -> str | None:
    return _outlived(case, "restart", lambda _: case.provider.restart())


def _kill(case: Case) -> str | None:
    return _outlived(case, "kill", lambda _: case.provider.kill())


def _clock(case: Case) -> str | None:
    clock = case.provider.clock
    if not clock.virtual:
        return "the clock of the provider is not virtual"
    link = case.link("auto")
    link.send("expires", ttl=MINUTE // 2)
    delays = case.offers(DELIVERY_DELAYS)
    if delays:
        link.sender.set(delay=MINUTE // 2)
        link.send("is delayed")
    before = clock.now()
    _use("advance", lambda: clock.advance(MINUTE))
    if clock.now() - before < MINUTE:
        return f"advance({MINUTE}) moved the time by {clock.now() - before} ms"
    if not delays:  # expired messages may be delivered (3.4.9-7)
        return None
    came = list(_all(link.poll))
    if "expires" in came and "is delayed" not in came:
        return "after advance an expired message was delivered, and a delayed one that was due was not"
    return None


def _all(poll: Callable[[], api.Message | None]) -> Iterator[object]:
    while (message := poll()) is not None:
        yield body(message)


def _pending(case: Case) -> str | None:
    link = case.link("auto", domain="queue", consumes=False)
    before = _use("pending", lambda: case.provider.pending(link.destination))
    link.send_all(["first", "second"])
    unchanged = _persists(case, lambda: case.provider.pending(link.destination) == before)
    held = list(_all(case.link("auto", destination=link.destination).poll))
    if unchanged and held == ["first", "second"]:
        return f"pending returned {before} for a queue that was empty, and that held two messages"
    return None


def _administer(case: Case) -> str | None:
    found = _override(case) if "admin-override" in case.profile.claims.features else None
    if found is None and api.Hook.AUTHENTICATION in case.provider.hooks:
        found = _users(case)
    return found


def _override(case: Case) -> str | None:
    link = case.link("auto")
    _use(
        'administer("override")',
        lambda: case.provider.administer("override", destination=link.destination, priority=ADMINISTRATORS_PRIORITY),
    )

    def clients() -> bool:
        sent = link.send("x", priority=CLIENTS_PRIORITY)
        received = link.poll()
        return received is not None and [sent.jms_priority, received.jms_priority] == [CLIENTS_PRIORITY] * 2

    if _persists(case, clients):
        return f'administer("override", priority={ADMINISTRATORS_PRIORITY}) left messages the priority {CLIENTS_PRIORITY} of the client'
    return None


def _users(case: Case) -> str | None:
    listed = Login(case.name("u"), "secret")
    try:
        case.provider.administer("users", **{listed.user: listed.password})
    except api.UnsupportedOperationException:  # not every administrator knows users
        return None
    if _persists(case, lambda: _refused(case, listed)):
        return 'administer("users") named a user, who was refused'
    return None


def _refused(case: Case, login: Login) -> bool:
    try:
        case.client("auto", login=login)
    except (api.JMSSecurityException, api.JMSSecurityRuntimeException):
        return True
    return False


def _authentication(case: Case) -> str | None:
    def serves() -> bool:
        stranger = case.client("auto", login=Login(case.name("u"), "wrong"))
        link = case.link(client=stranger)
        link.send("x")
        return link.poll() is not None

    if _persists(case, lambda: _in_time(case, "the work of a stranger", serves)):
        return "a user name and password that nobody set up were accepted"
    return None


def _fault(case: Case) -> str | None:
    link = case.link("transacted", consumes=False)
    watcher = case.link("auto", destination=link.destination)

    def commits() -> bool:
        link.put("x")
        with contextlib.suppress(api.JMSException, api.JMSRuntimeException):
            link.client.commit()
            return watcher.poll() is not None
        return False

    _use(
        'administer("fail-next-commit")',
        lambda: case.provider.administer("fail-next-commit", connection=link.client.connection),
    )
    if _persists(case, commits):
        return 'after administer("fail-next-commit") commits took effect'
    return None


CHECKS: Final[Mapping[api.Hook, Callable[[Case], str | None]]] = {
    api.Hook.RESTART: _restart,
    api.Hook.KILL: _kill,
    api.Hook.SEVER: _sever,
    api.Hook.CLOCK: _clock,
    api.Hook.PENDING: _pending,
    api.Hook.ADMINISTER: _administer,
    api.Hook.AUTHENTICATION: _authentication,
    api.Hook.FAULT: _fault,
}
"""The check of each hook that has an effect."""
