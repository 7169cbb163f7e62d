"""`tck gate`: new violations fail, each with its reason; known and fixed ones are distinguished; what cannot be compared is refused."""

import contextlib
import dataclasses
import importlib
import io
import json
import os
import shutil
import sys
from pathlib import Path

import pytest
import synthetic_bundles as synthetic

from tck.cli.main import main
from tck.record import Bundle, Outcome, Verdict
from tck.reports import earlier_runs, gate, verdict_snapshot

POINTS = ("queue/classic/auto", "topic/classic/auto")
HELD, BROKEN = Outcome.HELD, Outcome.BROKEN


@pytest.fixture
def made(tmp_path, catalogue):
    """Write runs: `made("a", {"8.5-1": BROKEN})`, each a day after the one before; what is not named held."""
    number = iter(range(1, 29))

    def make(name, outcomes, *, rows=("8.5-1", "8.5-2"), points=POINTS, **changes):
        day = next(number)
        recorded = []
        for id_ in rows:
            for point in points:
                case = synthetic.case_row(catalogue[id_], point)
                said = outcomes.get(f"{id_}/{point}", outcomes.get(id_, HELD))
                for attempt, outcome in enumerate(said if isinstance(said, list) else [said], start=1):
                    declared = "fails" if outcome == "declared" else None
                    outcome = BROKEN if declared else outcome  # noqa: PLW2901 - the word stands for an outcome
                    seen = {"expected": "x", "observed": "y"} if outcome is BROKEN else {}
                    result = synthetic.result_row(catalogue, case, outcome, declared=declared, attempt=attempt, **seen)
                    recorded.append((case, result, ()))
        version, kit = changes.pop("version", "2.7.1"), changes.pop("kit", "0.1.0")
        run = synthetic.run_row(catalogue, run=name, started=f"2025-11-{day:02d}T10:00:00Z", **changes)
        run = dataclasses.replace(
            run,
            provider=dataclasses.replace(run.provider, version=version),
            kit=dataclasses.replace(run.kit, version=kit),
        )
        synthetic.write(tmp_path / name, run, recorded)
        return str(tmp_path / name)

    return make


def asked(capsys, *words):
    """Run `tck gate` and give exit code and JSON."""
    code = main(["gate", *words, "--format", "json"])
    captured = capsys.readouterr()
    return code, json.loads(captured.out) if captured.out else captured.err


def cases(found):
    return [each["case"] for each in found]


def test_nothing_new_passes_though_something_is_violated(made, capsys):
    before, now = made("a", {"8.5-1": BROKEN}), made("b", {"8.5-1": BROKEN})
    code, reported = asked(capsys, now, "--against", before)
    assert (code, reported["new"], reported["fixed"]) == (0, [], [])
    assert cases(reported["known"]) == ["8.5-1/queue/classic/auto", "8.5-1/topic/classic/auto"]
    assert {each["why"] for each in reported["known"]} == {"before"}


def test_what_held_and_is_violated_now_fails_with_what_changed(made, capsys):
    before = made("a", {})
    now = made("b", {"8.5-1/topic/classic/auto": BROKEN}, version="2.8.0")
    code, reported = asked(capsys, now, "--against", before)
    assert code == 1
    [new] = reported["new"]
    assert (new["case"], new["kind"], new["flaky"]) == ("8.5-1/topic/classic/auto", "regression", False)
    assert new["before"] == {
        "verdict": "conformant",
        "in": {"run": "a", "at": "2025-11-01T10:00:00Z", "version": "2.7.1", "kit": "0.1.0"},
    }
    assert new["changed"] == {"provider": {"from": "ACME Broker 2.7.1", "to": "ACME Broker 2.8.0"}}


def test_with_nothing_changed_a_new_violation_may_be_flaky(made, capsys):
    code, reported = asked(capsys, made("b", {"8.5-1": BROKEN}), "--against", made("a", {}))
    assert (code, [each["flaky"] for each in reported["new"]]) == (1, [True, True])


