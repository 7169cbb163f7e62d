"""How often faults of traces strike."""

import itertools

EVERY = 7
"""Most faults strike once in so many times."""


def now_and_then(every=EVERY):
    """Return a function that is true once in so many calls."""
    calls = itertools.count(1)
    return lambda: next(calls) % every == 0
