"""Read the pages of a site as a browser would, as far as tests need it."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

INLINE = {"a", "b", "i", "span", "code", "kbd", "wbr", "bdi"}
VOID = {"meta", "link", "input", "br", "col", "hr", "img", "wbr"}


@dataclass
class Page:
    """What stands on a page."""

    path: Path
    tags: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    text: str = ""
    scripts: str = ""
    unbalanced: list[str] = field(default_factory=list)

    def all(self, tag: str) -> list[dict[str, str]]:
        """Return the attributes of all elements of a kind."""
        return [attributes for name, attributes in self.tags if name == tag]

    def links(self) -> list[str]:
        """Return every address on the page, of whatever element."""
        return [
            value
            for _, attributes in self.tags
            for name, value in attributes.items()
            if name in {"href", "src", "action", "data", "poster", "srcset"}
        ]


class _Reader(HTMLParser):
    def __init__(self, page: Page) -> None:
        super().__init__(convert_charrefs=True)
        self.page = page
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.page.tags.append((tag, attributes))
        if "id" in attributes:
            self.page.ids.append(attributes["id"])
        if tag not in INLINE:
            self.page.text += " "
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.page.unbalanced.append(tag)

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in {"script", "style"}:
            self.page.scripts += data
        else:
            self.page.text += data


def read(path: Path) -> Page:
    """Read one page."""
    page = Page(path)
    reader = _Reader(page)
    reader.feed(path.read_text(encoding="utf-8"))
    reader.close()
    page.unbalanced += reader.open
    return page


def read_all(folder: Path) -> dict[str, Page]:
    """Read every page of a site."""
    return {path.relative_to(folder).as_posix(): read(path) for path in sorted(folder.rglob("*.html"))}
