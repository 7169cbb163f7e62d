"""What the loader refuses: each error names file, line and key, and says what to do."""

import pytest

from tck.catalogue import CatalogueError, load_catalogue, load_interworking, load_scenarios

ROW = """\
[[assertion]]
id = "3.4.1-1"
title = "first-row"
statement = "A statement."
level = "MUST"
since = "1.0"
until = ""
subject = "provider"
domains = ["ptp", "pubsub"]
api = ["classic", "simplified", "domain-specific"]
sections = { "1.0" = "3.4.1", "3.1" = "3.4.1, A.2" }
official = ["JMS:SPEC:2"]
features = []
testable = "yes"
hook = ""
how = "Look."
saboteur = "Break \\"it\\"."
draft_difference = ""
source = ""
"""
SECOND = ROW.replace("3.4.1-1", "3.4.1-2").replace("first-row", "second-row")
FILES = {
    "ch03-model.toml": f"# A comment\n\n{ROW}\n# between\n{SECOND}",
    "restatements.toml": 'groups = [\n  ["3.4.1-1", "3.4.1-2"],\n]\n',
    "features.toml": 'xa = "Distributed transactions."\njndi = "Names."\n',
    "official-spec-ids.csv": "id,chapter,section,testable,cited_by_standalone_suite\nJMS:SPEC:2,3,3.4.1,true,yes\n",
    "official-javadoc-ids.csv": (
        "id,type,method,parameters,returns,throws,testable,cited_by_standalone_suite\n"
        "JMS:JAVADOC:1,Message,getJMSType,,String,,true,yes\n"
    ),
}


