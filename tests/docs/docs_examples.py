"""The page of examples: every scenario with its roles, where each is written, and the commands that run it.

`python tests/docs/docs_examples.py` renews it; a test holds it up to date. Roles are the functions and classes of the
scenario's module, with the first lines of their docstrings.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tck.catalogue import Scenario, load_scenarios

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "examples" / "scenarios.md"
FOLDER = "tck/suite/scenarios"
_FIGURE = re.compile(r"\b\d[\d,.]* (?:MiB|KiB|ms|bytes|messages)\b")
HEAD = """# Every scenario, role by role

Written by `python tests/docs/docs_examples.py`.

Each scenario is one program on the messaging API. `tck run ID` plays it on the reference provider, `-p PROFILE` on another one; `tck lookup ID-1` shows the calls and messages of a
recorded run; `tck explain ID` lists its steps and claims. The page *Scenarios* of the HTML report has a chart of its messages.
"""


def page() -> str:
    """Return the page."""
    return HEAD + "".join(section(each) for each in load_scenarios())


def section(scenario: Scenario) -> str:
    """Return the section of one scenario."""
    module = Path(FOLDER) / f"test_{scenario.id.replace('-', '_')}.py"
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    lines = [
        f"\n## {scenario.title}\n",
        f"`tck run {scenario.id}`, `tck lookup {scenario.id}-1`; shows {', '.join(scenario.features)}; for {', '.join(scenario.profiles)}.",
        "",
        ast.get_docstring(tree) or "",
        "",
        "| role | |",
        "|---|---|",
        *(f"| [`{name}`](../../{module}#L{line}) | {text} |" for name, line, text in roles(tree)),
    ]
    return "\n".join(lines) + "\n"


def roles(tree: ast.Module) -> Iterator[tuple[str, int, str]]:
    """Yield the documented functions and classes of a module: name, line, first line of the docstring."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and (text := ast.get_docstring(node)):
            yield (
                node.name,
                node.lineno,
                _FIGURE.sub(r"`\g<0>`", " ".join(text.split("\n\n")[0].split())).replace("|", "\\|"),
            )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
