"""The way of docs/gate.md on a real provider: a good run, a broken one, and what gate and report say of it."""

import json
import re
from dataclasses import replace

import pytest
from cli_support import tck

from tck.record.compressed import pack, unpack
from tck.record.lines import digest
from tck.record.rows import End
from tck.record.runs import run_folders

MINE = '[profile]\nname = "mine"\ntitle = "Mine"\nextends = "reference"\n'


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with the history of a good run, its gate file, and a later run that breaks a row."""
    folder = tmp_path_factory.mktemp("gated")
    (folder / "mine.toml").write_text(MINE)
    run = ["run", "3.4.1", "-p", "mine.toml", "-n", "0", "--no-report", "--seed", "7"]
    assert tck(*run, cwd=folder).code == 0
    assert tck("gate", "latest", "--write", "baseline.json", cwd=folder).code == 0
    pytest.importorskip("pyarrow", reason="the extra `spark` is not installed")
    assert tck("pipeline", "ingest", "latest", "--store", "history", cwd=folder).code == 0
    (folder / "mine.toml").write_text(MINE + '\n[adapter.settings]\nsaboteur = "3.4.1-1"\n')
    assert tck(*run, cwd=folder).code == 1
    assert tck("pipeline", "ingest", "latest", "--store", "history", cwd=folder).code == 0
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("against", ["baseline.json", "history"])
def test_a_row_that_breaks_fails_the_gate_with_its_reason(place, against):
    ended = tck("gate", "latest", "--against", against, "--format", "json", cwd=place)
    output = ended.json()
    assert (ended.code, output["exit"]) == (1, 1)
    assert {new["assertion"] for new in output["new"]} == {"3.4.1-1"}
    assert {(new["kind"], tuple(new["changed"])) for new in output["new"]} == {("regression", ("profile",))}
    text = tck("gate", "--against", against, cwd=place).out
    assert "since     the profile changed" in text
    assert "observed  " in text


def test_the_report_of_the_broken_run_shows_what_changed(place):
    ended = tck("report", "latest", "--html", "site", "--history", "history", cwd=place)
    assert (ended.code, ended.err) == (0, "")
    text = (place / "site" / "trends.html").read_text()
    assert "Trends over 2 runs" in text
    assert "another profile" in text


def test_a_gate_that_does_not_pass_leaves_the_baseline_alone(place):
    before = (place / "baseline.json").read_bytes()
    ended = tck("gate", "latest", "--against", "baseline.json", "--write", "baseline.json", cwd=place)
    assert ended.code == 1
    assert "baseline.json not written: the gate did not pass" in ended.err
    assert (place / "baseline.json").read_bytes() == before


def reseal(folder, **changes):
    path = folder / "end.json"
    end = End.from_json(json.loads(path.read_bytes()))
    path.write_text(json.dumps(replace(end, **changes).sealed().to_json()))


@pytest.fixture
def shorter(place, tmp_path):
    """A run of one of the rows, the baseline of them all, and a way to say how the run ended."""
    (tmp_path / "mine.toml").write_text(MINE)
    assert tck("run", "3.4.1-1/*", "-p", "mine.toml", "-n", "0", "--no-report", cwd=tmp_path).code == 0
    (folder,) = (tmp_path / "tck-out" / "runs").iterdir()

    def gated(code):
        reseal(folder, exit=code)
        return tck("gate", "latest", "--against", str(place / "baseline.json"), cwd=tmp_path)

    return gated


@pytest.mark.parametrize(("code", "gate"), [(0, 0), (1, 0), (2, 2), (3, 3), (4, 4), (6, 6)])
def test_a_run_that_did_not_come_to_its_end_passes_no_gate(shorter, code, gate):
    assert shorter(code).code == gate


def test_what_was_decided_before_and_is_not_asked_now_is_counted(shorter):
    out = shorter(0).out
    assert "no new violation" in out
    assert re.search(r"decided before and not asked by this run: \d+ other cases", out)


def test_the_evidence_is_that_of_an_attempt_that_failed(tmp_path):
    (tmp_path / "mine.toml").write_text(MINE)
    run = ["run", "3.4.1-1/*", "-p", "mine.toml", "-n", "0", "--no-report", "--points", "one", "--repeat", "2"]
    assert tck(*run, cwd=tmp_path).code == 0
    assert tck("gate", "latest", "--write", "baseline.json", cwd=tmp_path).code == 0
    assert tck(*run, "--setting", "saboteur=3.4.1-1", cwd=tmp_path).code == 1
    newest = run_folders(tmp_path / "tck-out")[-1]
    results = [json.loads(line) for line in unpack((newest / "results.ndjson.zst").read_bytes()).splitlines()]
    assert len(results) == 2
    results[0] |= {
        "outcome": "held",
        "verdicts": {"3.4.1-1": "conformant"},
        "verdict": "conformant",
        "observed": "well",
    }
    results[1]["observed"] = "badly"
    file = newest / "results.ndjson.zst"
    file.write_bytes(pack("".join(json.dumps(each) + "\n" for each in results).encode()))
    end = json.loads((newest / "end.json").read_bytes())
    reseal(
        newest,
        sizes={**end["sizes"], file.name: file.stat().st_size},
        digests={**end["digests"], file.name: digest(file)},
        verdicts={"conformant": 1, "violation": 1},
        outcomes={"held": 1, "broken": 1},
    )
    reported = tck("gate", "latest", "--against", "baseline.json", cwd=tmp_path)
    assert "failed in 1 of 2 attempts" in reported.out, reported
    assert "observed  badly" in reported.out
    assert "since     the profile changed" in reported.out, "a setting that is overridden is another target"
