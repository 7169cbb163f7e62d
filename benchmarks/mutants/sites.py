"""The places where a source can be changed, and the changes: one mutant is one small change of one place.

Places that change no behaviour, or only texts, are skipped: docstrings, annotations, imports, error messages, `__repr__`,
decorators, `__slots__` and `__all__`.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

SILENT_FUNCTIONS = frozenset({"__repr__", "__str__", "__init_subclass__"})
SILENT_CALLS = frozenset({"invalid", "TypeVar", "cast", "_refused", "register_assert_rewrite"})
"""Calls that make an error message or a type; their arguments are not changed."""
SILENT_NAMES = frozenset({"__slots__", "__all__", "__match_args__"})

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
    ast.Pow: ast.Mult,
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one place.

    Attributes:
        module: dotted name of the module.
        path: its file.
        line: the changed line, from 1.
        function: qualified name of the innermost function around it; empty at module level.
        first_lines: first lines of the functions around it, innermost last, as in code objects.
        before: the source of the changed piece.
        after: its replacement.
        number: the index of the change in the module, in the order of `mutants_of`.
        twin: the index among changes with the same text in this function, from 1.
    """

    module: str
    path: Path
    line: int
    function: str
    first_lines: tuple[int, ...]
    before: str
    after: str
    number: int
    twin: int = 1

    @property
    def place(self) -> str:
        """Module and function."""
        return f"{self.module.partition('.')[2]}:{self.function or '<module>'}"

    @property
    def id(self) -> str:
        """An identifier that is stable as long as the source around it is: module, function, the piece and its change."""
        said = f"{self.place}: {self.before} -> {self.after}" + (f" #{self.twin}" if self.twin > 1 else "")
        return said.replace('"', "'")  # since Python 3.12 an f-string in an f-string is written with other quotes


Change = tuple[ast.AST, ast.AST]
"""A node and its replacement."""


