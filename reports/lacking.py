"""The assertions that a run did not judge for lack of a call: what is lacking, and how many they are."""

from __future__ import annotations

from collections import defaultdict

from tck.reports import show
from tck.reports.verdict_tree import RunTree


def sentence(tree: RunTree) -> str:
    """Say it, `not claimed: shared subscriptions (157 assertions not judged), delivery delay (26)`; empty if nothing is lacking.

    An assertion counts where no case judged it: each of its cases lacks something.
    """
    found: dict[str, set[str]] = defaultdict(set)
    judged = set[str]()
    for case in tree.run.cases:
        for attempt in case.attempts:
            judged.update(attempt.verdicts.keys() - attempt.lacks.keys())
            for row, what in attempt.lacks.items():
                found[what].add(row)
    kinds: dict[str, list[str]] = defaultdict(list)
    for what, rows in sorted(found.items(), key=lambda item: (-len(item[1] - judged), item[0])):
        kind, _, name = what.partition(": ")
        number = len(rows - judged)
        kinds[kind].append(f"{name} ({show.count(number, 'assertion')} not judged)" if number else name)
    return "; ".join(f"{kind}: {', '.join(names)}" for kind, names in sorted(kinds.items()))
