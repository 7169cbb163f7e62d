"""The index of the suite's vocabulary in docs/write-a-test.md: every public name of `tck.suite.support` in one line.

`python tests/docs/docs_vocabulary.py` renews it; a test holds it up to date. The lines are the first lines of the docstrings.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "write-a-test.md"
SUPPORT = ROOT / "tck" / "suite" / "support"
BEGIN, END = "<!-- index: python tests/docs/docs_vocabulary.py -->\n", "<!-- end of the index -->\n"
ROOMS = {
    "case": "The case",
    "expect": "Judgements: `from tck.suite.support import expect`",
    "clients": "Clients, links and messages on their way",
    "lifecycle": "Connections and sessions before, during and after their use",
    "server": "An application server in miniature: connection consumers, server sessions and their pool",
    "xa": "The transaction manager",
    "values": "Headers, properties and bodies as tables",
    "selectors": "Selectors",
    "interworking": "Bridges and channels",
    "journeys": "Journeys",
    "corpus": "Programs of the corpus",
    "plans": "Plans of load",
    "harness": "The harness",
}
"""The rooms in the order of the page, with their headings."""
WITH_METHODS = ("Case", "RunningCase", "Link", "Client", "Sender", "ApplicationServer", "Pool", "Steps")
"""Classes whose methods are part of the vocabulary."""
BASE_OF_CASE = SUPPORT / "harness" / "running.py"
"""The module of `RunningCase`; its methods are listed as those of `Case`, which inherits them."""


def index() -> str:
    """Return the index as Markdown: a heading and a table for each room."""
    return "\n".join(section(room, heading) for room, heading in ROOMS.items())


def section(room: str, heading: str) -> str:
    modules = sorted((SUPPORT / room).glob("[!_]*.py")) if (SUPPORT / room).is_dir() else [SUPPORT / f"{room}.py"]
    rows = [f"| `{name}` | {module.stem} | {line} |" for module in modules for name, line in listed(room, module)]
    return f"### {heading}\n\n| name | module | |\n|---|---|---|\n" + "\n".join(rows) + "\n"


def listed(room: str, module: Path) -> Iterator[tuple[str, str]]:
    inherited = "RunningCase."
    if room == "harness":
        yield from ((name, line) for name, line in names(module) if not name.startswith(inherited))
    else:
        yield from names(module)
    if room == "case":
        own = {name for name, _ in names(module)}
        base = {
            name.replace(inherited, "Case."): line for name, line in names(BASE_OF_CASE) if name.startswith(inherited)
        }
        yield from ((name, line) for name, line in base.items() if name not in own)


def names(module: Path) -> Iterator[tuple[str, str]]:
    """Yield the public names of a module, and the methods of some of its classes, each with one line."""
    body = ast.parse(module.read_text(encoding="utf-8")).body
    for node, following in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and public(node.name):
            yield node.name, first_line(ast.get_docstring(node), module, node.name)
            if isinstance(node, ast.ClassDef) and node.name in WITH_METHODS:
                for method in node.body:
                    if isinstance(method, ast.FunctionDef) and public(method.name):
                        name = f"{node.name}.{method.name}"
                        yield name, first_line(ast.get_docstring(method), module, name)
        name = constant(node)
        if name and public(name):
            yield name, first_line(string(following), module, name)


def public(name: str) -> bool:
    return not name.startswith("_")


def constant(node: ast.stmt) -> str | None:
    """Return the name that a statement of a module assigns."""
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    return target.id if isinstance(target, ast.Name) and isinstance(node, (ast.Assign, ast.AnnAssign)) else None


def string(node: ast.stmt | None) -> str | None:
    """Return the string that follows a constant, which is its docstring."""
    value = node.value if isinstance(node, ast.Expr) else None
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None


def first_line(text: str | None, module: Path, name: str) -> str:
    assert text, f"{module.relative_to(ROOT)}: say in one line what {name} is, or make it private"
    return text.split("\n")[0].replace("|", "\\|")


def renewed(page: str) -> str:
    """Return the page with the index of today."""
    head, _, rest = page.partition(BEGIN)
    _, _, tail = rest.partition(END)
    assert re.search(r"\S", tail), f"no {END.strip()} after {BEGIN.strip()}, or no text after it"
    return f"{head}{BEGIN}\n{index()}\n{END}{tail}"


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