@pytest.fixture
def data(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def edit(directory, name, old, new):
    text = (directory / name).read_text(encoding="utf-8")
    assert old in text
    (directory / name).write_text(text.replace(old, new, 1), encoding="utf-8")


def test_the_small_catalogue_is_right(data):
    catalogue = load_catalogue(data)
    assert list(catalogue) == ["3.4.1-1", "3.4.1-2"]
    assert catalogue["3.4.1-1"].saboteur == 'Break "it".'
    assert catalogue["3.4.1-1"].sections == {"1.0": "3.4.1", "3.1": "3.4.1, A.2"}
    assert catalogue["3.4.1-2"].line == 24
    assert catalogue.group_of("3.4.1-2") == ("3.4.1-1", "3.4.1-2")


def test_line_ends_of_a_checkout_change_nothing(data):
    before = load_catalogue(data)
    for file in data.iterdir():
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    after = load_catalogue(data)
    assert after.digest == before.digest
    assert dict(after) == dict(before)


def test_other_forms_of_toml_on_one_line_are_read(data):
    edit(data, "ch03-model.toml", '["ptp", "pubsub"]', '[ "ptp","pubsub", ]  # both')
    edit(data, "ch03-model.toml", '"Look."', r"'C:\look' # a comment")
    edit(data, "ch03-model.toml", '"A statement."', r'"tab\tand \u00e9"')
    row = load_catalogue(data)["3.4.1-1"]
    assert row.domains == ("ptp", "pubsub")
    assert row.how == r"C:\look"
    assert row.statement == "tab\tand é"


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "message"),
    [
        ('level = "MUST"', 'levle = "MUST"', 7, "levle", 'unknown key, did you mean "level"?'),
        ('hook = ""\n', "", 3, "", "the row lacks hook"),
        ('hook = ""', 'hook = ""\nhook = ""', 18, "hook", "the key comes twice"),
        (
            'id = "3.4.1-1"',
            'id = "3.4.1.1"',
            4,
            "id",
            'expected a section and an ordinal such as 3.4.1-2; saw "3.4.1.1"',
        ),
        ('id = "3.4.1-1"', 'id = "3.4.1-01"', 4, "id", "expected a section and an ordinal"),
        (
            'id = "3.4.1-1"',
            'id = "4.4.1-1"',
            4,
            "id",
            "section 4.4.1 does not belong into this file, which is for chapter 3",
        ),
        ('id = "3.4.1-2"', 'id = "3.4.1-1"', 25, "id", "3.4.1-1 is taken at ch03-model.toml:3"),
        ('title = "first-row"', 'title = "First row"', 5, "title", "kebab case"),
        ('statement = "A statement."', 'statement = " "', 6, "statement", "the value is empty"),
        (
            'level = "MUST"',
            'level = "must"',
            7,
            "level",
            'expected one of "MUST", "SHOULD", "MAY", "UNDEFINED"; saw "must"',
        ),
        ('level = "MUST"', "level = 3", 7, "level", "expected a string; saw 3"),
        ('level = "MUST"', "level = MUST", 7, "", "expected one key with its whole value on one line"),
        ('since = "1.0"', 'since = "1.2"', 8, "since", 'saw "1.2"'),
        ('until = ""', 'until = "1.0"', 13, "sections", "a row that has ended has no section of 3.1"),
        ('since = "1.0"', 'since = "2.0"', 13, "sections", "text 1.0 is older than the row, which exists since 2.0"),
        ('until = ""', 'until = "0.9"', 9, "until", 'saw "0.9"'),
        ('subject = "provider"', 'subject = "prov"', 10, "subject", 'did you mean "provider"?'),
        ('"ptp", "pubsub"', '"ptp", "pubsup"', 11, "domains", 'unknown domain "pubsup", did you mean "pubsub"?'),
        ('"ptp", "pubsub"', '"ptp", "ptp"', 11, "domains", "an element comes twice"),
        ('["ptp", "pubsub"]', "[]", 11, "domains", 'expected at least one of "ptp", "pubsub"'),
        ('["ptp", "pubsub"]', '"ptp"', 11, "domains", "expected a list of strings; saw 'ptp'"),
        ('["ptp", "pubsub"]', '["ptp", 1]', 11, "domains", "expected a list of strings"),
        (
            '["classic", "simplified", "domain-specific"]',
            '["simplified"]',
            8,
            "since",
            "the simplified API came with 2.0",
        ),
        ('"3.1" = "3.4.1, A.2"', '"3.1" = "3.4.1 A.2"', 13, "sections", "expected section numbers"),
        ('"3.1" = "3.4.1, A.2"', '"3.2" = "3.4.1"', 13, "sections", 'unknown text "3.2"'),
        (', "3.1" = "3.4.1, A.2"', "", 13, "sections", "a row in force names its section of 3.1"),
        ('sections = { "1.0" = "3.4.1", ', 'sections = { "1.0" = "3.4.1", "1.0" = "3", ', 13, "", "expected one key"),
        (
            '["JMS:SPEC:2"]',
            '["JMS:SPEC:3"]',
            14,
            "official",
            'unknown official id "JMS:SPEC:3", did you mean "JMS:SPEC:2"?',
        ),
        ("features = []", 'features = ["jdni"]', 15, "features", 'unknown feature "jdni", did you mean "jndi"?'),
        ('testable = "yes"', 'testable = "maybe"', 16, "testable", 'saw "maybe"'),
        ('testable = "yes"', 'testable = "indirect"', 17, "hook", "names what it needs"),
        ('hook = ""', 'hook = "kill"', 17, "hook", 'only a row with testable = "indirect" has a hook'),
        ('hook = ""', 'hook = "kil"', 17, "hook", 'did you mean "kill"?'),
        ('source = ""', 'source = "javadocs"', 21, "source", 'expected "" or "javadoc:Type.method"'),
        ("# between", "Between", 23, "", "expected [[assertion]], a comment, or one key"),
        ("# A comment", 'stray = "x"', 1, "stray", "a key before the first [[assertion]]"),
        ('how = "Look."', 'how = """Look\n."""', 18, "", "expected one key with its whole value on one line"),
        ("[[assertion]]", "[[assertions]]", 3, "", "expected [[assertion]]"),
    ],
)
def test_a_broken_row_is_named_with_its_line(data, *, old, new, line, key, message):
    edit(data, "ch03-model.toml", old, new)
    with pytest.raises(CatalogueError) as caught:
        load_catalogue(data)
    error = caught.value
    assert (error.file, error.line, error.key) == (str(data / "ch03-model.toml"), line, key)
    assert message in error.message
    assert str(error).startswith(f"{error.file}:{line}: ")


def test_a_row_may_not_end_before_it_begins(data):
    edit(data, "ch03-model.toml", 'since = "1.0"\nuntil = ""', 'since = "1.1"\nuntil = "1.0"')
    edit(data, "ch03-model.toml", '"1.0" = "3.4.1", "3.1" = "3.4.1, A.2"', '"1.1" = "3.4.1"')
    with pytest.raises(CatalogueError, match=r"toml:9: until: the row ends with 1\.0 before it begins with 1\.1"):
        load_catalogue(data)


