"""Freeze the tiers again: ``python -m tck.profile.freeze``, in a checkout, after an intended change of the catalogue."""

from __future__ import annotations

import sys

from tck.catalogue import load_catalogue
from tck.profile.errors import shown
from tck.profile.locate import profiles_directory
from tck.profile.tiers import TIERS, freeze_tiers, load_tier


def main() -> None:
    """Write all tiers by the rule and print how many assertions each requires."""
    directory = profiles_directory() / "tiers"
    freeze_tiers(directory, load_catalogue())
    for name in TIERS:
        sys.stdout.write(f"{shown(directory / name)}.toml: {len(load_tier(name).required)} required\n")


if __name__ == "__main__":
    main()
