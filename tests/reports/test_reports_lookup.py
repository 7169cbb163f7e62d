"""`tck lookup`: questions find rows, and an answer tells the rule, what the reference provider did, and how others differ."""

import dataclasses
import json
import sqlite3
from pathlib import Path

import pytest
import synthetic_bundles as synthetic

from tck.cli.main import main
from tck.profile import load_profile
from tck.record import CatalogueRef, Kit, Outcome
from tck.reports.lookup import query, render
from tck.reports.lookup.answer import answer
from tck.reports.lookup.index import open_index

TESTS = {"6.2.7-6": "test_rollback_recovers consumer.receive after rollback", "8.5-1": "test_receive_blocks"}


@pytest.fixture(scope="module")
def index(catalogue):
    return open_index(catalogue, TESTS)


@pytest.fixture
def made(tmp_path, catalogue):
    """Write runs of single cases: `made("a", {"6.2.7-6": (outcome, trace, more)}, profile="reference")`."""

    def make(name, cases, *, profile="acme", point="queue/classic/transacted", digest="", **changes):
        recorded = []
        for id_, (outcome, trace, more) in cases.items():
            case = synthetic.case_row(catalogue[id_], point)
            recorded.append((case, synthetic.result_row(catalogue, case, outcome, **more), trace(case.case).events))
        run = dataclasses.replace(synthetic.run_row(catalogue, run=name), **changes)
        named = dataclasses.replace(run.profile, name=profile, digest=digest or run.profile.digest)
        run = dataclasses.replace(run, profile=named, command=("tck", "run", "-p", profile))
        folder = tmp_path / "tck-out" / "runs" / name
        return synthetic.write(folder, run, recorded)

    return make


def conversation(case):
    return synthetic.conversation(case)


def refusing(case):
    trace = synthetic.prelude(case)
    error = {"type": "IllegalStateException", "text": "not now", "code": None, "linked": None}
    trace.call("session-1", "session-1", "Session.rollback", error=error)
    return trace


# -- words ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("What happens to the redelivered flag when I roll back?", ("redelivered", "flag", "roll", "back")),
        ("ttl of an async send", ("time", "live", "asynchronous", "send")),
        ("before", ("before",)),
        ("what does it do", ()),
        ("", ()),
        ("?!…", ()),
    ],
)
def test_a_question_is_reduced_to_the_words_that_tell(question, asked):
    assert query.asked(question) == asked


def test_names_can_be_found_by_their_parts():
    assert {"redelivered", "create", "browser"} <= set(query.spelled("JMSRedelivered, createBrowser").split())
    assert query.spelled("plain words") == "plain words"


def test_a_word_brings_those_that_stand_for_it():
    assert query.alike("id") == ("id", "identifier")
    assert query.alike("selector") == ("selector",)
    assert all(len(set(group)) == len(group) and not set(group) & query.SILENT for group in query.ALIKE)


# -- search --------------------------------------------------------------------------------------------------------------


def ids(found):
    return [hit.id for hit in found.hits]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("redelivered flag after rollback", "6.2.10-33"),
        ("sessions closing while a receive is blocked", "6.2.15-4"),
        ("selecting on properties that are null", "3.8.1.1-97"),
        ("second consumer on an unshared durable subscription of the same name", "8.3.3-10"),
        ("priorities overtaking", "6.2.9.2-1"),
        ("a client id that is already in use", "6.1.2-11"),
        ("what if the selector is invalid", "10.3-25"),
        ("browsing a queue does it remove messages", "4.1.6-1"),
        ("prepared branch after a crash", "11.3.5-6"),
    ],
)
def test_a_question_in_plain_words_finds_the_row(index, question, expected):
    assert expected in ids(index.search(question, 8))


def test_words_are_found_in_any_of_their_forms(index):
    forms = [set(ids(index.search(f"{word} unsubscribing", 20))) for word in ("durable", "durables")]
    assert forms[0] == forms[1] != set()


def test_a_row_with_a_test_comes_before_one_without_that_says_as_much(catalogue):
    plain, tested = (ids(open_index(catalogue, tests).search("rollback recovers", 50)) for tests in ({}, TESTS))
    assert tested.index("6.2.7-6") < plain.index("6.2.7-6") or tested[0] == plain[0] == "6.2.7-6"


def test_where_no_row_has_all_words_those_with_most_of_them_come(index):
    found = index.search("browser sees expired messages of a shared subscription", 5)
    assert found.partial
    assert found.hits


