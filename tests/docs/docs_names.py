"""The names and paths that a page holds in backticks, looked up in the checkout.

A name resolves if it is a module of ours, or an attribute of a module or class of ours, by reading the sources (no import). It may be
shortened from the left: `record.outcomes.judge` stands for `tck.record.outcomes.judge`. A path resolves if the file or folder exists, from
the root, beside the page, or shortened from the left; placeholders (NAME, `chNN_<chapter>`, `*`) must match something.
"""

from __future__ import annotations

import ast
import fnmatch
import os
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from docs_support import ROOT, titled_blocks

PACKAGES = ("tck", "reference_provider", "faults", "reports", "benchmarks")
FOLDERS = (*PACKAGES, "profiles", "tests", "docs", ".ci")
ENDINGS = r"py|toml|md|json|txt|j2|csv|ini|yml|ndjson(?:\.zst)?|css|js|sqlite|log"

FOREIGN = (
    "backports.", "compression.", "str.",  # of Python and its libraries
    "java.", "javax.", "jakarta.", "spark.",  # of Java and Spark
    "tck.objects",  # a package of Java, made at run time
    "claims.",  # keys of a profile
)  # fmt: skip
"""How dotted words begin that are not names of our Python."""
INSTANCES = {"case": "Case", "timing": "Timing", "patch": "Patch"}
"""Variables and attributes whose class no annotation names, and the class."""
OF_THE_READER = {
    "mine.toml", "mine.py", "mybroker.py", "mybroker.toml",  # the provider of the reader
    "index.html",  # the first page of a site
    "conformance-baseline.json", "baseline.json", "conformance/baseline.json", "x.json", "FILE.json",  # results
    "NAME.py", "NAME.toml",  # what a command writes under a name that the reader gives
    "runs/R.json", "checks/R.json",  # the layout of a store
}  # fmt: skip
"""Files that the reader has or makes."""

_FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?=$|\()")
_PATH = re.compile(rf"(?:{'|'.join(map(re.escape, FOLDERS))})/\S*|[^\s\"'=~$]+\.(?:{ENDINGS})")
_PLACEHOLDER = re.compile(r"<\w+>|\bN+\b|NN|NAME|RUN|PROFILE|SEED|\.{3}")


def spans(text: str) -> list[str]:
    """Return the code spans of a page, its fenced blocks left out."""
    return [found[2].strip() for found in _SPAN.finditer(_FENCE.sub("", text))]


def names(text: str) -> list[str]:
    """Return the dotted names of a page, without arguments."""
    found = [each[0] for span in spans(text) if (each := _NAME.match(span))]
    found = [each for each in found if not _PATH.fullmatch(each) and each not in OF_THE_READER]
    return [each for each in found if not each.startswith(FOREIGN)]


def paths(text: str) -> list[str]:
    """Return the paths of a page, those in commands included; not those of files that a command writes for its reader."""
    words = [word for span in spans(text) if "://" not in span for word in span.split()]
    found = [word for word in words if _PATH.fullmatch(word) and word not in OF_THE_READER]
    return [word for word in found if word.startswith(".ci/") or not word.startswith(("/", "."))]


def unresolved(text: str, page: Path) -> list[str]:
    """Return the names and paths of a page that do not exist."""
    return [name for name in names(text) if not resolves(name)] + [
        path for path in paths(text) if not exists(path, page)
    ]


def resolves(name: str) -> bool:
    """Return whether a module, class or attribute of ours has this name, or this end of its name."""
    words = name.split(".")
    words = [INSTANCES.get(words[0], words[0]), *words[1:]]
    for count in range(len(words), 0, -1):
        head, rest = tuple(words[:count]), words[count:]
        if any(module.holds(rest) for module in modules_ending(head)):
            return True
    return any(found.holds(words[1:]) for found in classes().get(words[0], []))


def exists(path: str, page: Path) -> bool:
    """Return whether a path leads somewhere, or is the name of a file that our code writes."""
    pattern = _PLACEHOLDER.sub("*", path.rstrip("/"))
    if (ROOT / path).exists() or (page.parent / path).exists():
        return True
    if any(fnmatch.fnmatchcase(each, pattern) or fnmatch.fnmatchcase(each, f"*/{pattern}") for each in tree()):
        return True
    return "/" not in path and (path in written() or path in titled_blocks())


