"""Calls of an adapter that no contract allows: a result that is no messaging object, an exit, an object of a class that lacks members.

They say nothing about the provider, so no row is judged by a case that met one. Looked for only where a case did not hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from tck import api
from tck.adapters.opening import kind_of
from tck.adapters.recording.iteration import RecordedIterator
from tck.adapters.recording.log import FAIL, KIND, MEMBER, OK, UNKNOWN, VALUE, Logged
from tck.adapters.recording.shapes import Flow, Form, Member, api_types

_WORD = re.compile(r"\w+")
_UNFINISHED: Final = "Can't instantiate abstract class"
"""The beginning of Python's words for an object of a class that lacks members."""


def misfit(log: Iterable[Logged], *, nothing: bool) -> str | None:
    """Return one sentence on the first call that the adapter answered as no adapter may; None if there is none.

    Args:
        log: The recorder's rows.
        nothing: Whether None counts in place of an object. It may also be the provider's word, which rows judge.
    """
    return next(_misfits(log, nothing=nothing), None)


def _misfits(log: Iterable[Logged], *, nothing: bool) -> Iterator[str]:
    for row in log:
        kind, value, member = row[KIND], row[VALUE], row[MEMBER]
        if kind == OK:
            expected = _expected(member, value, nothing=nothing)
            if expected:
                yield f"{member.op} returned {kind_of(value)}; expected {expected}"
        elif kind == UNKNOWN and isinstance(value, SystemExit):
            yield f"{member.op} raised SystemExit: {value}; an adapter reports a failure by an exception of tck.api"
        elif kind == FAIL and type(value) is TypeError and str(value).startswith(_UNFINISHED):
            yield f"{value}; write what is missing, or decorate the class with tck.api.partial"


def _expected(member: Member, value: object, *, nothing: bool) -> str:
    """Return what a call should have returned, if it returned something else."""
    if member.form is not Form.CALL:  # a listener that a getter returns instead of the suite's is judged by its row
        return ""
    if member.result is Flow.ITERATOR:
        fits = isinstance(value, Iterator | RecordedIterator) or (value is None and not nothing)
        return "" if fits else "an iterator"
    if member.result not in {Flow.API, Flow.MESSAGE}:
        return ""
    words = set(_WORD.findall(_annotation(member)))
    kinds = sorted((each for each in api_types() if each.__name__ in words), key=lambda each: each.__name__)
    # An object of another messaging type may be the provider's, a Connection for an XAConnection: rows judge that.
    if not kinds or isinstance(value, tuple(api_types())) or (value is None and ("None" in words or not nothing)):
        return ""
    return " or ".join(f"a tck.api.{each.__name__}" for each in kinds)


def _annotation(member: Member) -> str:
    """Return the text of the annotation of what a member returns."""
    declaring, _, name = member.op.partition(".")
    found = vars(getattr(api, declaring)).get(name)
    function = found.fget if isinstance(found, property) else found
    told = getattr(function, "__annotations__", {}).get("return", "")
    return told if isinstance(told, str) else str(told)
