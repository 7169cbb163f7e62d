"""The list of judged rows that no test names yet. It is derived, and may only shrink."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path

from tck.cli.support.choices import in_order
from tck.cli.support.console import Problem
from tck.cli.support.suite_tests import SUITE

FILE = SUITE / "untested.txt"
_CEILING = re.compile(r"# ceiling: (\d+)")


def read_untested(text: str) -> tuple[list[str], int]:
    """Return the ids in the list and the ceiling in its header, by default the number of ids."""
    ids = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    ceiling = _CEILING.search(text)
    return ids, int(ceiling[1]) if ceiling else len(ids)


def render_untested(ids: Collection[str], ceiling: int) -> str:
    """Render the list: sorted, one id per line, under a header."""
    head = [
        "# Judged rows that no test of the suite names yet. Derived: `tck coverage --write-untested` writes this file.",
        "# It may only shrink: whoever adds a row writes its test, whoever deletes a test writes another.",
        f"# ceiling: {ceiling}",
    ]
    return "\n".join([*head, *in_order(ids)]) + "\n"


def write_untested(ids: Sequence[str], file: Path = FILE) -> int:
    """Write the list and return how many ids were removed.

    Raises:
        Problem: the list would grow.
    """
    before, ceiling = read_untested(file.read_text(encoding="utf-8")) if file.exists() else (list(ids), len(ids))
    new = in_order(set(ids) - set(before))
    if new:
        raise Problem(
            f"{file.name} may only shrink, and {len(new)} rows would be added: {', '.join(new[:10])}"
            f"{', ...' if len(new) > 10 else ''}; write their tests"
        )
    file.write_text(render_untested(ids, min(ceiling, len(ids))), encoding="utf-8")
    return len(before) - len(ids)
