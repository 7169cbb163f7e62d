"""Does a claimed hook do anything? Each check is a small program of the suite's own vocabulary, on connections of its own.

A check speaks against a claim only where it saw the opposite of the effect: a link that was severed and still carries
messages, a clock that was advanced and shows the same time. It looks again after the profile's deadline, since an effect may be
slow. If anything else goes wrong, it proves nothing, and the case judges its rows as ever.

`LOAD`, `PROFILE`, `SECOND_PROVIDER` and `NATIVE_CLIENT` promise a fact about the set-up and have no effect to look for.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeVar

from tck import api
from tck.suite.support.case import Case
from tck.suite.support.clients.client import Login
from tck.suite.support.harness.outcome import Ending, NoHook
from tck.suite.support.values.seen import body

MINUTE: Final = 60_000
CLIENTS_PRIORITY: Final = 2
ADMINISTRATORS_PRIORITY: Final = 7

_Result = TypeVar("_Result")


def without_effect(case: Case, hook: api.Hook) -> str | None:
    """Return the sign that a claimed hook has no effect, or None if nothing shows that.

    Args:
        case: A case of its own on the provider itself; its connections are closed at the end.
        hook: The hook.

    Raises:
        CaseCut: The trial did not end in time; its connections are left open then.
    """
    check = CHECKS.get(hook)
    if check is None:
        return None
    try:
        sign = check(case)
    except _NotImplementedHook as error:
        sign = str(error)
    except (Exception, Ending):  # noqa: BLE001 - something else is broken, which the suite's cases judge
        sign = None
    for _ in case.close():
        pass
    return sign


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
    """Return a text if a connection, and a transaction on it, go on after the connection should have been broken.

    The transaction is open while the connection should break: a client that connects again by itself does not get it back.
    """
    link = case.link("transacted")
    told = _Told(case.provider.clock.event())
    link.client.connection.exception_listener = told
    numbers = itertools.count(1)

    def begin() -> str:
        text = f"{what} {next(numbers)}"
        link.put(text)
        return text

    begun = [begin()]

    def carries() -> bool:
        link.client.commit()
        came = body(link.take())
        link.client.commit()
        same = came == begun.pop()
        begun.append(begin())
        return same

    if not carries():
        return None
    _use(what, lambda: break_it(link.client.connection))
    if not _persists(case, lambda: not told.event.is_set() and _in_time(case, "a round trip", carries), told.event):
        return None
    return (
        f"{case.timing.deadline} ms after {what} a connection from before committed the transaction that had been open, "
        "and its exception listener was not called"
    )


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
    before = clock.now()
    _use("advance", lambda: clock.advance(MINUTE))
    passed = clock.now() - before
    return f"advance({MINUTE}) moved the time by {passed} ms" if passed < MINUTE else None


def _pending(case: Case) -> str | None:
    link = case.link("auto", domain="queue", consumes=False)
    before = _use("pending", lambda: case.provider.pending(link.destination))
    link.send_all(["first", "second"])
    unchanged = _persists(case, lambda: case.provider.pending(link.destination) == before)
    if not unchanged:
        return None
    receiver = case.link("auto", destination=link.destination)
    if [body(receiver.take()), body(receiver.take())] == ["first", "second"]:
        return f"pending returned {before} for an empty queue, and again when it held two messages"
    return None


def _administer(case: Case) -> str | None:
    if "admin-override" not in case.profile.claims.features:
        return None
    link = case.link("auto")
    # An administrator need not know an action: UnsupportedOperationException proves nothing.
    case.provider.administer("override", destination=link.destination, priority=ADMINISTRATORS_PRIORITY)

    def clients() -> bool:
        sent = link.send("x", priority=CLIENTS_PRIORITY)
        received = link.take()
        return [sent.jms_priority, received.jms_priority] == [CLIENTS_PRIORITY] * 2

    if not _persists(case, clients):
        return None
    return f'administer("override", priority={ADMINISTRATORS_PRIORITY}) left messages the priority {CLIENTS_PRIORITY} of the client'


def _authentication(case: Case) -> str | None:
    if api.Hook.ADMINISTER in case.provider.hooks:
        case.administer("users", **{case.name("u"): "right"})

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

    try:
        case.administer("fail-next-commit", connection=link.client.connection)
    except NoHook:  # an administrator need not know both actions
        send = partial(case.provider.administer, "fail-next-sends", destination=link.destination)
        _use('administer("fail-next-sends")', send)
        return None
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
