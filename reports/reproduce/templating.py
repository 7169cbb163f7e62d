"""Jinja for source text: nothing is escaped; the writers of values escape for their language."""

from __future__ import annotations

import functools
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

_TEMPLATES = Path(__file__).parent / "templates"


@functools.cache
def _environment() -> Environment:
    return Environment(  # noqa: S701 - source text, not HTML
        loader=FileSystemLoader(_TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )


def render(name: str, /, **context: object) -> str:
    """Render a template of this folder."""
    return _environment().get_template(name).render(**context)