@pytest.mark.parametrize(
    ("name", "old", "new", "line", "message"),
    [
        ("restatements.toml", "3.4.1-2", "3.4.1-3", 2, 'no row has the id "3.4.1-3", did you mean'),
        (
            "restatements.toml",
            '"3.4.1-2"],',
            '"3.4.1-2"],\n  ["3.4.1-2", "3.4.1-1"],',
            3,
            "3.4.1-2 is in a group already",
        ),
        ("restatements.toml", ', "3.4.1-2"', "", 2, "expected a list of at least two ids"),
        ("restatements.toml", "groups", "group", 1, "expected the one key groups"),
        ("restatements.toml", "],\n]", "],\n", 0, "not valid TOML"),
        ("features.toml", '"Names."', "2", 2, "expected the feature's meaning"),
        ("features.toml", '"Names."', "Names", 2, "not valid TOML: Invalid value"),
        ("official-spec-ids.csv", "section,", "", 1, "expected the columns id, chapter"),
        ("official-spec-ids.csv", "true,yes", "true", 2, "expected 5 values"),
        ("official-spec-ids.csv", "true,yes", "maybe,yes", 2, 'expected true or false; saw "maybe"'),
        ("official-spec-ids.csv", "JMS:SPEC:2", "SPEC:2", 2, "expected JMS:SPEC: and a number"),
        ("official-spec-ids.csv", "yes\n", "yes\nJMS:SPEC:2,3,3.4.1,true,yes\n", 3, "JMS:SPEC:2 comes twice"),
    ],
)
def test_a_broken_companion_file_is_named_with_its_line(data, *, name, old, new, line, message):
    edit(data, name, old, new)
    with pytest.raises(CatalogueError) as caught:
        load_catalogue(data)
    assert (caught.value.file, caught.value.line) == (str(data / name), line)
    assert message in caught.value.message


def test_api_ids_are_checked_when_they_are_read(data):
    edit(data, "official-javadoc-ids.csv", "JMS:JAVADOC:1", "JMS:1")
    catalogue = load_catalogue(data)
    with pytest.raises(CatalogueError, match=r"official-javadoc-ids\.csv:2: id: expected JMS:JAVADOC: and a number"):
        _ = catalogue.official_javadoc


def test_missing_files_are_named(data):
    (data / "features.toml").unlink()
    with pytest.raises(CatalogueError, match=r"features\.toml: cannot be read: No such file"):
        load_catalogue(data)


def test_an_empty_directory_is_no_catalogue(data):
    (data / "ch03-model.toml").unlink()
    with pytest.raises(CatalogueError, match=r"holds no ch\*\.toml; the kit is not installed completely"):
        load_catalogue(data)


def test_text_that_is_not_utf8_is_named(data):
    (data / "ch03-model.toml").write_bytes(b"# \xff\n")
    with pytest.raises(CatalogueError, match=r"ch03-model\.toml: is not UTF-8"):
        load_catalogue(data)


INTERWORKING = """\
[[assertion]]
id = "iw-2.1-1"
title = "t"
statement = "s"
level = "MUST"
section = "2.1"
area = "a"
testable = "yes"
how = "h"
saboteur = "b"
"""
SCENARIO = """\
[[scenario]]
id = "pj-x"
title = "X"
chapter = 2
domains = ["ptp"]
profiles = ["1.0"]
requires = []
features = []
steps = [
  "one",
]
asserts = ["MUST(1.1+) two"]
"""


@pytest.mark.parametrize(
    ("load", "text", "old", "new", "line", "message"),
    [
        (load_interworking, INTERWORKING, "iw-2.1-1", "iw-2.2-1", 2, "expected iw-2.1- and an ordinal"),
        (load_interworking, INTERWORKING, '"MUST"', '"Must"', 5, "expected one of MUST"),
        (load_interworking, INTERWORKING, 'area = "a"\n', "", 1, "the row lacks area"),
        (load_interworking, INTERWORKING, "area", "aera", 7, 'unknown key, did you mean "area"?'),
        (load_interworking, INTERWORKING, '"b"\n', f'"b"\n{INTERWORKING}', 12, "iw-2.1-1 comes twice"),
        (load_interworking, INTERWORKING, '"yes"', "yes", 8, "not valid TOML"),
        (load_scenarios, SCENARIO, "chapter = 2", 'chapter = "2"', 4, "expected a number"),
        (load_scenarios, SCENARIO, '["ptp"]', '["queue"]', 5, "expected some of ptp, pubsub"),
        (load_scenarios, SCENARIO, "(1.1+)", "(1.2+)", 12, "expected MUST, SHOULD or INFO"),
        (load_scenarios, SCENARIO, '"one"', "1", 9, "expected a list of strings"),
    ],
)
def test_the_companion_lists_name_file_and_line(tmp_path, *, load, text, old, new, line, message):
    file = tmp_path / "list.toml"
    file.write_text(text, encoding="utf-8")
    assert len(load(file)) == 1
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(CatalogueError) as caught:
        load(file)
    assert (caught.value.file, caught.value.line) == (str(file), line)
    assert message in caught.value.message
