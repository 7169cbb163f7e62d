"""The entry point: the group of commands, and how each ending becomes an exit code and at most one message.

Knows the commands by name only and loads the one that is called, so that `tck explain` does not load pytest.
"""

from __future__ import annotations

import importlib
import sys
import traceback
from collections.abc import Mapping, Sequence
from typing import TextIO, cast

import click

from tck import __version__
from tck.cli.support.console import Output, Problem, ReaderGoneError, Settings, reader_gone
from tck.record import Exit, keep_exit_code
from tck.termination import Terminated, heed_ignored_signals, raised_on_sigterm

COMMANDS: Mapping[str, str] = {
    "run": "run the suite against a provider, judge it, write bundle and report",
    "workload": "drive a provider with generated load and faults, judge the trace",
    "explore": "run random programs on a provider and the reference provider: where do they disagree?",
    "list": "list catalogue rows, or the cases of a provider's profile",
    "tiers": "list the tiers, or show how two versions differ, row by row",
    "explain": "show one row: claim, tests, results in a run",
    "report": "write reports from a run bundle",
    "reproduce": "write a program without the kit that shows the fault of a recorded case",
    "releases": "run several releases of a Java provider into one folder of runs",
    "bisect": "find the release of a Java provider in which a verdict turned",
    "matrix": "show several runs side by side: providers by assertions",
    "field-report": "show several products in several releases: their defects, worst first",
    "diff": "show on which cases runs disagree",
    "coverage": "count what the suite tests, by chapter and level",
    "journeys": "list the conditions under which messages travel, and the pairs that met",
    "corpus": "review the stored outcomes of the programs that `tck run corpus` runs",
    "detect": "run the saboteurs and dummies: can each check fail?",
    "init": "write a skeleton of an adapter and its profile",
    "doctor": "check a profile and its provider, step by step",
    "lock": "resolve the jars of a Java provider into its lock file",
    "pipeline": "traces and verdicts of many runs: ingest, check, history",
    "baseline": "declare a run's violations as known deviations",
    "lookup": "what does the reference provider do when ...?",
    "bridge": "run a bridge between a notification channel and a provider",
    "play": "take part in a scenario at the terminal: a chat, a phone call, stock quotes",
    "prune": "remove the bundles and reports of old runs",
    "completion": "print the script that completes commands in a shell",
    "gate": "fail on new violations only, compared with a baseline or a history",
}
"""The commands in the order in which help lists them; each is `command` in the module of its name in this package."""


ROOMS: Mapping[str, str] = {
    "bisect": "tck.cli.across_releases",
    "bridge": "tck.cli.bridging",
    "completion": "tck.cli.support",  # it runs nothing of the kit
    "corpus": "tck.cli.support",  # likewise
    "init": "tck.cli.support",  # likewise
    "play": "tck.cli.support",  # it judges nothing
    "tiers": "tck.cli.support",  # likewise
    "field-report": "tck.cli.across_releases",
    "releases": "tck.cli.across_releases",
}
"""The package of a command that is not in this one."""


class Commands(click.Group):
    """A group that imports a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Import and return a command; None if there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        found = importlib.import_module(
            f"{ROOMS.get(cmd_name, 'tck.cli')}.{cmd_name.replace('-', '_')}_command"
        ).command
        if not isinstance(found, click.Command):
            raise TypeError(f"tck.cli.{cmd_name}_command.command: expected a click command, saw {found!r}")
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "--version", message="tck %(version)s")
@click.option("--debug", is_flag=True, help="Show the traceback of an unexpected error.")
@click.pass_obj
def cli(settings: Settings, debug: bool) -> None:
    """Show which obligations of Jakarta Messaging a provider keeps, with the evidence.

    Exit codes: 0 conformant, 1 violation or stale declaration, 2 interrupted, 3 fault of the kit, 4 usage, 5 nothing
    judged, 6 provider unreachable or lost, 7 terminated.
    """
    settings.debug = debug


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code; every ending but a normal one prints one message to stderr.

    Args:
        arguments: the words after `tck`; by default those of the process, which then also heeds signals that its parent ignores.
    """
    if arguments is None:
        heed_ignored_signals()
    settings = Settings()
    before, sys.stdout = sys.stdout, cast("TextIO", Output(sys.stdout))
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with raised_on_sigterm() as sigterm:
            ended = cli.main(args=words, prog_name="tck", standalone_mode=False, obj=settings)
            sys.stdout.flush()
            if reader_gone():
                return Exit.INTERRUPTED
        return int(Exit.TERMINATED if sigterm.came and ended == Exit.INTERRUPTED else ended or 0)
    except (ReaderGoneError, BrokenPipeError):
        return Exit.INTERRUPTED
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the last resort: no traceback unless asked for
        message, code = _ending(error, settings, words)
        click.echo(message, err=True)
        return code
    finally:
        sys.stdout = before
        keep_exit_code()


def _ending(error: BaseException, settings: Settings, words: Sequence[str]) -> tuple[str, Exit]:
    """Return the message and the exit code for the error that ended a command."""
    match error:
        case click.exceptions.NoArgsIsHelpError():
            return error.format_message(), Exit.USAGE
        case click.UsageError():
            path = error.ctx.command_path if error.ctx else "tck"
            return f"tck: {error.format_message().rstrip('.')}; `{path} --help` lists the options", Exit.USAGE
        case Problem():
            return f"tck: {error.format_message()}", error.code
        case click.Abort() if isinstance(error.__cause__, Terminated):  # click's word for both
            return "tck: terminated", Exit.TERMINATED
        case click.Abort() | KeyboardInterrupt():
            return "tck: interrupted", Exit.INTERRUPTED
        case click.ClickException():
            return f"tck: {error.format_message()}", Exit.USAGE
        case _:
            if settings.debug:
                traceback.print_exception(error)
            first = str(error).strip().split("\n", maxsplit=1)[0]
            return f"tck: a fault of the kit: {type(error).__name__}: {first}\n{_hint(settings, words)}", Exit.KIT_ERROR


def _hint(settings: Settings, words: Sequence[str]) -> str:
    if settings.debug:
        return "please report it with the traceback above"
    return f"`tck --debug {' '.join(words)}` shows where; please report it"
