"""The options of a run, in a frozen form that is sent to the workers. Imports the layout of bundles only."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from tck.record.runs import RUNS

DEFAULT_PROFILE: Final = "reference"
REAL_TIME: Final = "reference-realtime"
"""The profile of the reference provider on the machine's clock."""
OUT: Final = Path("tck-out")
"""The default folder for bundles and reports."""
SITES: Final = "html"
"""The subfolder for HTML reports, one folder per run id."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The options of a run; the same in the controller and in each worker."""

    run_id: str
    profile: str
    tier: str
    points: str
    seed: int
    strict: bool
    repeat: int
    select: tuple[str, ...]
    settings: tuple[str, ...]
    declarations: bool
    out: str
    forks: int
    forks_most: int
    lanes: int
    budget: int
    """Seconds that the run may take; 0 for as long as it takes."""
    until: float
    """When, in seconds since the epoch, no further case begins for want of time."""
    detect: bool
    detect_scope: str
    detect_lawful: bool
    detect_through: str
    detect_out: str
    everything: bool = False
    second: str = ""
    bridge: str = ""
    channel: str = ""

    def to_json(self) -> str:
        """Render as JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> RunOptions:
        """Read what `to_json` rendered."""
        values = json.loads(text)
        values["select"] = tuple(values["select"])
        values["settings"] = tuple(values["settings"])
        return cls(**values)

    @property
    def is_over(self) -> bool:
        """Whether the time of the run is over, so that no further case begins."""
        return bool(self.budget) and time.time() > self.until

    @property
    def bundle(self) -> Path:
        """The folder of the run bundle."""
        return Path(self.out) / RUNS / self.run_id

    @property
    def site(self) -> Path:
        """The folder of the HTML report."""
        return Path(self.out) / SITES / self.run_id
