"""`tck completion`: print the script that completes `tck` in a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from tck.cli.support.console import Problem, emit
from tck.record import Exit

SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(ctx: click.Context, shell: str) -> int:
    """Print the script that completes commands and options in a shell.

    bash: `eval "$(tck completion bash)"` in ~/.bashrc; zsh: the same with zsh in ~/.zshrc; fish: `tck completion fish`
    into ~/.config/fish/completions/tck.fish.
    """
    made = get_completion_class(shell)
    if made is None:
        raise Problem(f"no completion for {shell}")
    completion = made(ctx.find_root().command, {}, "tck", "_TCK_COMPLETE")
    emit(completion.source_template % completion.source_vars())
    return Exit.CONFORMANT
