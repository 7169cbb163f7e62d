"""Reaching a provider: whether it still connects, where its opening was cut, and how it is closed."""

from __future__ import annotations

import contextlib
import threading
import traceback

from tck import api
from tck.adapters.deadline import call_of, is_library, shown
from tck.blame.refusals import LACKING
from tck.patience import join, multiplier

PROBE_PATIENCE = 5.0
"""Seconds that a connection may take when the provider is checked for being there."""


def where_cut(cut: BaseException) -> str:
    """Return the call in which an opening was cut, by the last frame outside of Python's own library."""
    frames = list(traceback.walk_tb(cut.__traceback__))
    own = [frame for frame, _ in frames if not is_library(frame) and "watchdog" not in frame.f_code.co_filename]
    return shown(own[-1]) if own else "no call that is known"


def call_of_main() -> str:
    """Return the call that the main thread is in."""
    return call_of(threading.main_thread())


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
