"""A constraint: a text of the extended trader constraint language, compiled once and asked for each event."""

from __future__ import annotations

from reference_interworking.etcl.errors import Undefined
from reference_interworking.etcl.evaluation import Evaluation
from reference_interworking.etcl.nodes import Node
from reference_interworking.etcl.parser import parse
from tck.interworking import StructuredEvent


class Constraint:
    """Compile a constraint; an empty one matches every event.

    Attributes:
        text: The text.
        tree: What the text says; None for an empty one.

    Raises:
        InvalidConstraint: The text is none, with the place and what was expected there.
    """

    __slots__ = ("text", "tree")

    text: str
    tree: Node | None

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = parse(text)

    def __repr__(self) -> str:
        return f"Constraint({self.text!r})"

    def matches(self, event: StructuredEvent, now: int) -> bool:
        """Return whether an event satisfies the constraint; see `reference_interworking.etcl.evaluation` for the rules.

        Args:
            event: The event.
            now: What `$curtime` stands for, in ms since 1970.

        Raises:
            ValueError: `$` is asked for, and a name in the event has a NUL, which no string of CORBA can hold.
        """
        if self.tree is None:
            return True
        try:
            return Evaluation(event, now).truth(self.tree)
        except Undefined:
            return False
