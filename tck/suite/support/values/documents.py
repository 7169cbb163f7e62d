"""XML documents as trees, for scenarios that carry them in text messages.

The reader takes documents from messages, so it refuses entities, by which a hostile document grows without limit or reads
files.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias
from xml.etree.ElementTree import ParseError
from xml.sax.saxutils import escape, quoteattr

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring


class DocumentError(ValueError):
    """A document that is not well-formed, or that is refused."""


@dataclass(slots=True)
class Element:
    """An element: its name, its attributes, and its content, which is text and elements in their order."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    content: list[Content] = field(default_factory=list)

    @property
    def elements(self) -> list[Element]:
        """The elements within."""
        return [each for each in self.content if isinstance(each, Element)]

    @property
    def text(self) -> str:
        """The text directly within."""
        return "".join(each for each in self.content if isinstance(each, str))

    def written(self) -> str:
        """Write the element as XML."""
        attributes = "".join(f" {name}={quoteattr(value)}" for name, value in self.attributes.items())
        content = "".join(each.written() if isinstance(each, Element) else escape(each) for each in self.content)
        return f"<{self.name}{attributes}>{content}</{self.name}>"


Content: TypeAlias = "Element | str"
"""What an element contains."""


def read_document(text: str) -> Element:
    """Read a document; return its root.

    Raises:
        DocumentError: it is not well-formed, declares an entity, or refers to something outside.
    """
    try:
        return _tree(fromstring(text, forbid_external=True))
    except (ParseError, DefusedXmlException, UnicodeError) as error:
        raise DocumentError(str(error)) from error


def _tree(read: Any) -> Element:
    content: list[Content] = [read.text] if read.text else []
    for each in read:
        content += [_tree(each), *([each.tail] if each.tail else [])]
    return Element(read.tag, dict(read.attrib), content)
