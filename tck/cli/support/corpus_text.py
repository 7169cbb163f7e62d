"""One program of the corpus for people: numbered calls, the stored outcome of each, and the rows that own what is compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tck.blame.cells import owned_cells
from tck.cli.support import choices
from tck.cli.support.console import Problem, emit, emit_json
from tck.programs.comparing.outcomes import named, views
from tck.programs.corpus import Corpus, CorpusError, Entry, corpus_in
from tck.programs.expectation import Expectation
from tck.programs.program import Json, Observation
from tck.programs.sentences import ACTS, sentence
from tck.record import Exit
from tck.suite.support.corpus import FOLDER

_LONGEST = 110


def number_of(text: str, corpus: Corpus) -> int:
    """Return the number of a program that a person names: ``0137`` or ``corpus/0137``.

    Raises:
        Problem: There is none.
    """
    digits = text.removeprefix("corpus/")
    if not digits.isdigit() or int(digits) not in corpus.entries:
        last = max(corpus.entries, default=0)
        raise Problem(f"there is no program {text!r} in the corpus; the programs are corpus/0001 to corpus/{last:04}")
    return int(digits)


def explain_program(identifier: str, form: str) -> int:
    """Print a program of the corpus.

    Raises:
        Problem: There is none of that number, or the corpus cannot be read.
    """
    corpus = corpus_in(FOLDER)
    try:
        entry = corpus.entries[number_of(identifier, corpus)]
        expectation = corpus.expectation(entry.number, entry.versions[0])
    except CorpusError as error:
        raise Problem(str(error)) from error
    if form == "json":
        emit_json(_json(entry, expectation))
    else:
        emit("\n".join(_lines(entry, expectation)))
    return Exit.CONFORMANT


def _json(entry: Entry, expectation: Expectation) -> dict[str, Json]:
    return {
        "id": f"corpus/{entry.name}",
        "versions": list(entry.versions),
        "apis": list(entry.apis),
        "domains": list(entry.domains),
        "features": list(entry.features),
        "hooks": list(entry.hooks),
        "virtual": entry.virtual,
        "brokers": list(entry.brokers),
        "unsettled": list(entry.unsettled),
        "cells": entry.cells,
        "theme": entry.theme,
        "title": entry.title,
        "seed": entry.seed,
        "rows": list(entry.rows),
        "program": expectation.program.to_json(),
        "seen": list(expectation.seen),
    }


def _lines(entry: Entry, expectation: Expectation) -> Iterator[str]:
    yield f"corpus/{entry.name}  {entry.title or entry.theme}"
    yield ""
    yield f"  {entry.steps} calls, {entry.cells} outcomes compared"
    yield ""
    needs = [*entry.apis, *entry.domains, *entry.features, *(f"hook {each}" for each in entry.hooks)]
    yield f"  versions  {', '.join(entry.versions)}"
    yield f"  needs     {', '.join([*needs, *(['a clock that stands still'] if entry.virtual else [])])}"
    yield f"  made by   seed {entry.seed}"
    yield f"  agreed    {', '.join(entry.brokers) or 'no broker has been asked yet: judges virtual clocks only'}"
    if entry.unsettled:
        yield f"  against   {', '.join(entry.unsettled)}: not settled, so it judges virtual clocks only"
    yield ""
    for number, (step, seen) in enumerate(zip(expectation.program.steps, expectation.seen, strict=False), 1):
        if step.do in ACTS:
            yield ""
        yield f"  {number:>3}  {sentence(step)}"
        shown = outcome_text(seen)
        if shown:
            yield f"         -> {shown}"[:_LONGEST]
    yield ""
    yield "Rows that own the outcomes, with the number of outcomes"
    counts = Counter(row for cell in owned_cells(expectation) for row in cell.rows)
    known = choices.catalogue()
    for row in entry.rows:
        yield f"  {row:<12} {counts[row]:>3}  {known[row].title}"
    yield ""
    yield f"  run it    tck run corpus/{entry.name}"


def outcome_text(seen: Observation) -> str:
    """Return an outcome in a few words; nothing for a call that returned and shows nothing."""
    if "raises" in seen:
        return f"raises {seen['raises']}"
    given = [named(each) for by in seen.get("delivered", {}).get("by", {}).values() for each in by]
    delivered = f"delivered {', '.join(given)}" if given else ""
    ok = seen.get("ok")
    if not isinstance(ok, dict):
        return delivered or ("" if ok is None else repr(ok))
    if "shown" in ok or isinstance(ok.get("got"), (list, dict)):
        messages = views(ok)
        shown = ", ".join(map(named, messages)) if all(isinstance(each, dict) for each in messages) else repr(messages)
        return shown or "no message"
    if "got" in ok:
        return "no message" if ok["got"] is None else repr(ok["got"])
    as_wanted = "headers" in ok or "callback" in ok or all(each is True for each in ok.values())
    return delivered or ("" if as_wanted else repr(ok))