def test_words_that_no_row_has_are_named_with_what_comes_near(index):
    found = index.search("rolback of a browser", 5)
    assert (found.missing, found.partial) == (("rolback",), True)
    assert "rollback" in found.suggestions
    assert found.hits


def test_what_nothing_is_about_finds_nothing(index):
    found = index.search("frobnicate", 5)
    assert (found.hits, found.missing) == ((), ("frobnicate",))


@pytest.mark.parametrize(
    "question", ['"', "a AND", "NEAR(x)", "id:*", "ro*lb^ack", "-close", "x' OR 1=1 --", "\x00 close"]
)
def test_no_question_is_taken_for_an_expression(index, question):
    assert isinstance(index.search(question, 3).hits, tuple)


def test_what_a_recorded_run_called_can_be_asked_for(catalogue, made):
    bundle = made("a", {"6.2.7-6": (Outcome.HELD, refusing, {"behaviour": "zigzag"})})
    plain, recorded = (open_index(catalogue, {}, run).search("zigzag", 3) for run in (None, bundle))
    assert (ids(plain), ids(recorded)) == ([], ["6.2.7-6"])


def test_an_index_is_kept_and_used_again_until_something_changes(catalogue, tmp_path):
    file = tmp_path / "deep" / "index.sqlite"
    first = ids(open_index(catalogue, TESTS, None, file).search("redelivered", 5))
    stamp = file.stat().st_mtime_ns
    assert ids(open_index(catalogue, TESTS, None, file).search("redelivered", 5)) == first
    assert file.stat().st_mtime_ns == stamp
    open_index(catalogue, {**TESTS, "8.5-2": "more"}, None, file)
    assert file.stat().st_mtime_ns != stamp
    assert [path.name for path in file.parent.iterdir()] == ["index.sqlite"]


@pytest.mark.parametrize("content", [b"", b"no database", None])
def test_a_damaged_index_is_made_again(catalogue, tmp_path, content):
    file = tmp_path / "index.sqlite"
    open_index(catalogue, TESTS, None, file)
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2] if content is None else content)
    assert open_index(catalogue, TESTS, None, file).search("redelivered", 5).hits
    with sqlite3.connect(file) as database:
        assert database.execute("PRAGMA quick_check").fetchone() == ("ok",)
    database.close()


def test_an_index_that_cannot_be_kept_serves_all_the_same(catalogue, tmp_path):
    (tmp_path / "file").write_text("in the way")
    assert open_index(catalogue, TESTS, None, tmp_path / "file" / "index.sqlite").search("redelivered", 5).hits


# -- answers -------------------------------------------------------------------------------------------------------------


def test_an_answer_tells_rule_steps_and_the_case_to_run(catalogue, made):
    reference = made(
        "a", {"6.2.7-6": (Outcome.HELD, conversation, {"observed": "both came again"})}, profile="reference"
    )
    lines = list(render.text(answer(catalogue["6.2.7-6"], catalogue, reference)))
    assert lines[0].startswith("6.2.7-6  MUST")
    assert f"  {catalogue['6.2.7-6'].statement}" in lines
    assert any("3.1 in 6.2.7" in line and "1.1 in 4.4.7" in line for line in lines)
    assert any("producer-1.send [A “x”]" in line and "session-1" in line for line in lines)
    assert any("observed  both came again" in line for line in lines)
    assert "  python -m tck run -p reference --seed 7 6.2.7-6/queue/classic/transacted" in lines
    assert any("left out (--all)" in line for line in lines)
    assert not any(
        "left out" in line for line in render.text(answer(catalogue["6.2.7-6"], catalogue, reference), setup=True)
    )


def test_a_provider_that_did_the_same_is_said_to(catalogue, made):
    case = {"6.2.7-6": (Outcome.HELD, conversation, {})}
    found = answer(catalogue["6.2.7-6"], catalogue, made("a", case), [made("b", case)])
    assert (found.others[0].same, found.others[0].differences) == (True, ())
    assert any("the same, step by step" in line for line in render.text(found))


def test_a_provider_that_did_not_is_recordedwith_the_steps_that_differ(catalogue, made):
    reference = made("a", {"6.2.7-6": (Outcome.HELD, conversation, {})})
    broken = {"expected": "x", "observed": "an exception"}
    other = made("b", {"6.2.7-6": (Outcome.BROKEN, refusing, broken)})
    [parted] = answer(catalogue["6.2.7-6"], catalogue, reference, [other]).others
    assert not parted.same
    there = [line for difference in parted.differences for line in difference.other]
    assert any(line.startswith("session-1.rollback -> raised IllegalStateException: not now") for line in there)
    lines = list(render.text(answer(catalogue["6.2.7-6"], catalogue, reference, [other])))
    assert any("violation of 1 case" in line for line in lines)


