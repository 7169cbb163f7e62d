"""Selectors: what each form selects, and how unknown ones are answered."""

import pytest

from tck.catalogue import SelectionError, load_catalogue, parse_selection

CATALOGUE = load_catalogue()


def selected(*texts):
    return parse_selection(texts, CATALOGUE).assertions


def test_nothing_asked_selects_everything():
    selection = parse_selection([], CATALOGUE)
    assert selection.everything
    assert selection.assertions == frozenset(CATALOGUE)
    assert selection.matches(["3.4.1-1"], "3.4.1-1/queue/classic/auto")


@pytest.mark.parametrize("text", ["ch03", "CH03", "ch3", "3"])
def test_a_chapter(text):
    assert selected(text) == {row.id for row in CATALOGUE.chapter("ch03")}


def test_a_section_is_compared_number_by_number():
    assert {CATALOGUE[row].section for row in selected("3.4.1")} == {"3.4.1"}
    assert selected("3.4") == {
        row.id for row in CATALOGUE.values() if row.section == "3.4" or row.section.startswith("3.4.")
    }
    assert not any(row.startswith(("3.4.10", "3.4.11")) for row in selected("3.4.1"))


def test_a_row_is_compared_whole():
    selection = parse_selection(["3.4.3-1"], CATALOGUE)
    assert selection.assertions == {"3.4.3-1"}
    assert selection.matches(["3.4.3-1"], "3.4.3-1/queue")
    assert not selection.matches(["3.4.3-10"], "3.4.3-10/queue")


@pytest.mark.parametrize("text", ["level:should", "Level:SHOULD"])
def test_a_level(text):
    assert selected(text) == {row.id for row in CATALOGUE.values() if row.level == "SHOULD"}


def test_features_and_hooks():
    assert selected("feature:xa") == {row.id for row in CATALOGUE.values() if "xa" in row.features}
    assert selected("hook:kill") == {row.id for row in CATALOGUE.values() if row.hook == "kill"}


def test_a_known_hook_without_rows_selects_nothing():
    assert selected("hook:native-client") == frozenset()


def test_a_case_counts_by_any_of_its_rows():
    selection = parse_selection(["7.7-8"], CATALOGUE)
    assert selection.matches(["3.4.2-1", "7.7-8"], "3.4.2-1/queue/classic/auto")
    assert not selection.matches(["3.4.2-1"], "3.4.2-1/queue/classic/auto")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("3.4.11-5", True),
        ("8.5-1", False),
        ("3.4.11", False),
        ("3.4-1", True),
        ("ch03", True),
        ("3.4.11-5+level:must", True),
        ("3.4.11-5+*/topic/*", False),
    ],
)
def test_the_id_of_a_row_finds_a_case_by_each_row_that_it_judges(text, found):
    selection = parse_selection([text], CATALOGUE)
    judged = ("3.4-1", "3.4.11-5", "6.2.7-6")
    assert selection.matches(judged[:1], "3.4-1/queue/classic/auto/journey-1", by_id=judged) is found


def test_the_rows_that_are_named_are_those_asked_for_by_id():
    assert parse_selection(["3.4.11-5", "3.4.1", "8.5-1/queue/*"], CATALOGUE).named == {"3.4.11-5"}
    assert parse_selection(["ch03"], CATALOGUE).named == frozenset()


def test_sections_hold_the_restatements_too():
    assert parse_selection(["7.7-8"], CATALOGUE).sections == {"7.7", "3.4.2"}


@pytest.mark.parametrize(
    ("glob", "name", "matches"),
    [
        ("3.4.1-1/queue/*", "3.4.1-1/queue/classic/auto", True),
        ("3.4.1-1/queue/*", "3.4.1-1/topic/classic/auto", False),
        ("3.4.1-1/*", "3.4.1-10/queue", False),
        ("*/topic/*/client", "3.4.1-1/topic/classic/client", True),
        ("3.4.*", "3.4.1-1/topic/classic/client", True),
        ("3.4.1-1/queue/classic/auto", "3.4.1-1/queue/classic/auto", True),
        ("3.4.1-1/queue/classic/auto", "3.4.1-1/queue/classic/auto2", False),
        ("pj-hello-ptp/*", "pj-hello-ptp/queue", True),
        ("3.4.[12]-1/*", "3.4.2-1/queue", True),
    ],
)
def test_globs_match_the_whole_name(glob, name, matches):
    selection = parse_selection([glob], CATALOGUE)
    assert selection.matches([name.partition("/")[0]], name) is matches


