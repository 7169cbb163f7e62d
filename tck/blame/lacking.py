"""Which rows a case could not judge for lack of a call, and whether the provider's maintainers disclaim it."""

from __future__ import annotations

from collections.abc import Iterable

from tck import api
from tck.blame.causes import Lack
from tck.blame.refusals import LACKING, Inquiry
from tck.catalogue.owners import load_call_owners
from tck.suite.support.harness.outcome import Broken


def lacks(inquiry: Inquiry, error: BaseException | None) -> dict[str, Lack]:
    """Return the rows with the call that each lacks: that of the exception that ended the case or left the row open, or that of
    a broken row all of whose observations are about such exceptions.
    """
    point, marks = inquiry.case.point, inquiry.case.marks
    program = point.corpus and inquiry.claims.without
    if error is None and not (marks.open or marks.failures or program):
        return {}
    missing = [each for each in inquiry.recorder.failures() if inquiry.lacking(each)]
    if program:  # it goes on behind a call that raises, and what it compares from there on follows from that
        disclaimed = [lack for each in missing if (lack := _lack(inquiry, each)).part]
        return dict.fromkeys(point.assertions, disclaimed[0]) if disclaimed else {}
    met = {row: marks.open.get(row, error) for row in (*marks.open, *point.assertions)}
    found = {row: each for row, each in met.items() if each is not None and inquiry.lacking(each)}
    for row in met.keys() - found.keys():
        texts = [each.broken.observed for each in marks.failures if each.row in {row, None}]
        own = texts or ([error.observed] if isinstance(error, Broken) else [])
        if named := _named(missing, own):
            found[row] = named
    lacked = {row: _lack(inquiry, each) for row, each in found.items()}
    present = load_call_owners().present
    return {row: lack for row, lack in lacked.items() if lack.part or row not in present}


def _lack(inquiry: Inquiry, error: BaseException) -> Lack:
    call = inquiry.lacking(error) or ""
    return Lack(call, error, inquiry.disclaimed(error))


def _named(missing: Iterable[BaseException], texts: Iterable[str | None]) -> BaseException | None:
    """Return the first exception that observations name, if each part of them names one."""
    parts = [part for text in texts if text for part in text.split("; ")]
    about = [next((each for each in missing if _tells(part, each)), None) for part in parts]
    return about[0] if about and all(about) else None


def _tells(part: str, error: BaseException) -> bool:
    """Return whether an observation is about an exception: it has its type, and its text where others raise that type, too."""
    lacking = isinstance(error, api.JavaException) and error.java_name in LACKING
    return _name(error) in part and (lacking or str(error) in part)


def _name(error: BaseException) -> str:
    return error.java_name.rpartition(".")[2] if isinstance(error, api.JavaException) else type(error).__name__
