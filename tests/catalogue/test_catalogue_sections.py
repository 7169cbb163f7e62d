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

GOOD = '[chapters]\nch03 = "Messages"\n\n[sections]\n"3.4" = "Header fields"\n"3.4.9" = "JMSExpiration"\n"3.4.10" = "JMSPriority"\n'


def test_every_section_with_rows_has_a_title():
    catalogue = load_catalogue()
    assert [key for key in catalogue.chapters if chapter_title(key) == key] == []
    assert [each for each in catalogue.sections if not section_title(each)] == []


def test_titles_are_found_and_what_has_none_is_shown_as_it_is():
    assert chapter_title("ch03") == "Message model"
    assert section_title("3.4.9") == "JMSExpiration"
    assert (chapter_title("interworking"), section_title("99.1")) == ("interworking", "")
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
        ("[chapters]", "[more]\n[chapters]", 1, "more", "expected the tables chapters and sections only"),
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