def test_a_glob_tells_which_rows_can_lead_its_cases():
    assert selected("3.4.1-1/queue/*") == {"3.4.1-1"}
    assert selected("3.4.1-*") == {row.id for row in CATALOGUE.section("3.4.1")}
    assert selected("*/queue/*") == frozenset(CATALOGUE)
    assert selected("pj-hello-ptp/*") == {row.id for row in CATALOGUE.section("pj-hello-ptp")}


def test_scenarios_are_selected_as_all_as_one_and_by_claim():
    assert (
        selected("scenarios")
        == {row.id for row in CATALOGUE.chapter("scenarios")}
        == frozenset(CATALOGUE.claims) - {"corpus-1", "plans-1"}
    )
    assert selected("pj-chat") == {row.id for row in CATALOGUE.section("pj-chat")}
    assert selected("pj-chat-3") == {"pj-chat-3"}
    assert not any(id_.startswith("pj-") for id_ in CATALOGUE)
    with pytest.raises(SelectionError, match='no rows in pj-chap, did you mean "pj-chat"'):
        parse_selection(["pj-chap"], CATALOGUE)


def test_programs_of_the_corpus_are_selected_together_and_one_by_one():
    assert selected("corpus") == selected("corpus-1") == selected("corpus/0137") == {"corpus-1"}
    assert selected("plans") == selected("plans-1") == selected("plans/async-close") == {"plans-1"}
    one = parse_selection(["corpus/0137"], CATALOGUE)
    assert one.matches(["corpus-1"], "corpus/0137")
    assert not one.matches(["corpus-1"], "corpus/0138")
    assert "corpus-1" not in list(CATALOGUE)
    assert not parse_selection(["3.4"], CATALOGUE).matches(["corpus-1"], "corpus/0137")


def test_plus_means_both_and_several_mean_either():
    both = parse_selection(["3.4+level:must+*/queue/*"], CATALOGUE)
    assert both.assertions == selected("3.4") & selected("level:must")
    assert both.matches(["3.4.1-1"], "3.4.1-1/queue/classic/auto")
    assert not both.matches(["3.4.1-1"], "3.4.1-1/topic/classic/auto")
    assert not both.matches(["3.3-1"], "3.3-1/queue/classic/auto")
    either = parse_selection(["3.4", "feature:xa"], CATALOGUE)
    assert either.assertions == selected("3.4") | selected("feature:xa")
    assert either.matches(["3.4.1-1"], "3.4.1-1/queue")
    assert either.matches(["11.3.2-1"], "11.3.2-1/queue")


def test_one_row_has_to_satisfy_all_terms_about_rows():
    selection = parse_selection(["3.4.5+level:may"], CATALOGUE)
    assert CATALOGUE["3.4.5-4"].level == "MAY"
    assert selection.matches(["3.4.5-4"], "3.4.5-4/queue")
    assert not selection.matches(["3.4.5-1", "7.6-6"], "3.4.5-1/queue")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ch01", 'no rows in ch01, did you mean "ch13"?'),
        ("3.40", 'no rows in 3.40, did you mean "3.4"?'),
        ("3.4.1-99", "section 3.4.1 has 3 rows, 3.4.1-1 to 3.4.1-3, and no 3.4.1-99"),
        ("3.14-1", 'no section 3.14, did you mean "3.4"?'),
        ("level:must-not", 'no level "must-not", did you mean "must"?; known are must, should, may, undefined'),
        ("feature:ax", 'no feature "ax"'),
        ("hook:restrat", 'no hook "restrat", did you mean "restart"?'),
        ("lvl:must", '"lvl:must" has none of the known forms, did you mean "level:must"?'),
        ("headers", '"headers" has none of the known forms'),
        ("", '"" has none of the known forms'),
        ("3.4+", '"" has none of the known forms'),
        ("3.4,3.5", '"3.4,3.5" has none of the known forms'),
        ("3.4.1-99/queue/*", "and no 3.4.1-99, so no case has such a name"),
        ("99.*", 'no row begins with "99.", so no case has such a name'),
    ],
)
def test_unknown_selectors_get_one_clear_error(text, message):
    with pytest.raises(SelectionError) as caught:
        parse_selection(["3.4", text], CATALOGUE)
    output = str(caught.value)
    assert output.startswith(f'unknown selector "{text}": ')
    assert message in output
    assert "3.4.1-1/queue/*  a glob on the names of cases" in output
    assert caught.value.text == text
