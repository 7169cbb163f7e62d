"""Jinja, configured so that a template cannot forget to escape, with the labels that every page needs.

Each value that a template prints is first made visible (no control, bidirectional or illegal characters), then escaped.
"""

from __future__ import annotations

import functools
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from tck.reports import show
from tck.reports.html import paths
from tck.reports.labels import LEVELS, NOT_A_CERTIFICATE, WORDS, Word, counted
from tck.reports.verdict_tree import in_order

HERE = Path(__file__).parent


@functools.cache
def environment() -> Environment:
    """Build the environment once per process."""
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
        auto_reload=False,
    )
    made.globals.update(
        words=WORDS,
        badges={verdict: _badge(word) for verdict, word in WORDS.items()},
        level_marks={"": Markup(""), **{level: _level(level) for level in LEVELS}},
        paths=paths,
        in_order=in_order,
        count=show.count,
        counted=counted,
        clip=show.clip,
        duration=show.duration,
        link=link,
        not_a_certificate=NOT_A_CERTIFICATE,
    )
    return made


def template(name: str) -> Template:
    """Return a page's template."""
    return environment().get_template(f"{name}.html.j2")


@functools.cache
def asset(name: str) -> Markup:
    """Return the text of the style sheet or the script, as markup."""
    return Markup((HERE / "assets" / name).read_text(encoding="utf-8"))  # noqa: S704 - our own file


def link(target: str) -> Markup:
    """Render an http or https link as a link; anything else (a script, a file) as plain text."""
    shown = show.one_line(target, 200)
    if target.startswith(("https://", "http://")):
        return Markup('<a href="{}" rel="noopener noreferrer">{}</a>').format(target, shown)
    return Markup("<code>{}</code>").format(shown)


def _badge(word: Word) -> Markup:
    """Return the badge of a verdict."""
    return Markup('<span class="badge v-{}"><span class="mark" aria-hidden="true">{}</span>{}</span>').format(
        word.verdict, word.mark, word.label
    )


def _level(name: str) -> Markup:
    return Markup('<span class="level l-{}" title="{}">{}</span>').format(name.lower(), LEVELS[name], name)


@functools.lru_cache(maxsize=4096)
def shown(text: str) -> Markup:
    """Return text as a template would print it, cached for text that is on many pages."""
    return escape(show.visible(text))


def _finalize(value: object) -> object:
    if type(value) is str:
        return show.visible(value)
    return show.visible(value) if isinstance(value, str) and not hasattr(value, "__html__") else value
