"""The choices that the oracle demands, in the form of `chosen`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tck.suite.support.selectors.arithmetic import of_property
from tck.suite.support.selectors.expressions import Condition
from tck.suite.support.selectors.spelling import PLAIN, Spelling


def table(
    trees: Iterable[Condition],
    samples: Mapping[str, Mapping[str, object]],
    spellings: Iterable[Spelling] = (PLAIN,),
) -> dict[str, str]:
    """Return the text of each condition, in the spellings in turn, with the names of the samples it chooses."""
    styles = tuple(spellings)
    values = {name: {key: of_property(value) for key, value in sample.items()} for name, sample in samples.items()}
    return {
        tree.text(styles[at % len(styles)]): " ".join(name for name, seen in values.items() if tree.truth(seen))
        for at, tree in enumerate(trees)
    }
