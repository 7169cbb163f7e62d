"""`tck play`: take part in a scenario at the terminal. Lives here since it judges nothing and leaves no bundle."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

from tck.adapters.opening import open_provider
from tck.cli.support import choices
from tck.cli.support.console import Problem, emit
from tck.play import PLAYS
from tck.profile import ProfileError, load_profile
from tck.profile.errors import AdapterError, ProviderUnreachable
from tck.record import Exit


@click.command("play")
@click.argument("scenario", type=click.Choice(list(PLAYS)))
@choices.profile_option
def command(scenario: str, profile: str) -> int:
    """Take part in a scenario at the terminal: a chat, a phone call, or stock quotes.

    The other roles are programs. Each line that you type is what you say; the first line shows how to end.
    """
    try:
        known = load_profile(profile, choices.catalogue())
        with (
            tempfile.TemporaryDirectory() as folder,
            open_provider(known, Path(folder)) as provider,
            provider.clock.actor(),
        ):
            PLAYS[scenario](provider, known.names.shape, _typed(), emit)
    except ProfileError as error:
        raise Problem(str(error)) from error
    except (AdapterError, ProviderUnreachable) as error:
        raise Problem(str(error), Exit.PROVIDER_LOST) from error
    return Exit.CONFORMANT


def _typed() -> Iterator[str]:
    """Yield the lines that the person types, with a prompt if there is a person."""
    while True:
        if sys.stdin.isatty():
            click.echo("> ", nl=False)
        line = sys.stdin.readline()
        if not line:
            return
        yield line.rstrip("\n")
