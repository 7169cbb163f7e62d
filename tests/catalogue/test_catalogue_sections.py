"""Titles of chapters and sections: those of the kit are complete, and a broken file is refused with its line."""

import pytest

from tck.catalogue import CatalogueError, load_catalogue
from tck.catalogue.sections import (
    chapter_number,
    chapter_title,
    load_section_titles,
    reading_order,
    section_title,
)
from tck.catalogue.versions import NUMBERING, TABLE, TEXTS

GOOD = '[chapters]\nch03 = "Messages"\n\n[sections]\n"3.4" = "Header fields"\n"3.4.9" = "JMSExpiration"\n"3.4.10" = "JMSPriority"\n'


def test_every_section_with_rows_has_a_title():
    catalogue = load_catalogue()
    assert [key for key in catalogue.chapters if chapter_title(key) == key] == []
    assert [each for each in catalogue.sections if not section_title(each)] == []


@pytest.mark.parametrize("text", [text for text in TEXTS if text != NUMBERING])
def test_the_titles_of_an_older_text_are_those_of_the_chapters_and_sections_that_rows_in_force_cite(text):
    versions = [version.draft_of or version.name for version in TABLE if version.text == text]
    rows = [row for row in load_catalogue().values() if any(row.applies_to(version) for version in versions)]
    cited = {place for row in rows for place in row.sections.get(text, "").split(", ") if place}
    chapters = {place.partition(".")[0] for place in cited}
    assert set(load_section_titles().texts[text]) == cited | chapters


def test_titles_are_found_and_what_has_none_is_shown_as_it_is():
    assert chapter_title("ch03") == "Message model"
    assert section_title("3.4.9") == "JMSExpiration"
    assert (chapter_title("interworking"), section_title("99.1")) == ("Bridges to a notification channel", "")
    assert (chapter_title("ch99"), section_title("iw-2.4.2")) == ("ch99", "Events as messages")
    assert (chapter_number("ch03"), chapter_number("ch11"), chapter_number("iw")) == ("3", "11", "iw")


def test_a_good_file_is_read(tmp_path):
    (tmp_path / "sections.toml").write_text(GOOD)
    titles = load_section_titles(tmp_path)
    assert dict(titles.chapters) == {"ch03": "Messages"}
    assert list(titles.sections) == ["3.4", "3.4.9", "3.4.10"]


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "message"),
    [
        ("[sections]", "[sektions]", 1, "sections", "expected a table [sections] of titles"),
        ("ch03 =", "three =", 2, "three", 'expected a key such as ch03; saw "three"'),
        ('"3.4.9" =', '"3.4.x" =', 6, "3.4.x", 'expected a key such as 3.4.9; saw "3.4.x"'),
        ('"JMSPriority"', "7", 7, "3.4.10", "expected a title as a string"),
        ('"JMSPriority"', '" "', 7, "3.4.10", "expected a title as a string"),
        ('"3.4.10"', '"4.1"', 7, "4.1", "chapter ch04 has no title in [chapters]"),
        ('"3.4.10"', '"3.3"', 7, "3.3", "expected the order of the specification; 3.3 comes before 3.4.9"),
        (
            "[chapters]",
            "[more]\n[chapters]",
            1,
            "more",
            "expected the tables chapters, sections, interworking and texts only",
        ),
        ("[chapters]", '[texts."9"]\n[chapters]', 1, "9", "expected a table for one of the texts 1.0, 1.1, 2.0-pd"),
        ("[chapters]", '[texts."1.1"]\n"4.x" = "A"\n[chapters]', 2, "4.x", 'expected a key such as 4.3.5; saw "4.x"'),
        ("[chapters]", '[texts."1.1"]\n"B.1" = " "\n[chapters]', 2, "B.1", "expected a title as a string"),
        (
            "[chapters]",
            '[texts."1.1"]\n"4.10" = "A"\n"4.9" = "B"\n[chapters]',
            3,
            "4.9",
            "expected the order of the specification; 4.9 comes before 4.10",
        ),
        ('"Messages"', "Messages", 2, "", "not valid TOML"),
    ],
)
def test_a_broken_file_is_refused_with_its_line(tmp_path, old, new, line, key, message):
    (tmp_path / "sections.toml").write_text(GOOD.replace(old, new))
    with pytest.raises(CatalogueError, match=r"sections\.toml") as caught:
        load_section_titles(tmp_path)
    assert (caught.value.line, caught.value.key) == (line, key)
    assert caught.value.message.startswith(message)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(CatalogueError, match="cannot be read"):
        load_section_titles(tmp_path)
    (tmp_path / "sections.toml").write_bytes(b"\xff")
    with pytest.raises(CatalogueError, match="UTF-8"):
        load_section_titles(tmp_path)


def test_numbers_are_sorted_as_a_reader_counts():
    names = ["iw-2.1-1", "3.4.10-1", "3.4.9-12", "3.4.9-2/queue", "10.1-1"]
    assert sorted(names, key=reading_order) == ["3.4.9-12", "3.4.9-2/queue", "3.4.10-1", "10.1-1", "iw-2.1-1"]