def test_the_words_of_an_exception_are_no_difference(catalogue, made):
    def elsewhere(case):
        trace = synthetic.prelude(case)
        error = {"type": "IllegalStateException", "text": "quite another text", "code": "AMQ-1", "linked": None}
        trace.call("session-1", "session-1", "Session.rollback", error=error, thread="pool-7")
        return trace

    runs = [made(name, {"6.2.7-6": (Outcome.HELD, trace, {})}) for name, trace in (("a", refusing), ("b", elsewhere))]
    assert answer(catalogue["6.2.7-6"], catalogue, runs[0], runs[1:]).others[0].differences == ()


def test_a_run_without_a_case_of_the_row_is_named(catalogue, made):
    reference, other = (
        made(name, {id_: (Outcome.HELD, conversation, {})}) for name, id_ in (("a", "6.2.7-6"), ("b", "8.5-1"))
    )
    lines = list(render.text(answer(catalogue["6.2.7-6"], catalogue, reference, [other])))
    assert any("run b has no case of it" in line for line in lines)


@pytest.mark.parametrize(
    ("id_", "said"),
    [
        ("12.1-1", "no run can observe the row"),
        ("6.2.9.1-5", "it needs “observe”"),
        ("6.2.7-6", "no run of it is recorded"),
    ],
)
def test_why_the_reference_provider_was_not_asked(catalogue, id_, said):
    assert said in " ".join(render.text(answer(catalogue[id_], catalogue, None)))


def test_what_a_provider_wrote_cannot_disturb_a_terminal(catalogue, made):
    def hostile(case):
        return synthetic.conversation(case, (synthetic.HOSTILE_BODY, "marker"), synthetic.HOSTILE_NAME)

    bundle = made("a", {"6.2.7-6": (Outcome.HELD, hostile, {"observed": synthetic.HOSTILE_BODY})})
    text = "\n".join(render.text(answer(catalogue["6.2.7-6"], catalogue, bundle)))
    assert not set(text) & set("\x00\x07\x1b\u202e\u2066\ud800")
    assert max(map(len, text.split("\n"))) < 420


