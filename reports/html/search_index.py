"""The index of the search over a whole site: a script that each page loads when somebody searches. Works without a server."""

from __future__ import annotations

import json
from pathlib import Path

from tck.reports import show
from tck.reports.html import paths
from tck.reports.html.site_paths import SitePaths
from tck.reports.verdict_tree import RunTree


def write_index(out_dir: Path, tree: RunTree, places: SitePaths) -> None:
    """Write the index: sections, assertions with their statements, and the cases that have pages."""
    entries = [
        [
            str(section.own),
            "",
            str(section.verdict),
            f"{paths.chapter(chapter.key)}#{section.number}",
        ]
        for chapter in tree.chapters
        for section in chapter.sections
    ]
    entries += [
        [
            f"{node.id} {node.title}",
            f"{node.own}: {node.statement}" if tree.own.text else node.statement,
            str(node.verdict),
            places.assertion(node.id),
        ]
        for node in tree.assertions
    ]
    entries += [
        [case.name, show.one_line(case.shown.observed or "", 160), str(case.verdict), paths.case(case.name)]
        for case in tree.run.cases
        if places.has_case(case)
    ]
    text = json.dumps(entries, ensure_ascii=True, separators=(",", ":")).replace("</", "<\\/")
    (out_dir / paths.SEARCH).write_text(f"window.tckSearch={text};\n", encoding="ascii")
