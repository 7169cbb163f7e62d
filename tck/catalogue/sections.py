"""Short titles of chapters and sections, read from `data/sections.toml` on first use. Imports the catalogue's own modules only."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType

from tck.catalogue.errors import CatalogueError
from tck.catalogue.lines import LineIndex, syntax_error
from tck.catalogue.loader import DATA, load_catalogue
from tck.catalogue.model import BESIDE, CORPUS, INTERWORKING, IW, PLANS
from tck.catalogue.versions import NUMBERING, TEXTS

SECTIONS = "sections.toml"

_CHAPTER = re.compile(r"ch\d\d")
_SECTION = re.compile(r"\d+(?:\.\d+)*")
_BRIDGE = re.compile(r"iw-\d+(?:\.\d+)*")
_PLACE = re.compile(r"(?:\d+|[A-Z])(?:\.\d+)*(?:-\d+(?:\.\d+)*)?")


@dataclass(frozen=True, slots=True)
class SectionTitles:
    """Titles by chapter (`ch03`) and by section number (`3.4.9`) of Jakarta Messaging 3.1, and those of the older texts.

    Attributes:
        chapters: Titles of chapters.
        sections: Titles of sections.
        texts: For each older text, as a row's `sections` names it, the titles by number of a chapter (`4`, `B`), of a section
            or of several (`5.5-5.8`).
        interworking: Titles of sections of the document on bridges, by `iw-` and number.
    """

    chapters: Mapping[str, str]
    sections: Mapping[str, str]
    texts: Mapping[str, Mapping[str, str]]
    interworking: Mapping[str, str]


@functools.cache
def load_section_titles(directory: Path = DATA) -> SectionTitles:
    """Read and check the titles; once for each folder.

    Args:
        directory: The folder of the data; the kit's own by default.

    Raises:
        CatalogueError: The first entry that breaks a rule, with file, line and key.
    """
    file = directory / SECTIONS
    try:
        text = file.read_text(encoding="utf-8")
        document = tomllib.loads(text)
    except OSError as error:
        raise CatalogueError(file, 0, "", f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise CatalogueError(file, 0, "", "is not UTF-8; save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise CatalogueError(file, *_at(error)) from None
    fault = _fault(document)
    if fault:
        path, message = fault
        raise CatalogueError(file, LineIndex(text).line(path), path[-1], message)
    texts = {text: MappingProxyType(titles) for text, titles in document.get("texts", {}).items()}
    return SectionTitles(
        MappingProxyType(document["chapters"]),
        MappingProxyType(document["sections"]),
        MappingProxyType(texts),
        MappingProxyType(document.get("interworking", {})),
    )


def _at(error: tomllib.TOMLDecodeError) -> tuple[int, str, str]:
    line, message = syntax_error(error)
    return line, "", message


Fault = tuple[tuple[str, ...], str]
"""The path of an entry that breaks a rule, and the rule."""


def _fault(document: Mapping[str, object]) -> Fault | None:
    """Return the path of the first entry that breaks a rule, and the rule."""
    for table, form, example in (
        ("chapters", _CHAPTER, "ch03"),
        ("sections", _SECTION, "3.4.9"),
        ("interworking", _BRIDGE, "iw-2.4.1"),
    ):
        titles = document.get(table, {} if table == INTERWORKING else None)
        if not isinstance(titles, Mapping):
            return (table,), f"expected a table [{table}] of titles"
        fault = _fault_of_titles((table,), titles, form, example)
        if fault:
            return fault
    unknown = [table for table in document if table not in {"chapters", "sections", "interworking", "texts"}]
    if unknown:
        return (unknown[0],), "expected the tables chapters, sections, interworking and texts only"
    chapters, sections = document["chapters"], document["sections"]
    assert isinstance(chapters, Mapping)  # noqa: S101 - checked above
    assert isinstance(sections, Mapping)  # noqa: S101 - checked above
    before = ""
    for key in sections:
        chapter = f"ch{int(key.partition('.')[0]):02}"
        if chapter not in chapters:
            return ("sections", key), f"chapter {chapter} has no title in [chapters]"
        if before and reading_order(before) > reading_order(key):
            return ("sections", key), f"expected the order of the specification; {key} comes before {before}"
        before = key
    return _fault_of_texts(document.get("texts", {}))


def _fault_of_titles(
    path: tuple[str, ...], titles: Mapping[str, object], form: re.Pattern[str], example: str
) -> Fault | None:
    for key, title in titles.items():
        if not form.fullmatch(key):
            return (*path, key), f'expected a key such as {example}; saw "{key}"'
        if not isinstance(title, str) or not title.strip():
            return (*path, key), "expected a title as a string"
    return None


def _fault_of_texts(texts: object) -> Fault | None:
    known = [text for text in TEXTS if text != NUMBERING]
    if not isinstance(texts, Mapping):
        return ("texts",), "expected a table of titles for each text"
    for text, titles in texts.items():
        path = ("texts", text)
        if text not in known or not isinstance(titles, Mapping):
            return path, f"expected a table for one of the texts {', '.join(known)}"
        fault = _fault_of_titles(path, titles, _PLACE, "4.3.5")
        if fault:
            return fault
        for before, key in pairwise(titles):
            if reading_order(before) > reading_order(key):
                return (*path, key), f"expected the order of the specification; {key} comes before {before}"
    return None


def chapter_title(chapter: str) -> str:
    """Return the title of a chapter such as `ch03`, of the scenarios or of interworking; any other chapter name as it is."""
    return BESIDE.get(chapter) or load_section_titles().chapters.get(chapter, chapter)


def section_title(section: str) -> str:
    """Return the title of a section such as `3.4.9`, or of a scenario such as `pj-chat`; empty if it has none."""
    if section.startswith("pj-"):
        return next((row.title for row in load_catalogue().section(section)), "")
    if section == CORPUS:
        return "Programs with stored outcomes"
    if section == PLANS:
        return "Plans that find races and amounts"
    if section.startswith(IW):
        return load_section_titles().interworking.get(section, "")
    return load_section_titles().sections.get(section, "")


def title_in(text: str, place: str) -> str:
    """Return the title of a chapter or section, by its number in an older text of `TEXTS`; empty if it has none."""
    return load_section_titles().texts.get(text, {}).get(place, "")


def chapter_number(chapter: str) -> str:
    """Return `3` for `ch03`, nothing for a chapter beside the specification; any other chapter name as it is."""
    if chapter in BESIDE:
        return ""
    return chapter[2:].lstrip("0") if _CHAPTER.fullmatch(chapter) else chapter


def reading_order(identifier: str) -> tuple[tuple[int, str], ...]:
    """Return a key that sorts sections, assertion ids and names of cases: 3.4.9 before 3.4.10, interworking rows last."""
    parts = identifier.replace("-", ".").split(".")
    return tuple((int(part), "") if part.isdigit() else (10**6, part) for part in parts)
