"""Options and arguments of several commands, and how their values are read."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from tck.catalogue import (
    Catalogue,
    CatalogueError,
    Selection,
    SelectionError,
    load_catalogue,
    parse_selection,
)
from tck.catalogue.sections import reading_order
from tck.cli.support.console import Problem
from tck.patience import VARIABLE, MultiplierError, multiplied, multiplier, read_multiplier
from tck.record import Exit
from tck.running.options import DEFAULT_PROFILE, OUT

F = TypeVar("F", bound=Callable[..., Any])


def select_argument(function: F) -> F:
    """Take selectors: `ch03`, `3.4`, `3.4.3-1`, `level:must`, `feature:xa`, a case glob; several mean any of them."""
    return click.argument("select", nargs=-1, metavar="[SELECT]...")(function)


def format_option(function: F) -> F:
    """Take `--format text|json`."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="Text for people, or one JSON object on stdout and nothing else.",
    )(function)


def profile_option(function: F) -> F:
    """Take `-p PROFILE`."""
    return click.option(
        "-p",
        "--profile",
        default=DEFAULT_PROFILE,
        show_default=True,
        metavar="NAME|FILE",
        help="Provider profile: a name under profiles/providers or a TOML file; PROFILE-VARIANT for a variant of it.",
    )(function)


def setting_option(function: F) -> F:
    """Take `--setting KEY=VALUE`, several times."""
    return click.option(
        "--setting",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        help="Override one adapter setting of the profile (TOML value); repeatable.",
    )(function)


def release_option(function: F) -> F:
    """Take `--release VERSION`."""
    return click.option(
        "--release",
        metavar="VERSION",
        default="",
        help="Run this release of the provider, not the profile's own; its jars are resolved into the cache.",
    )(function)


def with_release(settings: Sequence[str], release: str) -> tuple[str, ...]:
    """Return the settings, the release among them: it is one that the profile takes, not its adapter."""
    return (*settings, f"release={release}") if release else tuple(settings)


def tier_option(function: F) -> F:
    """Take `--tier VERSION`."""
    from tck.profile import TIERS  # noqa: PLC0415 - some commands know no profiles

    return click.option(
        "--tier", metavar="VERSION", default="", help=f"Judge by this specification version: {', '.join(TIERS)}."
    )(function)


def timeout_multiplier_option(function: F) -> F:
    """Take `--timeout-multiplier N`, which holds until the command ends, in its children too."""

    def use(ctx: click.Context, _parameter: click.Parameter, text: str | None) -> None:
        try:
            multiplier()  # a variable that is wrong is told before anything begins
            ctx.with_resource(multiplied(read_multiplier(text, "--timeout-multiplier") if text else None))
        except MultiplierError as error:
            raise Problem(str(error)) from error

    return click.option(
        "--timeout-multiplier",
        metavar="N",
        expose_value=False,
        callback=use,
        help=f"Multiply every timeout, for a slow or shared machine (default: ${VARIABLE}, or 1).",
    )(function)


def out_option(function: F) -> F:
    """Take `--out DIR`."""
    return click.option(
        "--out",
        type=click.Path(file_okay=False, path_type=Path),
        default=OUT,
        show_default=True,
        metavar="DIR",
        help="Where bundles and reports are.",
    )(function)


def bundle_option(function: F) -> F:
    """Take `--bundle RUN`."""
    return click.option(
        "--bundle", metavar="RUN", help="The run to show: its folder, its id or `latest` (default: the newest)."
    )(function)


def catalogue() -> Catalogue:
    """Load the catalogue.

    Raises:
        Problem: it breaks a rule; that is a fault of the kit.
    """
    try:
        return load_catalogue()
    except CatalogueError as error:
        raise Problem(f"the catalogue cannot be read: {error}", Exit.KIT_ERROR) from error


def selection(texts: Sequence[str], known: Catalogue) -> Selection:
    """Read selectors; none select everything.

    Raises:
        Problem: one names nothing that exists.
    """
    try:
        return parse_selection(texts, known)
    except SelectionError as error:
        raise Problem(str(error)) from error


def in_order(ids: Iterable[str]) -> list[str]:
    """Sort row ids as a book does: 3.4.9-1 before 3.4.10-1."""
    return sorted(ids, key=reading_order)


class Seconds(click.FloatRange):
    """A range of seconds; "not a number" is outside of it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401 - click's
        """Read a number."""
        found = super().convert(value, param, ctx)
        if math.isnan(found):
            self.fail(f"{value} is not in the range {self._describe_range()}.", param, ctx)
        return float(found)
