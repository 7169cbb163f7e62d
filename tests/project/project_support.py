"""The checkout as git sees it."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@cache
def tracked() -> tuple[Path, ...]:
    """Give the files that git tracks and that are there, relative to the root."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    found = tuple(Path(name) for name in listed.split("\0") if name and (ROOT / name).is_file())
    assert len(found) > 100
    return found


def modules(*folders: str) -> list[Path]:
    """Give the tracked Python modules, of all folders or of these."""
    found = [path for path in tracked() if path.suffix == ".py"]
    found = [path for path in found if not folders or any(path.is_relative_to(folder) for folder in folders)]
    assert found, f"no module below {folders}"
    return found


def read(path: Path | str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")
