"""Tables of calls on closed objects: those that work on an open one of the same kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tck.api import AutoCloseable
from tck.suite.support import expect
from tck.suite.support.clients.members import Rows
from tck.suite.support.harness.outcome import Undecided


def all_refused(wanted: type[Exception], closed: Rows, *, though_work: Rows) -> None:
    """Demand an exception of just this type from each call on a closed object that works on an open one.

    A call that an open object refuses, since its state or the provider does not permit it, is left out.

    Raises:
        Undecided: it refuses all of them; its cause is the first refusal, so that calls that are not implemented count as such.
    """
    results, refusals = _sorted(though_work)
    if not results:
        text = f"none of these calls works where it must: {', '.join(though_work)}"
        raise Undecided(text) from next(iter(refusals.values()), None)
    expect.all_raise(
        wanted,
        {what: closed[what] for what in results},
        though_work={what: _constant(value) for what, value in results.items()},
    )


def working(calls: Rows) -> Mapping[str, object]:
    """Call each, and return the values of those that work, which are closed again if they can be."""
    return _sorted(calls)[0]


def _sorted(calls: Rows) -> tuple[Mapping[str, object], Mapping[str, Exception]]:
    """Return the values of the calls that work, and what the others raised."""
    results: dict[str, object] = {}
    refusals: dict[str, Exception] = {}
    for what, call in calls.items():
        try:
            value = call()
            if isinstance(value, AutoCloseable):
                value.close()
        except Exception as error:  # noqa: BLE001 - refused calls are left out
            refusals[what] = error
        else:
            results[what] = value
    return results, refusals


def _constant(value: object) -> Callable[[], object]:
    return lambda: value