def test_attempts_that_differ_are_reported_as_flaky_whatever_changed(made, capsys):
    before, now = made("a", {}), made("b", {"8.5-1/queue/classic/auto": [HELD, BROKEN, HELD]}, kit="0.2.0")
    code, reported = asked(capsys, now, "--against", before)
    assert code == 1
    assert [(each["failed"], each["attempts"], each["flaky"]) for each in reported["new"]] == [(1, 3, True)]
    assert reported["new"][0]["changed"] == {"kit": {"from": "0.1.0", "to": "0.2.0"}}


@pytest.mark.parametrize(
    ("was", "kind"),
    [(Outcome.UNDECIDED, "undecided"), (Outcome.UNSUPPORTED, "unsupported"), ("declared", "undeclared")],
)
def test_the_reason_tells_what_it_was_before(made, capsys, was, kind):
    before = made("a", {"8.5-1": was})
    code, reported = asked(capsys, made("b", {"8.5-1": BROKEN}), "--against", before)
    assert (code, {each["kind"] for each in reported["new"]}) == (1, {kind})


def test_a_case_that_the_baseline_did_not_ask_is_new_if_its_row_held(made, capsys):
    before, now = made("a", {}, points=POINTS[:1]), made("b", {"8.5-1/topic/classic/auto": BROKEN})
    code, reported = asked(capsys, now, "--against", before)
    assert (code, reported["new"][0]["kind"], reported["new"][0]["before"]) == (1, "unasked", None)


def test_another_point_of_a_row_that_was_violated_is_known(made, capsys):
    before, now = made("a", {"8.5-1": BROKEN}, points=POINTS[:1]), made("b", {"8.5-1": BROKEN}, points=POINTS[1:])
    code, reported = asked(capsys, now, "--against", before)
    assert (code, [each["why"] for each in reported["known"]]) == (0, ["row"])
    assert cases(reported["gone"]) == ["8.5-1/queue/classic/auto"]


def test_what_was_fixed_is_listed_apart_from_what_was_declared(made, capsys):
    before = made("a", {"8.5-1": BROKEN, "8.5-2": BROKEN})
    code, reported = asked(capsys, made("b", {"8.5-2": "declared"}), "--against", before)
    assert code == 0
    assert {each["case"]: each["now"] for each in reported["fixed"]} == {
        f"{id_}/{point}": verdict
        for id_, verdict in (("8.5-1", "conformant"), ("8.5-2", "declared"))
        for point in POINTS
    }


def test_a_kit_that_fails_where_it_did_not_is_no_pass(made, capsys):
    code, reported = asked(capsys, made("b", {"8.5-1": Outcome.ERROR}), "--against", made("a", {}))
    assert code == 3
    assert {each["now"] for each in reported["unjudged"]} == {"harness-error"}


def test_a_run_that_decided_nothing_is_no_pass(made, capsys):
    before = made("a", {})
    code, reported = asked(capsys, made("b", dict.fromkeys(("8.5-1", "8.5-2"), Outcome.UNDECIDED)), "--against", before)
    assert code == 5
    assert len(reported["unjudged"]) == 4


def test_a_gate_file_says_what_its_run_says(made, capsys, tmp_path):
    before = made("a", {"8.5-1/queue/classic/auto": [BROKEN, HELD], "8.5-2": Outcome.UNDECIDED})
    file = tmp_path / "gate.json"
    assert main(["gate", before, "--write", str(file)]) == 0
    once = file.read_bytes()
    assert main(["gate", before, "--write", str(file)]) == 0
    assert file.read_bytes() == once
    from_bundle = verdict_snapshot.of_bundle(Bundle.open(before))
    from_file = verdict_snapshot.read(file)
    assert (dict(from_file.case_verdicts), from_file.origins) == (dict(from_bundle.case_verdicts), from_bundle.origins)
    capsys.readouterr()
    now = made("b", {"8.5-1": BROKEN, "8.5-2": BROKEN}, version="3")
    _, by_bundle = asked(capsys, now, "--against", before)
    _, by_file = asked(capsys, now, "--against", str(file))
    assert (by_bundle.pop("kind"), by_file.pop("kind")) == ("bundle", "file")
    assert (by_bundle.pop("against"), by_file.pop("against")) == ("run a", f"gate file {file}")
    assert by_bundle == by_file