@dataclass(frozen=True)
class Scope:
    """A module or class: its attributes, each with the classes of its value where the source names them, and its bases."""

    attributes: dict[str, list[str]] = field(default_factory=dict)
    bases: list[str] = field(default_factory=list)

    def holds(self, words: list[str], above: frozenset[str] = frozenset()) -> bool:
        """Return whether these attributes can be read one after the other; `above` are the classes that inherit this one."""
        if not words:
            return True
        first, *rest = words
        if first in self.attributes:
            types = [first, INSTANCES.get(first, first), *self.attributes[first]]
            return not rest or any(found.holds(rest) for name in types for found in classes().get(name, []))
        bases = [base for base in self.bases if base not in above]
        return any(found.holds(words, above | {base}) for base in bases for found in classes().get(base, []))


@cache
def tree() -> tuple[str, ...]:
    """Return the files and folders of the checkout, relative to its root."""
    found = [each.name for each in ROOT.iterdir() if each.is_file()]
    for folder in FOLDERS:
        for where, below, files in os.walk(ROOT / folder):
            below[:] = [each for each in below if not each.startswith((".", "__"))]
            found += [str((Path(where) / each).relative_to(ROOT)) for each in [*below, *files]]
    return tuple(found)


@cache
def sources() -> dict[tuple[str, ...], tuple[str, ast.Module]]:
    """Return text and syntax tree of each module of ours, by its dotted name. `tck.reports` is `reports`."""
    found = {}
    for path in map(Path, tree()):
        if path.suffix == ".py" and path.parts[0] in PACKAGES:
            parts = path.parent.parts if path.stem == "__init__" else path.with_suffix("").parts
            text = (ROOT / path).read_text(encoding="utf-8")
            found[("tck", *parts) if parts[0] == "reports" else parts] = text, ast.parse(text)
    return found


@cache
def written() -> frozenset[str]:
    """Return the names of files that stand in our sources as strings: those that a command writes."""
    text = "\n".join(text for text, _ in sources().values())
    return frozenset(re.findall(rf"[\"'/]([\w-]+\.(?:{ENDINGS}))\b", text))


@cache
def modules() -> dict[tuple[str, ...], Scope]:
    found = {name: scope(body) for name, (_, body) in sources().items()}
    for name in list(found):  # packages without __init__, and submodules as attributes
        for count in range(1, len(name)):
            found.setdefault(name[:count], Scope()).attributes.setdefault(name[count], [])
    return found


@cache
def modules_ending(words: tuple[str, ...]) -> tuple[Scope, ...]:
    return tuple(scope for name, scope in modules().items() if name[-len(words) :] == words)


@cache
def classes() -> dict[str, list[Scope]]:
    found: dict[str, list[Scope]] = {}
    for _, body in sources().values():
        for node in ast.walk(body):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(scope(node))
    return found


def scope(node: ast.Module | ast.ClassDef) -> Scope:
    made = Scope(bases=[each for base in getattr(node, "bases", []) for each in mentioned(base)])
    for child in node.body:
        define(made, child)
    if isinstance(node, ast.ClassDef):
        for each in ast.walk(node):
            if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store) and _is_self(each.value):
                made.attributes.setdefault(each.attr, [])
    return made


def define(made: Scope, node: ast.stmt) -> None:
    """Enter what a statement defines."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            made.attributes[node.name] = mentioned(node.returns)
        case ast.ClassDef():
            made.attributes[node.name] = []
        case ast.AnnAssign(target=ast.Name(id=name)):
            made.attributes[name] = mentioned(node.annotation)
        case ast.Assign():
            for target in node.targets:
                made.attributes.update((each.id, []) for each in ast.walk(target) if isinstance(each, ast.Name))
        case ast.Import() | ast.ImportFrom():
            made.attributes.update((each.asname or each.name, [each.name]) for each in node.names)
        case ast.If() | ast.Try() | ast.With():
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.stmt):
                    define(made, child)


def mentioned(node: ast.expr | None) -> list[str]:
    """Return the names in an annotation or a base class."""
    if node is None:
        return []
    return [each.id if isinstance(each, ast.Name) else each.attr for each in ast.walk(node)
            if isinstance(each, (ast.Name, ast.Attribute))]  # fmt: skip


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"
