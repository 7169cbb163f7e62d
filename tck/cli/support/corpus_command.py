"""`tck corpus review`: the stored outcomes of programs that the reference provider of today does not show any more."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Sequence

import click

from tck.cli.support import choices
from tck.cli.support.console import Problem, emit, emit_json, note
from tck.cli.support.corpus_text import number_of
from tck.explore.collection import Moved, review, rewrite
from tck.programs.comparing.content import first_difference
from tck.programs.corpus import Corpus, CorpusError
from tck.programs.program import Json
from tck.programs.rendering import call_text
from tck.record import Exit
from tck.suite.support.corpus import FOLDER

_LONGEST = 160


@click.group("corpus")
def command() -> None:
    """Look after the programs with stored outcomes that `tck run corpus` runs."""


@command.command("review")
@click.argument("programs", metavar="[PROGRAM]...", nargs=-1)
@click.option("--accept", is_flag=True, help="Store what the reference provider shows today; of all programs.")
@choices.format_option
def review_command(programs: tuple[str, ...], accept: bool, form: str) -> int:
    """Run programs of the corpus on the reference provider, and show which stored outcomes moved.

    PROGRAM is a number such as 0137, or its case, corpus/0137; without any, all are reviewed. After a change of the
    reference provider each difference is either a fault of the change or an outcome to accept. The exit code is 1 if an
    outcome moved and was not accepted.
    """
    logging.getLogger().addHandler(logging.NullHandler())  # listeners throw on purpose, which is logged
    corpus = Corpus(FOLDER)
    if accept and programs:
        raise click.UsageError("--accept stores the outcomes of all programs; leave out the numbers")
    try:
        numbers = [number_of(text, corpus) for text in programs] or list(corpus.entries)
        moved = list(review(corpus, numbers, _progress(len(numbers))))
        if accept:  # the index too: its rows follow the tables of owners
            rewrite(corpus)
    except CorpusError as error:
        raise Problem(str(error)) from error
    except OSError as error:
        raise Problem(f"the corpus cannot be written: {error}") from error
    if form == "json":
        emit_json({"reviewed": len(numbers), "accepted": accept, "moved": [_json(each) for each in moved]})
    else:
        emit("\n".join(lines(corpus, moved, len(numbers), accepted=accept)))
    return Exit.CONFORMANT if accept or not moved else Exit.VIOLATION


def _progress(count: int) -> Callable[[int], None]:
    if not sys.stderr.isatty():
        note(f"tck: {count} programs on the reference provider")
        return lambda _: None
    done = iter(range(1, count + 1))
    return lambda _: click.echo(f"\r{next(done)} of {count} programs ", err=True, nl=False)


def _json(each: Moved) -> dict[str, Json]:
    return {
        "program": f"corpus/{each.number:04}",
        "version": each.version,
        "why": each.why,
        "steps": [{"step": step + 1, "stored": before, "now": after} for step, before, after in each.steps],
    }


def lines(corpus: Corpus, moved: Sequence[Moved], reviewed: int, *, accepted: bool = False) -> list[str]:
    """Return the moved outcomes for people, and their number."""
    shown: list[str] = []
    for each in moved:
        shown.append(
            f"corpus/{each.number:04}  {each.version}  {len(each.steps)} outcome{'' if len(each.steps) == 1 else 's'} moved"
        )
        if each.why is not None:
            shown.append(f"  no longer legal: {each.why}")
        for step, before, after in each.steps[:3]:
            path, ours, theirs = first_difference(before, after)
            shown.append(f"  {step + 1:>3}  {call_text(corpus.program(each.number).steps[step])}")
            shown.append(f"       {' '.join(path)}: stored {ours!r}"[:_LONGEST])
            shown.append(f"       {' '.join(path)}: now    {theirs!r}"[:_LONGEST])
    programs = len({each.number for each in moved})
    done = "; stored now" if accepted and moved else ""
    return [*shown, f"{programs} of {reviewed} programs show other outcomes than the stored ones{done}"]
