"""XML documents as trees, for scenarios that carry them in text messages.

The reader takes documents from messages, so it refuses entities and external document types, by which a hostile document
grows without limit or reads files.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr


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
        DocumentError: it is not well-formed, declares an entity, or refers to an external document type.
    """
    document = Element("")
    open_elements = [document]
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def start(name: str, attributes: dict[str, str]) -> None:
        element = Element(name, attributes)
        open_elements[-1].content.append(element)
        open_elements.append(element)

    def characters(text: str) -> None:
        open_elements[-1].content.append(text)

    def doctype(name: str, system: str | None, public: str | None, _: bool) -> None:
        if system is not None or public is not None:
            raise DocumentError(f"the document type of {name} is external: {system or public}")

    def entity(name: str, *_: object) -> None:
        raise DocumentError(f"the document declares the entity {name}")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: open_elements.pop()
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = doctype
    parser.EntityDeclHandler = entity
    try:
        parser.Parse(text, True)
    except (expat.ExpatError, UnicodeError) as error:
        raise DocumentError(str(error)) from error
    return document.elements[0]
