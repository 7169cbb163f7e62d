"""Ways to lose a side of a branch: its connection is closed or severed, the provider is restarted or killed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from tck.api import Hook
from tck.suite.support.clients.branches import Branching
from tck.suite.support.harness.running import RunningCase

Loss: TypeAlias = Callable[[RunningCase, Branching], None]
"""Loses a side, or the provider with all that is connected to it."""


def closed(case: RunningCase, side: Branching) -> None:
    """Close the connection."""
    del case
    side.client.close()


def severed(case: RunningCase, side: Branching) -> None:
    """Sever the connection."""
    case.needs(Hook.SEVER)
    case.provider.sever(side.client.connection)


def restarted(case: RunningCase, side: Branching) -> None:
    """Restart the provider."""
    del side
    case.needs(Hook.RESTART)
    case.provider.restart()


def killed(case: RunningCase, side: Branching) -> None:
    """Kill the provider; it starts again on the same data."""
    del side
    case.needs(Hook.KILL)
    case.provider.kill()


_HOOKS: Mapping[Hook, Loss] = {Hook.SEVER: severed, Hook.RESTART: restarted, Hook.KILL: killed}


def losses(case: RunningCase) -> dict[str, Loss]:
    """Return the ways that the provider offers, by name; each provider can be left by a close."""
    return {"close": closed, **{hook.value: loss for hook, loss in _HOOKS.items() if case.has(hook)}}
