"""Random programs for lawful providers: `tck explore` on each, in processes of their own, two at a time.

A process each, since a change of the provider must not reach the next one, nor the reference provider's side.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

from tck.record import Exit

PROGRAMS: Final = 40
"""The number of programs where none is given."""
SEED: Final = 0
AT_A_TIME: Final = 2
SECONDS: Final = 300.0
"""So long one exploration may take; then it counts as an error of the kit."""


@dataclass(frozen=True, slots=True)
class Programs:
    """What random programs said of one lawful provider.

    Attributes:
        programs: How many ran.
        disagreements: What was said against it, with the rows.
        exit: The exit code of `tck explore`.
    """

    programs: int
    disagreements: tuple[str, ...]
    exit: int

    def to_json(self) -> dict[str, Any]:
        """Render it; the keys are a contract, see docs/cli.md."""
        return {"programs": self.programs, "disagreements": list(self.disagreements), "exit": self.exit}


def explore_lawful(providers: Mapping[str, Mapping[str, object]], programs: int) -> Mapping[str, Programs]:
    """Run so many random programs on each provider.

    Args:
        providers: The settings of the reference provider that make each.
        programs: How many programs each runs.
    """
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        found = pool.map(lambda settings: _explore(settings, programs), providers.values())
        return dict(zip(providers, found, strict=True))


def explored_lines(explored: Mapping[str, Programs], programs: int) -> Iterable[str]:
    """Render what was found, for a terminal."""
    if not explored:
        return
    wrong = {name: each for name, each in explored.items() if each.exit}
    yield f"random programs, {programs} for each: {len(wrong)} of {len(explored)} lawful providers accused"
    for name, each in wrong.items():
        yield f"  {name}"
        yield from (f"    ACCUSED {text}" for text in each.disagreements)


def _explore(settings: Mapping[str, object], programs: int) -> Programs:
    words = [word for key, value in settings.items() for word in ("--setting", f"{key}={json.dumps(value)}")]
    with tempfile.TemporaryDirectory(prefix="tck-") as out:
        command = [sys.executable, "-m", "tck", "explore", "-p", "reference", *words, "--programs", str(programs)]
        command += ["--seed", str(SEED), "--format", "json", "--out", out]
        try:
            ended = subprocess.run(command, check=False, capture_output=True, encoding="utf-8", timeout=SECONDS)  # noqa: S603 - this Python
        except subprocess.TimeoutExpired:
            return Programs(0, (f"no answer within {SECONDS:.0f} s",), Exit.KIT_ERROR)
    if ended.returncode not in {Exit.CONFORMANT, Exit.VIOLATION}:
        return Programs(0, tuple(ended.stderr.strip().splitlines()[-1:]), Exit.KIT_ERROR)
    output = json.loads(ended.stdout)
    said = tuple(
        f"{' '.join(each['rows'])}: {each['call']}, {each['what']}: {each['seen']}"
        for each in output["findings"]
        if each["verdict"] == "disagreement"
    )
    return Programs(output["programs"], said, ended.returncode)