def test_text_names_rows_cases_and_reasons(made, capsys):
    now = made("b", {"8.5-1": BROKEN}, version="2.8.0")
    before = made("a", {"8.5-2": BROKEN})
    assert main(["gate", now, "--against", before]) == 1
    said = capsys.readouterr().out
    for line in (
        "new violations: 1 assertion in 2 cases",
        "    8.5-1/topic/classic/auto",
        "      since     provider ACME Broker 2.7.1 became ACME Broker 2.8.0",
        "      observed  y",
        "fixed: 2 cases: 8.5-2/queue/classic/auto, 8.5-2/topic/classic/auto",
    ):
        assert line in said


def refused(capsys, *words):
    code = main(["gate", *words])
    captured = capsys.readouterr()
    assert (code, captured.out) == (4, "")
    assert "Traceback" not in captured.err
    return captured.err


def test_what_cannot_be_compared_is_refused_with_what_to_do(made, capsys, catalogue, tmp_path):
    now = made("b", {})
    profile = synthetic.run_row(catalogue).profile
    other = made("other", {}, profile=dataclasses.replace(profile, name="zenith"))
    tier = made("tier", {}, profile=dataclasses.replace(profile, tier="2.0"))
    apart = made("apart", {}, rows=("3.4.1-1",))
    empty = tmp_path / "empty"
    empty.mkdir()
    cut = made("cut", {})
    (Path(cut) / "end.json").unlink()
    assert "of profile acme" in refused(capsys, now, "--against", other)
    assert "judged by the rows of 3.1" in refused(capsys, now, "--against", tier)
    assert "no assertion in common" in refused(capsys, now, "--against", apart)
    assert "the run itself" in refused(capsys, now, "--against", now)
    assert "neither a run" in refused(capsys, now, "--against", str(empty))
    assert "TruncatedBundle" in refused(capsys, now, "--against", cut)
    assert "TruncatedBundle" in refused(capsys, cut, "--against", now)
    assert "expected --against" in refused(capsys, now)
    assert 'no run "nowhere"' in refused(capsys, now, "--against", "nowhere")
    assert "cannot write" in refused(capsys, now, "--write", str(tmp_path / "no" / "folder.json"))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "expected a gate file, saw"),
        ("[]", "another JSON value"),
        ('{"gate": 2}', "gate format 1 or lower, saw 2"),
        ('{"gate": 1}', "damaged"),
        ('{"gate": 1, "of": {"run": "a"}, "verdicts": {}, "unsteady": {}}', "damaged"),
    ],
)
def test_a_gate_file_that_is_none_is_refused(made, capsys, tmp_path, content, said):
    file = tmp_path / "gate.json"
    file.write_text(content)
    assert said in refused(capsys, made("b", {}), "--against", str(file))


def test_a_gate_file_without_verdicts_is_refused(made, capsys, tmp_path):
    file = tmp_path / "gate.json"
    main(["gate", made("a", {}), "--write", str(file)])
    capsys.readouterr()
    content = json.loads(file.read_text())
    file.write_text(json.dumps(content | {"verdicts": {}}))
    now = made("b", {})
    assert "holds no verdict" in refused(capsys, now, "--against", str(file))
    file.write_text(json.dumps(content | {"verdicts": {"8.5-1": {"splendid": ["8.5-1/x"]}}}))
    assert "damaged" in refused(capsys, now, "--against", str(file))


# -- histories -----------------------------------------------------------------------------------------------------------


def ingest(store, *bundles):
    """Put runs into a history store, as users do."""
    pytest.importorskip("pyarrow", reason="the extra `spark` is not installed")
    with contextlib.redirect_stdout(io.StringIO()):
        assert main(["pipeline", "ingest", *bundles, "--store", str(store)]) == 0
    return str(store)


def test_a_history_tells_since_when(made, capsys, tmp_path):
    broken = {"8.5-1/queue/classic/auto": BROKEN}
    runs = [made("a", {}), made("b", broken), made("c", {}), made("d", broken), made("e", broken)]
    now = made("f", broken)
    code, reported = asked(capsys, now, "--against", ingest(tmp_path / "store", *runs, now))
    assert (code, reported["runs"], reported["kind"]) == (0, 5, "history")
    [known] = reported["known"]
    assert (known["why"], known["since"]["run"], known["broken"], known["asked"]) == ("before", "d", 3, 5)


