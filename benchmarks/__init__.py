"""Bars: figures that the project promises about itself, measured as ratios within one run.

A benchmark module exposes `BARS`, a sequence of `Bar`; `python -m benchmarks` finds every module of this package.
"""

from benchmarks.bars import Bar, Measured, paired

__all__ = ["Bar", "Measured", "paired"]
