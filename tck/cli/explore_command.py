"""`tck explore`: run random legal programs on a provider and on the reference provider, and show where they disagree."""

from __future__ import annotations

import contextlib
import json
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from tck.adapters.opening import leave_with
from tck.catalogue import CORPUS
from tck.cli.support import choices
from tck.cli.support.console import Problem, emit, note, stdout_to_stderr
from tck.cli.support.corpus_text import number_of
from tck.explore.exploration import Bounds, Explored, Explorer, Finding, ProviderLost
from tck.explore.rendering import finding_json, finding_lines, store
from tck.profile import AdapterError, ProfileError, ProviderUnreachable, as_asked, load_profile, load_tier
from tck.programs.corpus import CorpusError, corpus_in
from tck.programs.program import Program, ProgramError, read_program
from tck.provenance import new_seed
from tck.record import Exit
from tck.suite.support.corpus import FOLDER

SECONDS = 60.0
"""The bound where none is given."""
VERDICTS = ("disagreement", "flaky", "advisory", "declared")
"""In the order in which they are shown."""


@click.command("explore")
@choices.profile_option
@choices.tier_option
@click.option(
    "--seconds",
    type=choices.Seconds(min=0, min_open=True),
    metavar="N",
    help=f"Run programs for so long (default: {SECONDS:.0f}, unless --programs is given).",
)
@click.option("--programs", type=click.IntRange(min=1), metavar="N", help="Run so many programs.")
@click.option("--seed", type=int, metavar="N", help="Seed of the programs (default: random, printed).")
@click.option("--first", is_flag=True, help="Stop at the first disagreement.")
@click.option(
    "--replay",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Run this stored program, or corpus/0137, and no others; repeatable.",
)
@choices.setting_option
@choices.timeout_multiplier_option
@choices.out_option
@choices.format_option
def command(
    profile: str,
    tier: str,
    seconds: float | None,
    programs: int | None,
    seed: int | None,
    first: bool,
    replay: tuple[Path, ...],
    settings: tuple[str, ...],
    out: Path,
    form: str,
) -> int:
    """Run random legal programs on a provider and on the reference provider, and show where they disagree."""
    if replay and (seconds is not None or programs is not None or seed is not None or first):
        raise click.UsageError("--replay runs stored programs; leave out --seconds, --programs, --seed and --first")
    known = choices.catalogue()
    try:
        found = as_asked(load_profile(profile), tier, settings)
        version = load_tier(tier).version if tier else found.claims.version
        given = [(path, _program(path)) for path in replay]
    except (ProfileError, ProgramError, CorpusError) as error:
        raise Problem(str(error)) from error
    seed = new_seed() if seed is None else seed
    if not replay:
        note(f"tck: explore {found.title} with seed {seed}")
    try:
        with (
            stdout_to_stderr() if form == "json" else contextlib.nullcontext(),
            Explorer(found, version, known) as explorer,
        ):
            if replay:
                explored = _replayed(explorer, given)
            else:
                bounds = Bounds(programs, SECONDS if seconds is None and programs is None else seconds, first)
                explored = explorer.explore(seed, bounds, _progress())
                explorer.shrink(lambda finding: note(f"tck: shrinking a program of {len(finding.program)} calls"))
    except ProgramError as error:
        raise Problem(str(error)) from error
    except (ProviderUnreachable, ProviderLost) as error:
        raise Problem(str(error), Exit.PROVIDER_LOST) from error
    except AdapterError as error:
        raise Problem(str(error)) from error
    folder = None if replay else out / "explore" / f"{found.name}-{seed}"
    code = _exit(explored)
    leave_with(code)
    shown = _stored(explored, folder)
    if form == "json":
        # Programs hold lone surrogates, which no encoding takes: all but ASCII is escaped.
        emit(json.dumps(_json(explored, shown, None if replay else seed, code), indent=2))
    else:
        again = shlex.join(["-p", profile, *(word for text in settings for word in ("--setting", text))])
        emit(_text(explored, shown, again))
    return code


def _program(path: Path) -> Program:
    """Read the program of a file, or that of a case of the corpus."""
    if path.parts[0] == CORPUS and not path.exists():
        corpus = corpus_in(FOLDER)
        return corpus.program(number_of(str(path), corpus))
    return read_program(path)


def _replayed(explorer: Explorer, given: Sequence[tuple[Path, Program]]) -> Explored:
    for path, program in given:
        try:
            explorer.try_again(program)
        except ProgramError as error:
            raise ProgramError(f"{path}: {error}") from error
    return explorer.result


def _progress() -> Callable[[Explored], None]:
    """Return a function that shows progress on a terminal, about twice a second."""
    if not sys.stderr.isatty():
        return lambda _: None
    shown = [0.0]

    def show(explored: Explored) -> None:
        if explored.seconds - shown[0] > 0.5:
            shown[0] = explored.seconds
            click.echo(
                f"\r{explored.programs} programs, {len(explored.findings)} kinds of difference ", err=True, nl=False
            )

    return show


def _exit(explored: Explored) -> Exit:
    if explored.stopped == "interrupt":
        return Exit.INTERRUPTED
    return Exit.VIOLATION if explored.of("disagreement") else Exit.CONFORMANT


def _stored(explored: Explored, folder: Path | None) -> list[tuple[Finding, Path | None]]:
    """Store the programs of the findings that are not declared; return all findings, with their files."""
    found = [each for verdict in VERDICTS for each in explored.of(verdict)]
    return [
        (each, store(each, folder, number) if folder is not None and each.verdict != "declared" else None)
        for number, each in enumerate(found, 1)
    ]


def _text(explored: Explored, shown: Sequence[tuple[Finding, Path | None]], again: str) -> str:
    lines: list[str] = []
    for finding, file in shown:
        if finding.verdict == "declared":
            continue
        lines += finding_lines(finding)
        if file is not None:
            lines.append(f"     rerun     python -m tck explore {again} --replay {file}")
        lines.append("")
    declared: dict[str, int] = {}
    for finding in explored.of("declared"):
        declared[finding.reason or ""] = declared.get(finding.reason or "", 0) + finding.times
    lines += [f"declared  {reason}: {times} times" for reason, times in declared.items()]
    found = {verdict: len(explored.of(verdict)) for verdict in VERDICTS}
    counts = ", ".join(
        f"{count} {verdict}{'s' if verdict == 'disagreement' and count != 1 else ''}"
        for verdict, count in found.items()
        if count or verdict == "disagreement"
    )
    speed = f" in {explored.seconds:.1f} s" if explored.seconds else ""
    lines.append(f"{explored.programs} programs, {explored.steps} calls{speed}: {counts}")
    return "\n".join(lines)


def _json(explored: Explored, shown: Sequence[tuple[Finding, Path | None]], seed: int | None, code: Exit) -> Any:  # noqa: ANN401 - JSON
    return {
        "seed": seed,
        "programs": explored.programs,
        "calls": explored.steps,
        "seconds": round(explored.seconds, 3),
        "stopped": explored.stopped,
        "open": dict(sorted(explored.allowed.items())),
        "findings": [finding_json(*each) for each in shown],
        "exit": int(code),
    }