def steps(made, *broken_in, version="2.7.1"):
    """Make a run for each letter: b(roken), h(eld), m(ixed attempts)."""
    said = {"b": BROKEN, "h": HELD, "m": [HELD, BROKEN]}
    return [
        made(f"{version}-{number:02d}", {"8.5-1/queue/classic/auto": said[letter]}, version=version)
        for number, letter in enumerate(broken_in)
    ]


@pytest.mark.parametrize(
    ("before", "broken", "asked_"), [("hbh", 1, 3), ("bhbh", 2, 4), ("mh", 1, 2), ("hbhhhhhhhh", 1, 10)]
)
def test_a_violation_that_came_back_with_nothing_changed_is_flaky_and_known(
    made, capsys, tmp_path, before, broken, asked_
):
    store = ingest(tmp_path / "store", *steps(made, *before))
    code, reported = asked(capsys, made("z", {"8.5-1/queue/classic/auto": BROKEN}), "--against", store)
    found = [(each["why"], each["broken"], each["asked"]) for each in reported["known"]]
    assert (code, found) == (0, [("flaky", broken, asked_)])


@pytest.mark.parametrize("before", ["bh", "bhh", "bbhhh", "h", "hbhhhhhhhhhh"])
def test_what_was_mended_and_comes_back_for_the_first_time_is_new(made, capsys, tmp_path, before):
    """Nothing that is recorded changed: a provider under development keeps its version from build to build."""
    store = ingest(tmp_path / "store", *steps(made, *before))
    code, reported = asked(capsys, made("z", {"8.5-1/queue/classic/auto": BROKEN}), "--against", store)
    assert (code, [(each["kind"], each["flaky"]) for each in reported["new"]]) == (1, [("regression", True)])


def test_what_came_and_went_in_another_version_is_new_in_this_one(made, capsys, tmp_path):
    store = ingest(tmp_path / "store", *steps(made, *"hbhbh", version="1"), *steps(made, "h", version="2"))
    code, reported = asked(capsys, made("z", {"8.5-1/queue/classic/auto": BROKEN}, version="2"), "--against", store)
    assert (code, reported["known"]) == (1, [])


def test_a_violation_that_an_earlier_version_had_is_new_in_this_one(made, capsys, tmp_path):
    broken = {"8.5-1/queue/classic/auto": BROKEN}
    store = ingest(tmp_path / "store", made("a", broken, version="1"), made("b", {}, version="1"))
    code, reported = asked(capsys, made("c", broken, version="2"), "--against", store)
    assert (code, [each["kind"] for each in reported["new"]]) == (1, ["regression"])
    assert reported["new"][0]["before"]["in"]["run"] == "b"
    assert main(["gate", str(tmp_path / "c"), "--against", store]) == 1
    assert "history" in capsys.readouterr().out


def test_only_runs_of_the_same_profile_and_tier_count(made, capsys, catalogue, tmp_path):
    profile = synthetic.run_row(catalogue).profile
    other = made("a", {}, profile=dataclasses.replace(profile, tier="2.0"))
    store = ingest(tmp_path / "store", other)
    assert "it holds acme (2.0, suite)" in refused(capsys, made("b", {}), "--against", store)
    later = made("c", {})
    ingest(tmp_path / "store", later)
    assert "before b" in refused(capsys, str(tmp_path / "b"), "--against", store)


def test_a_damaged_history_is_refused(made, capsys, tmp_path):
    store, now = tmp_path / "store", None
    ingest(store, made("a", {}))
    now = made("b", {})
    part = store / "verdict" / "run=a" / "part-0.parquet"
    part.write_bytes(part.read_bytes()[:100])
    assert f"{part}: expected Parquet, saw a damaged file" in refused(capsys, now, "--against", str(store))
    part.unlink()
    assert f"{part}: expected this file of the store, saw none" in refused(capsys, now, "--against", str(store))
    shutil.rmtree(part.parent)
    assert f"{part}: expected this file of the store, saw none" in refused(capsys, now, "--against", str(store))
    manifest = store / "runs" / "a.json"
    good = json.loads(manifest.read_text())
    manifest.write_text(json.dumps(good | {"layout": 99}))
    assert "another version of the kit wrote it" in refused(capsys, now, "--against", str(store))
    for wrong in ({"about": []}, {"about": {"selection": 3}}, {"started": "yesterday"}, {"kit": None, "started": None}):
        manifest.write_text(json.dumps(good | wrong))
        assert "manifest of the run is damaged" in refused(capsys, now, "--against", str(store))
    manifest.write_text("{}")
    assert "manifest of the run is damaged" in refused(capsys, now, "--against", str(store))
    manifest.unlink()
    assert "holds no run" in refused(capsys, now, "--against", str(store))


