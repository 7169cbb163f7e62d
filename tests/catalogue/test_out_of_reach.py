"""The official ids that no case can cover: known, testable, each with a reason."""

import pytest

from tck.catalogue import CatalogueError, load_catalogue
from tck.catalogue.loader import DATA
from tck.catalogue.out_of_reach import OUT_OF_REACH, load_out_of_reach


def test_each_is_a_testable_id_with_a_reason():
    official = load_catalogue().official_javadoc
    found = load_out_of_reach()
    assert len(found) == 40
    assert all(official[id_].testable and len(reason) > 20 for id_, reason in found.items())


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"JMS:JAVADOC:774"', '"JMS:JAVADOC:99999"', "no testable id"),
        ('"JMS:JAVADOC:774"', '"JMS:JAVADOC:1229"', "named twice"),
        ('ids = ["JMS:JAVADOC:774", "JMS:JAVADOC:1229"]', "", "a reason and a list of ids"),
        ("[[group]]", "[[group]", "not valid TOML"),
    ],
)
def test_a_fault_in_the_file_names_its_place(tmp_path, old, new, message):
    for file in DATA.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    file = tmp_path / OUT_OF_REACH
    file.write_text(file.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(CatalogueError, match=message):
        load_out_of_reach(tmp_path)
