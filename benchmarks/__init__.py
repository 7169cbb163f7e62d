"""Measurements and long checks of the project: `bars`, `reliability`, `mutants`, and `traces`, the generator of traces.

`python -m benchmarks` runs them. None of this is in the wheel; tests of other rooms import `benchmarks.traces` only.
"""
