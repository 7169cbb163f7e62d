"""The table of docs/tiers.md: every behaviour that versions ask for differently.

`python tests/docs/docs_tiers.py` renews it; a test holds it up to date.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tck.catalogue.version_differences import load_version_differences
from tck.catalogue.versions import TABLE

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tiers.md"
BEFORE = "All of them:\n\n"


def page(now: str) -> str:
    """Return the page with the table renewed; `now` is its text today."""
    head, mark, _ = now.partition(BEFORE)
    return head + mark + "\n".join(table()) + "\n"


def table() -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| | behaviour | from version on: asked for | rows that show it |"
    yield "|---|---|---|---|"
    for each in load_version_differences():
        said = "<br>".join(f"`{name}` {each.said[name]}" for name in (v.name for v in TABLE) if name in each.said)
        seen = " ".join(f"`{id_}`" for id_ in each.rows)
        yield f"| {each.number} | {each.title} | {said} | {'<br>'.join(filter(None, (seen, each.why)))} |"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
