"""Find a row by the id that a person typed; if there is none, name the nearest ones."""

from __future__ import annotations

from tck.catalogue.model import Assertion, Catalogue

SHOWN = 12
"""Rows of a section that a message lists."""


class UnknownRowError(LookupError):
    """There is no such row; the message names the nearest ones."""


def find_row(id_: str, catalogue: Catalogue) -> Assertion:
    """Return the row of an id.

    Raises:
        UnknownRowError: There is none.
    """
    if id_ in catalogue:
        return catalogue[id_]
    section = id_.rpartition("-")[0]
    rows = catalogue.section(section)
    if rows:
        listed = ", ".join(row.id for row in rows[:SHOWN]) + (", ..." if len(rows) > SHOWN else "")
        raise UnknownRowError(f"no row {id_}; section {section} has {len(rows)}: {listed}")
    near = _near(id_, catalogue)
    raise UnknownRowError(
        f"no row {id_}; near it are {', '.join(near)}" if near else f"no row {id_}; `tck list` shows them all"
    )


def _near(id_: str, catalogue: Catalogue) -> list[str]:
    from difflib import get_close_matches  # noqa: PLC0415 - only a wrong id needs it

    by_title = {row.title: row.id for row in catalogue.values()}
    ids = get_close_matches(id_, list(catalogue), n=5)
    return ids or [by_title[title] for title in get_close_matches(id_, by_title, n=5)]