class _Sites(ast.NodeVisitor):
    """Walks a module and collects the changes, with the functions around each."""

    def __init__(self) -> None:
        self.found: list[tuple[ast.AST, ast.AST, tuple[str, ...], tuple[int, ...]]] = []
        self._names: list[str] = []
        self._lines: list[int] = []

    def _add(self, node: ast.AST, new: ast.AST) -> None:
        self.found.append((node, ast.copy_location(new, node), tuple(self._names), tuple(self._lines)))

    # -- what is left alone ------------------------------------------------------------------------------------------

    def visit_Import(self, node: ast.Import) -> None:
        """Skip."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Skip."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Skip: a formatted string is a text for people."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Change the value only, but not that of a type alias."""
        alias = "TypeAlias" in ast.unparse(node.annotation)
        if node.value is not None and not alias and ast.unparse(node.target) not in SILENT_NAMES:
            self._assigned(node)
            self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        """Skip tables of names."""
        if not any(ast.unparse(target) in SILENT_NAMES for target in node.targets):
            self._assigned(node)
            self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        """Skip code for type checkers; negate a condition that is neither comparison nor logic."""
        if ast.unparse(node.test) == "TYPE_CHECKING":
            return
        self._condition(node.test)
        self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Walk the body; bases and decorators are skipped."""
        self._names.append(node.name)
        self._body(node.body)
        self._names.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Walk the body and the defaults; annotations and decorators are skipped."""
        if node.name in SILENT_FUNCTIONS:
            return
        for default in [*node.args.defaults, *(found for found in node.args.kw_defaults if found)]:
            self.visit(default)
        self._names.append(node.name)
        self._lines.append(min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]))
        self._body(node.body)
        self._names.pop()
        self._lines.pop()

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """Walk the body as part of the enclosing function."""
        self.visit(node.body)

    def _body(self, body: list[ast.stmt]) -> None:
        for statement in body:
            if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):  # a docstring
                self.visit(statement)

    def visit_Module(self, node: ast.Module) -> None:
        """Walk the body."""
        self._body(node.body)

    # -- what is changed ---------------------------------------------------------------------------------------------

    def visit_Compare(self, node: ast.Compare) -> None:
        """Replace each comparison by a neighbouring one."""
        for position, operator in enumerate(node.ops):
            new = copy.deepcopy(node)
            new.ops[position] = COMPARISONS[type(operator)]()
            self._add(node, new)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """Replace `and` by `or` and vice versa; remove each operand once."""
        new = copy.deepcopy(node)
        new.op = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
        self._add(node, new)
        for position in range(len(node.values)):
            rest = copy.deepcopy(node.values[:position] + node.values[position + 1 :])
            self._add(node, rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest))
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Replace each arithmetic and bit operator by another."""
        if type(node.op) in ARITHMETIC:
            new = copy.deepcopy(node)
            new.op = ARITHMETIC[type(node.op)]()
            self._add(node, new)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """Remove the operator."""
        self._add(node, copy.deepcopy(node.operand))
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        """Take the other branch."""
        self._condition(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        """Change the condition."""
        self._condition(node.test)
        self.generic_visit(node)

    def _condition(self, test: ast.expr) -> None:
        if not isinstance(test, (ast.Compare, ast.BoolOp, ast.UnaryOp)):
            self._add(test, ast.UnaryOp(ast.Not(), copy.deepcopy(test)))

    def visit_Constant(self, node: ast.Constant) -> None:
        """Use another value; strings with blanks are texts for people."""
        value = node.value
        if isinstance(value, bool):
            self._add(node, ast.Constant(not value))
        elif isinstance(value, (int, float)):
            self._add(node, ast.Constant(value + 1))
        elif isinstance(value, str) and " " not in value.strip():
            self._add(node, ast.Constant(f"{value}~" if value else "~"))
        elif isinstance(value, bytes):
            self._add(node, ast.Constant(value + b"~"))

    def visit_Return(self, node: ast.Return) -> None:
        """Return nothing."""
        if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
            self._add(node, ast.Return(ast.Constant(None)))
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Remove the raise."""
        self._add(node, ast.Pass())

    def visit_Expr(self, node: ast.Expr) -> None:
        """Remove the call."""
        if not isinstance(node.value, ast.Constant):
            self._add(node, ast.Pass())
        self.generic_visit(node)

    def _assigned(self, node: ast.Assign | ast.AnnAssign) -> None:
        """Remove an assignment to an attribute or an element; without one to a name only the next use would fail."""
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if self._lines and all(isinstance(target, (ast.Attribute, ast.Subscript)) for target in targets):
            self._add(node, ast.Pass())

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """Replace the operator by another; remove the assignment."""
        if type(node.op) in ARITHMETIC:
            new = copy.deepcopy(node)
            new.op = ARITHMETIC[type(node.op)]()
            self._add(node, new)
        self._add(node, ast.Pass())
        self.generic_visit(node)

    def visit_Break(self, node: ast.Break) -> None:
        """Continue instead."""
        self._add(node, ast.Continue())

    def visit_Continue(self, node: ast.Continue) -> None:
        """Break instead."""
        self._add(node, ast.Break())

    def visit_Call(self, node: ast.Call) -> None:
        """Walk the arguments, unless they only make a text or a type."""
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name not in SILENT_CALLS and not name.endswith(("Exception", "Error")):
            self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        """Walk the value."""
        self.visit(node.value)


class _Swap(ast.NodeTransformer):
    def __init__(self, place: ast.AST, new: ast.AST) -> None:
        self._place = place
        self._new = new

    def visit(self, node: ast.AST) -> ast.AST:
        return self._new if node is self._place else super().visit(node)


def mutants_of(module: str, path: Path) -> Iterator[Mutant]:
    """Yield all mutants of a module, in source order."""
    places = _Sites()
    places.visit(ast.parse(path.read_text(encoding="utf-8")))
    seen: Counter[str] = Counter()
    for number, (node, new, names, lines) in enumerate(places.found):
        before, after = (" ".join(ast.unparse(piece).split()) for piece in (node, new))
        mutant = Mutant(module, path, getattr(node, "lineno", 0), ".".join(names), lines, before, after, number)
        seen[mutant.id] += 1
        yield replace(mutant, twin=seen[mutant.id])


def mutated(mutant: Mutant) -> ast.Module:
    """Return the module's tree with the change."""
    tree = ast.parse(mutant.path.read_text(encoding="utf-8"))
    places = _Sites()
    places.visit(tree)
    node, new, *_ = places.found[mutant.number]
    _Swap(node, new).visit(tree)
    return ast.fix_missing_locations(tree)
