"""The calls of a provider as a run judges them: which refusals blame nobody, which call is open, whether it still connects."""

from __future__ import annotations

import contextlib
import re
import threading
import traceback
from collections.abc import Iterable
from typing import Final

from tck import api
from tck.adapters.deadline import call_of, is_library, shown
from tck.adapters.recording import OpenCall
from tck.patience import join, multiplier

PROBE_PATIENCE = 5.0
"""Seconds that a connection may take when the provider is checked for being there."""

NO_METHOD = "java.lang.NoSuchMethodError"
"""What Java raises for a call of a method that the API of the provider's jars does not have."""
LACKING = frozenset({NO_METHOD, "java.lang.UnsupportedOperationException", "java.lang.AbstractMethodError"})
"""What Java raises for a call that is not implemented."""

MAKERS = frozenset({"Provider.create_queue", "Provider.create_topic"})
"""Calls of the adapter that every case needs, and that no row is about."""
JUDGED = (api.JMSException, api.JMSRuntimeException, api.JavaException, api.UnsupportedOperationException)
"""Exceptions that are the provider's word; others are the adapter's fault."""

BREAKING = frozenset({"Provider.sever", "Provider.kill", "Provider.restart", "Provider.administer"})
"""Hooks after which a refusal may be a consequence of the failure."""
EXCUSED = (
    api.InvalidSelectorException,  # the selector is refused, not the call
    api.InvalidSelectorRuntimeException,
    api.JMSSecurityException,
    api.JMSSecurityRuntimeException,
    api.ResourceAllocationException,
    api.ResourceAllocationRuntimeException,
    api.TransactionRolledBackException,
    api.TransactionRolledBackRuntimeException,
)
"""Refusals that a legal call may meet, or that blame something else than the call."""


def where_cut(cut: BaseException) -> str:
    """Return the call in which an opening was cut, by the last frame outside of Python's own library."""
    frames = list(traceback.walk_tb(cut.__traceback__))
    own = [frame for frame, _ in frames if not is_library(frame) and "watchdog" not in frame.f_code.co_filename]
    return shown(own[-1]) if own else "no call that is known"


def call_of_main() -> str:
    """Return the call that the main thread is in."""
    return call_of(threading.main_thread())


GIVING: Final = re.compile(r"\w*Message\.(set|write)_")
"""Calls that give a message a value."""


def overload(call: str, arguments: Iterable[object]) -> str:
    """Return the name by which owners know a call: a send with a listener has one of its own, and so has giving a message null."""
    passed = tuple(arguments)
    if call.endswith((".send", ".publish")) and any(isinstance(each, api.CompletionListener) for each in passed):
        return f"{call}(CompletionListener)"
    giving = GIVING.match(call)
    value = passed[1:2] if giving and giving[1] == "set" else passed[:1]  # a name comes first
    return f"{call}(null)" if giving and value == (None,) else call


def without_limit(call: OpenCall) -> bool:
    """Return whether a call may wait for ever: a receive without timeout, or one of a requestor."""
    if call.op.endswith("Requestor.request"):
        return True
    if not call.op.endswith((".receive", ".receive_body")):
        return False
    return not any(type(each) is int and each > 0 for each in call.arguments)


def within_limit(call: OpenCall, clock: api.Clock) -> bool:
    """Return whether a receive may still wait since its timeout has not passed, on a real clock: so long it does not hang."""
    limit = max((each for each in call.arguments if type(each) is int), default=0) * 1_000_000
    receives = call.op.endswith((".receive", ".receive_body"))
    return receives and not clock.virtual and clock.monotonic_ns() - call.since_ns < limit


def refusal_to_connect(provider: api.Provider) -> str | None:
    """Connect once, on a thread of its own; return the error, if any."""
    seen: list[str] = []

    def connect() -> None:
        try:
            with provider.clock.actor():  # a Java provider detaches the thread then
                _connect(provider)
        except Exception as error:  # noqa: BLE001 - whatever it is, no connection was made
            seen.append(f"{type(error).__name__}: {error}")

    thread = threading.Thread(target=connect, daemon=True, name="tck-probe")
    thread.start()
    if not join(thread, PROBE_PATIENCE):
        return f"connecting took more than {PROBE_PATIENCE * multiplier():g} s"
    return seen[0] if seen else None


def _connect(provider: api.Provider) -> None:
    try:
        provider.connection_factory().create_connection().close()
    except api.JavaException as error:
        if error.java_name not in LACKING:
            raise
        provider.queue_connection_factory().create_queue_connection().close()  # before 1.1 there is no other way


def close_quietly(provider: api.Provider) -> None:
    """Close a provider whose errors are of no interest any more."""
    with contextlib.suppress(Exception):
        provider.close()
