"""Owners of differences: the event that happened last, then the most specific entry wins; a file that cannot decide is refused."""

import shutil

import pytest

from tck.catalogue import CatalogueError
from tck.catalogue.differences import FILE, load_owners
from tck.catalogue.loader import DATA

FIELDS = """
[fields]
differs = ["missing", "refused"]
had = ["sent", "kill < restart", "restart", "rollback"]
call = ["receive", "drain"]
at = ["queue", "durable", "shared durable < durable"]
waits = ["forever"]
[selectors]
valid = [['LIKE', "3.8.1.1-82"], ['=', "3.8.1.1-50 3.8.1.1-58"], ['', "3.8.1.1-4"]]
invalid = [['"', "3.8.1.1-105"]]
[owners]
"""


@pytest.fixture
def owners(tmp_path):
    def load(entries):
        folder = tmp_path / "data"
        shutil.copytree(DATA, folder)
        (folder / FILE).write_text(FIELDS + entries)
        return load_owners(folder)

    return load


def missing(owners, **facts):
    found = owners.find({"differs": ["missing"], **facts})
    return None if found is None else found.rows


def test_the_last_event_wins_then_the_most_specific_entry_then_the_more_telling_field(owners):
    found = owners("""missing = [
      { row = "6.2.12-2" }, { at = { queue = "6.2.12-1", "shared durable" = "8.3.4-11" } }, { at = "durable", row = "8.3.3-5" }, { waits = "forever", row = "8.5-1" },
      { after = "restart", row = "9.1-1" }, { after = "kill", row = "9.1-6" },
      { after = "rollback", row = "6.2.7-6 6.2.7-8" }, { after = "rollback", had = "restart", row = "6.2.7-20" },
      { call = "receive", at = "queue", row = "" },
    ]
    """)
    assert missing(owners=found) == ("6.2.12-2",)
    assert found.find({"differs": ["refused"]}) is None
    assert missing(found, at=["durable"]) == ("8.3.3-5",)
    assert missing(found, at=["shared durable"]) == ("8.3.4-11",)
    assert missing(found, at=["queue"], waits=["forever"]) == ("6.2.12-1",)
    assert missing(found, had=["rollback", "sent", "restart"], at=["queue"]) == ("9.1-1",)
    assert missing(found, had=["kill"]) == ("9.1-6",)
    assert missing(found, had=["rollback"]) == ("6.2.7-6", "6.2.7-8")
    assert missing(found, had=["kill", "rollback"]) == ("6.2.7-20",)
    assert missing(found, call=["receive"], at=["queue"]) == ()


def test_of_the_signs_of_a_selector_those_come_first_that_sound_selectors_do_not_have(owners):
    found = owners("missing = []")
    assert found.of_selector("a LIKE 'b = c'") == ("3.8.1.1-82", "3.8.1.1-4")
    assert found.of_selector("a LIKE b AND c = d") == ("3.8.1.1-82", "3.8.1.1-50", "3.8.1.1-58", "3.8.1.1-4")
    assert found.of_selector("a LIKE b AND c = d", ["a LIKE c"])[0] == "3.8.1.1-50"
    assert found.of_selector('a = "b"', valid=False) == ("3.8.1.1-105",)


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ("missing = [", "owners.toml"),
        ('missing = [{ row = "6.2.12-2", at = "nowhere" }]', "at = 'nowhere' is not among the values of [fields]"),
        ('missing = [{ row = "6.2.12-2", colour = "red" }]', "colour = 'red' is not among"),
        ('missing = [{ row = "6.2.12-77" }]', "6.2.12-77 is no judged row"),
        ('missing = [{ row = "6.2.12-1" }, { row = "6.2.12-2" }]', "may tie with"),
        ('missing = [{ after = "rollback", had = "sent", row = "6.2.12-1" }, { after = "rollback", had = "restart", row = "6.2.12-2" }]', "may tie with"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_decide_is_refused(owners, entries, expected):
    with pytest.raises(CatalogueError) as caught:
        owners(entries)
    assert expected in str(caught.value)
    assert FILE in str(caught.value)