# -- the command ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def asked(monkeypatch, tmp_path, capsys):
    """Run `tck lookup` in the folder of the runs; gives exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def ask(*arguments):
        code = main(["lookup", "--no-record", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return ask


@pytest.fixture
def reference(made):
    return made("20250101-ref", {"6.2.7-6": (Outcome.HELD, conversation, {})}, profile="reference")


@pytest.mark.parametrize(
    ("words_", "first"),
    [
        (["6.2.7-6"], "6.2.7-6"),
        (["6.2.7-6/queue/classic/transacted"], "6.2.7-6"),
        (["6.2.7"], "6.2.7-1"),
        (["4.4.7"], "6.2.7-1"),
        (["jms:spec:123"], "6.2.7-5"),
        (["rollback", "queue", "come", "again"], "6.2.7-6"),
    ],
)
def test_rows_are_found_by_id_case_section_official_number_and_words(asked, reference, words_, first):
    code, out, err = asked(*words_)
    assert (code, err) == (0, "")
    assert out.startswith(f"{first}  ")


def test_json_tells_what_text_does(asked, reference, made):
    made("other", {"6.2.7-6": (Outcome.BROKEN, refusing, {"observed": "y"})})
    code, out, _ = asked("rollback queue come again", "--with", "other", "--format", "json", "-n", "3")
    said = json.loads(out)
    assert (code, said["by"], said["row"]["id"], said["reference"]["run"]) == (0, "words", "6.2.7-6", "20250101-ref")
    assert said["hits"][0]["id"] == "6.2.7-6"
    assert len(said["hits"]) == 3
    assert {"events", "ms", "lane", "text", "laying", "cited"} == set(said["reference"]["lanes"][0])
    assert said["others"][0]["did"]["verdict"] == "violation"
    assert said["others"][0]["differences"]
    text = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
    section = text.split("## tck lookup\n")[1].split("\n## ")[0]
    listed = text.split("## tck list\n")[1].split("\n## ")[0]
    keys = set(said) | set(said["row"]) | set(said["reference"]) | set(said["others"][0])
    keys |= set(said["reference"]["lanes"][0]) | set(said["reference"]["messages"][0]) | set(said["hits"][0])
    assert sorted(key for key in keys if f"`{key}`" not in section + listed) == []


@pytest.mark.parametrize(
    ("words_", "said"),
    [
        (["frobnicate"], "no row is about frobnicate; `tck list` shows every row"),
        (["rolback"], "near are rollback"),
        (["the"], "holds no word to look for"),
        ([" "], "expected words or an id"),
        (["99.9"], "no text has rows in a section 99.9"),
        (["6.2.7-999"], "section 6.2.7 has"),
        (["JMS:SPEC:99999"], "the official list has no number JMS:SPEC:99999"),
        (["6.2.7-6/queue/nowhere"], "there are 6.2.7-6/queue/classic/transacted"),
        (["6.2.7-6", "--run", "nowhere"], 'no run "nowhere"'),
        (["6.2.7-6", "--with", "nowhere"], 'no run "nowhere"'),
        (["6.2.7-6", "-n", "0"], "0 is not in the range"),
        (["6.2.7-6", "--tier", "7"], 'no tier "7"'),
        (["2.8-1", "--tier", "1.1"], "2.8-1 is not in force in 1.1: since 2.0"),
    ],
)
def test_what_finds_nothing_ends_with_one_message(asked, reference, words_, said):
    code, out, err = asked(*words_)
    assert (code, out) == (4, "")
    assert said in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "changes",
    [
        {"profile": "acme"},
        {"kind": "workload"},
        {"catalogue": "sha256:other"},
        {"command": ("tck", "run", "--setting", "saboteur=1")},
        {"kit": {"version": "0.0.9"}},
    ],
)
def test_only_a_run_of_the_reference_provider_as_it_stands_is_recordedfrom(asked, made, changes, tmp_path):
    changes = dict(changes)
    bundle = made("a", {"6.2.7-6": (Outcome.HELD, conversation, {})}, profile=changes.pop("profile", "reference"))
    about = json.loads((bundle.path / "run.json").read_text())
    if "catalogue" in changes:
        changes["catalogue"] = {"digest": changes["catalogue"]}
    (bundle.path / "run.json").write_text(json.dumps(about | changes))
    _, out, _ = asked("6.2.7-6")
    assert "no run of it is recorded" in out


def test_a_run_that_is_named_is_recordedfrom_whatever_it_is(asked, made):
    made("a", {"6.2.7-6": (Outcome.HELD, conversation, {})}, profile="acme")
    _, out, _ = asked("6.2.7-6", "--run", "a")
    assert "producer-1.send" in out


def test_what_changed_since_a_run_is_one_line(asked, made):
    case = {"6.2.7-6": (Outcome.HELD, conversation, {})}
    now = {"profile": "reference", "digest": load_profile("reference").digest}
    made("now", case, **now)
    made("old", case, kit=Kit("0.0.9"), catalogue=CatalogueRef("sha256:old"), **now)
    made("else", case, kit=Kit("0.0.8"))
    made("set", case, profile="reference")
    recorded = "  recorded  by kit 0.0.9, and this is 0.1.0; by another catalogue\n"
    assert "recorded " not in asked("6.2.7-6", "--run", "now")[1]
    assert asked("6.2.7-6", "--run", "old")[1].count(recorded) == 1
    code, out, _ = asked("6.2.7-6", "--run", "now", "--with", "else", "--with", "set")
    assert code == 0
    entries = [line.strip() for line in out.splitlines() if line.startswith("  recorded")]
    assert entries == [
        "recorded  by kit 0.0.8, and this is 0.1.0",
        "recorded  with another profile reference or other settings than it has now",
    ]
    assert "recorded  by kit 0.0.9" in asked("8.5-1", "--run", "now", "--with", "old")[1], "without a case of it too"
    said = json.loads(asked("6.2.7-6", "--run", "old", "--format", "json")[1])
    assert said["reference"]["changed"]["kit"] == {"from": "0.0.9", "to": "0.1.0"}
    assert set(said["reference"]["changed"]) == {"kit", "catalogue"}


def test_the_newest_run_with_the_row_is_recordedfrom(asked, reference, made):
    made("20260101-ref", {"8.5-1": (Outcome.HELD, conversation, {})}, profile="reference")
    _, out, _ = asked("6.2.7-6")
    assert "run 20250101-ref" in out


def test_runs_of_other_providers_are_named_where_none_was_asked_for(asked, reference, made):
    made("other", {"6.2.7-6": (Outcome.BROKEN, refusing, {"observed": "y"})})
    _, out, _ = asked("6.2.7-6")
    assert "Recorded too: acme (--with other)" in out
    _, out, _ = asked("6.2.7-6", "--with", "other")
    assert "Recorded too" not in out
