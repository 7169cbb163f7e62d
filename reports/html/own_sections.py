"""The section numbers of the version that a run is judged by, for pages whose rows are named by the sections of 3.1.

May import `tck.catalogue` and the tree of verdicts. The numbers are those that rows give; nothing is derived from a number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tck.catalogue.sections import reading_order
from tck.catalogue.versions import BY_NAME, NUMBERING, text_title, version_title
from tck.reports.verdict_tree import AssertionNode


@dataclass(frozen=True, slots=True)
class OwnSections:
    """The places of rows in the text of one version.

    Attributes:
        text: The text that states the version's rules, as a row's `sections` names it; empty for the numbering of ids.
        title: The version as people write it, `JMS 1.1`.
        other: What to call the numbering of ids, `Jakarta Messaging 3.1`.
    """

    text: str
    title: str
    other: str = version_title(NUMBERING)

    @classmethod
    def of(cls, tier: str) -> OwnSections:
        """Return those of a tier; a tier that is unknown here has the numbering of ids."""
        version = BY_NAME.get(tier)
        text = version.text if version is not None else NUMBERING
        if version is None or text == NUMBERING:
            return cls("", "")
        named = version.title if text == version.name else f"{version.title} (numbers of {text_title(text)})"
        return cls(text, named)

    def places(self, nodes: Iterable[AssertionNode]) -> tuple[str, ...]:
        """Return the sections of the version that state some rows, in reading order; empty if it numbers none of them."""
        if not self.text:
            return ()
        found = {node.row.sections[self.text] for node in nodes if node.row and self.text in node.row.sections}
        return tuple(sorted(found, key=reading_order))

    def chapters(self, nodes: Sequence[AssertionNode]) -> str:
        """Return where the version states most of some rows: `chapter 4`, `chapters 4 and 6`; empty if they are numbered as in 3.1.

        A chapter that states fewer than a tenth of the rows is left out.
        """
        numbers = Counter(place.partition(".")[0] for node in nodes for place in self.places([node]))
        main = [number for number, rows in numbers.most_common() if rows * 10 >= numbers.total()]
        if not main or main == [nodes[0].section.partition(".")[0]]:
            return ""
        *first, last = main
        return f"chapters {', '.join(first)} and {last}" if first else f"chapter {last}"
