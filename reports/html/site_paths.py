"""The paths of one site: which cases and assertions have pages, and where the others are shown.

A link to a page that is not written leads to the row of the assertion on the page of its chapter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tck.record.outcomes import Verdict
from tck.reports.html import paths
from tck.reports.labels import SURPRISES
from tck.reports.read import CaseReport
from tck.reports.verdict_tree import AssertionNode, RunTree

ALL: Final = "all"
SOME: Final = "surprises"
KINDS: Final = (ALL, SOME)
"""Which cases get a page: every one, or those whose verdict needs attention or is declared."""
_PAGED = frozenset({*SURPRISES, Verdict.DECLARED})


class SitePaths:
    """Stands for the module `paths` in the templates of one site.

    Args:
        tree: The run.
        kind: One of KINDS.
    """

    def __init__(self, tree: RunTree, kind: str) -> None:
        self._every = kind == ALL
        self._chapters: Mapping[str, str] = {
            node.id: chapter.key for chapter in tree.chapters for node in chapter.assertions
        }
        self._assertions = {node.id for node in tree.assertions if self.has_assertion(node)}
        self._cases = {case.name: case.rows[0] for case in tree.run.cases if not self.has_case(case)}

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - what the module has
        return getattr(paths, name)

    def has_assertion(self, node: AssertionNode) -> bool:
        """Return whether an assertion has a page of its own."""
        return self._every or node.verdict in _PAGED

    def has_case(self, case: CaseReport) -> bool:
        """Return whether a case has a page of its own."""
        return self._every or case.verdict in _PAGED

    def assertion(self, identifier: str) -> str:
        """Return where an assertion is shown."""
        if identifier in self._assertions or identifier not in self._chapters:
            return paths.assertion(identifier)
        return f"{paths.chapter(self._chapters[identifier])}#{identifier}"

    def case(self, name: str) -> str:
        """Return where a case is shown."""
        lead = self._cases.get(name)
        return paths.case(name) if lead is None else self.assertion(lead)