def test_words_of_a_history_that_no_kit_wrote_are_refused(made, capsys, tmp_path):
    store, now = Path(ingest(tmp_path / "store", made("a", {}))), made("b", {})
    pq = importlib.import_module("pyarrow.parquet")
    part = store / "verdict" / "run=a" / "part-0.parquet"
    table = pq.read_table(part, partitioning=None)
    at = table.column_names.index("verdict")
    splendid = importlib.import_module("pyarrow").array(["splendid"] * table.num_rows)
    pq.write_table(table.set_column(at, "verdict", splendid), part)
    assert "column verdict, saw 'splendid'" in refused(capsys, now, "--against", str(store))
    pq.write_table(table.drop_columns(["case"]), part)
    assert "expected the columns case, saw none" in refused(capsys, now, "--against", str(store))


def test_the_first_run_of_a_history_is_told_what_to_do(made, capsys, tmp_path):
    now = made("a", {})
    said = refused(capsys, now, "--against", ingest(tmp_path / "store", now))
    assert "before a; `tck pipeline ingest RUN --store" in said
    assert "the next run is the first to have one" in said


def test_a_gate_file_takes_the_place_of_a_file_only(made, capsys, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert "cannot write" in refused(capsys, made("a", {}), "--write", str(tmp_path / "pipe"))
    assert (tmp_path / "pipe").is_fifo()


def test_without_pyarrow_one_sentence_says_what_to_install(made, capsys, tmp_path, monkeypatch):
    store, now = ingest(tmp_path / "store", made("a", {})), made("b", {})
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "pip install 'jms-tck[spark]'" in refused(capsys, now, "--against", store)


def test_the_layout_is_the_one_that_the_pipeline_writes():
    pytest.importorskip("pyarrow", reason="the extra `spark` is not installed")
    from tck.reports.pipeline.run_info import LAYOUT

    assert earlier_runs.LAYOUT == LAYOUT


def test_a_folder_that_is_no_store_is_no_history(tmp_path):
    with pytest.raises(earlier_runs.HistoryError, match="expected a history store"):
        earlier_runs.origins(tmp_path)


def test_undecided_runs_between_do_not_make_a_violation_new(made, capsys, tmp_path):
    store = ingest(tmp_path / "store", made("a", {"8.5-1": BROKEN}), made("b", {"8.5-1": Outcome.UNDECIDED}))
    code, reported = asked(capsys, made("c", {"8.5-1": BROKEN}, version="9"), "--against", store)
    assert (code, {each["why"] for each in reported["known"]}) == (0, {"before"})


def test_each_reason_has_words():
    kinds = {gate._kind(each) for each in [None, *Verdict] if each is not Verdict.VIOLATION}
    assert kinds <= set(gate.KINDS)


def test_each_key_of_json_output_is_documented(made, capsys):
    before = made("a", {"8.5-1/queue/classic/auto": BROKEN, "8.5-2": BROKEN})
    now = made("b", {"8.5-1": BROKEN, "8.5-2/queue/classic/auto": Outcome.UNDECIDED}, version="3", points=POINTS)
    _, reported = asked(capsys, now, "--against", before)
    keys = set(reported)
    for name in ("new", "known", "fixed", "unjudged"):
        assert reported[name], f"the test has to show an entry of {name}"
        keys |= {key for entry in reported[name] for key in entry}
    keys |= set(reported["new"][0]["changed"]) | set(reported["new"][0]["since"])
    text = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
    section = text.split("## tck gate\n")[1].split("\n## ")[0]
    assert sorted(key for key in keys if f"`{key}`" not in section) == []
