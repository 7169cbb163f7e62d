"""XML documents of scenarios: read as trees, and hostile ones refused."""

from __future__ import annotations

import pytest

from tck.suite.support.values.documents import DocumentError, Element, read_document

LAUGHS = '<!DOCTYPE a [<!ENTITY l "lol"><!ENTITY m "&l;&l;&l;">]><a>&m;</a>'
FILE = '<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/hostname">]><a>&f;</a>'


def test_a_document_is_a_tree_with_its_text_in_place() -> None:
    text = '<a k="1 &lt; 2">one<b>two</b>three<c/>&amp;</a>'
    root = read_document(f"<!DOCTYPE a [<!ELEMENT a ANY>]>{text}")
    assert root == Element("a", {"k": "1 < 2"}, ["one", Element("b", {}, ["two"]), "three", Element("c"), "&"])
    assert root.written() == text.replace("<c/>", "<c></c>")


@pytest.mark.parametrize(
    "text", [LAUGHS, FILE, "<a>", "<a></b>", ""], ids=["entities", "a file", "open", "crossed", "empty"]
)
def test_hostile_and_malformed_documents_are_refused(text: str) -> None:
    with pytest.raises(DocumentError):
        read_document(text)
