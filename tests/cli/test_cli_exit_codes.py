"""Each exit code, provoked for real on real runs."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from xml.etree import ElementTree as ET

import pytest
from cli_support import PATIENCE, ROOT, command, environment, one_message, run, tck, wait_for_results

from tck.record import Bundle, Verdict

BROKEN = """
def open_provider(settings, work_dir):
    raise ConnectionRefusedError("nobody listens on tcp://localhost:61616")
"""

JEALOUS = """
from pathlib import Path
from reference_provider.adapter import open_provider as open_reference

def open_provider(settings, work_dir):
    try:
        Path("occupied").touch(exist_ok=False)
    except FileExistsError:
        raise ConnectionRefusedError("another process is in") from None
    return open_reference({"clock": "virtual"}, work_dir)
"""

PROFILE = """
[profile]
name = "mine"
title = "Mine"

[adapter]
kind = "python"
target = "{target}"

[claims]
version = "3.1"
"""

SUITE_TEST = '''
import os
from tck.suite.support import asserts

@asserts("{id}", variant="ours")
def test_of_our_own(case):
    """A test that is not in the suite."""
    {body}
'''


def write_profile(folder, target):
    (folder / "mine.toml").write_text(PROFILE.format(target=target))


def write_test(folder, id_, body="pass"):
    path = folder / "test_of_our_own.py"
    path.write_text(SUITE_TEST.format(id=id_, body=body))
    return str(path)


def test_0_a_conformant_provider(good):
    _, ended = good
    assert ended.code == 0, ended.err
    output = ended.json()
    assert output["exit"] == 0
    assert output["violations"] == output["stale"] == []
    assert output["outcomes"] == {"held": output["cases"]}
    assert output["seed"] == 7


def test_json_alone_on_stdout_progress_on_stderr(good):
    _, ended = good
    assert ended.out.startswith("{")
    assert json.loads(ended.out)
    assert "verdicts" in ended.err


def test_bundle_and_report_are_where_the_json_says(good):
    folder, ended = good
    output = ended.json()
    bundle = Bundle.open(output["bundle"])
    assert bundle.run.run == output["run"]
    assert len(bundle.cases()) == output["cases"]
    assert bundle.end.exit == 0
    assert output["report"].endswith("index.html")
    assert output["bundle"].startswith(str(folder))


def test_the_text_ends_with_bundle_and_exit(tmp_path):
    ended = tck("run", "3.4.1-3/*", "-n", "0", "--no-report", cwd=tmp_path)
    assert ended.code == 0
    assert ended.err == ""
    assert "exit    0" in ended.out
    assert "\x1b" not in ended.out


def test_1_a_violation(tmp_path):
    ended = tck("run", "3.4.1", "--setting", "saboteur=3.4.1-1", "-n", "0", "--format", "json", cwd=tmp_path)
    assert ended.code == 1
    assert ended.json()["violations"] == ["3.4.1-1"]


def test_1_a_stale_declaration(tmp_path):
    profile = tmp_path / "stale.toml"
    profile.write_text(
        '[profile]\nname = "stale"\ntitle = "Stale"\nextends = "reference"\n\n'
        '[[deviation]]\nassertion = "3.4.1-3"\noutcome = "fails"\nreason = "it once did"\nevidence = "a run of old"\n'
    )
    ended = tck("run", "3.4.1-3/*", "-p", "stale.toml", "-n", "0", "--format", "json", cwd=tmp_path)
    assert (ended.code, ended.json()["stale"]) == (1, ["3.4.1-3"])


@pytest.mark.parametrize("processes", ["0", "2"])
def test_2_an_interrupt(tmp_path, processes):
    process = subprocess.Popen(
        command("run", "-n", processes, "--format", "json", "--no-report"),
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        wait_for_results(tmp_path)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 2, err
    output = json.loads(out)
    assert output["exit"] == 2
    assert Bundle.open(output["bundle"]).end.exit == 2


@pytest.mark.parametrize("whole_group", [False, True])
@pytest.mark.parametrize("processes", ["0", "2"])
def test_7_sigterm_keeps_verdicts_bundle_and_report(tmp_path, processes, whole_group):
    process = subprocess.Popen(
        command("run", "-n", processes, "--format", "json"),
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        wait_for_results(tmp_path, least=20_000)
        process.send_signal(signal.SIGTERM)
        if whole_group:  # as `timeout` does
            os.killpg(process.pid, signal.SIGTERM)
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 7, err
    output = json.loads(out)
    assert output["exit"] == 7
    assert output["outcomes"]["held"] > 0
    bundle = Bundle.open(output["bundle"])
    assert bundle.end.exit == 7
    assert len(bundle.results()) == sum(output["outcomes"].values())
    assert "exit    7 (terminated)" in err
    assert "Traceback" not in err
    assert (tmp_path / output["report"]).is_file()


def test_7_sigterm_ends_every_command(tmp_path):
    words = command("explore", "--seconds", "60", "--seed", "1")
    with subprocess.Popen(
        words, cwd=tmp_path, env=environment(), stderr=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        time.sleep(3)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 7


@pytest.mark.parametrize("closed", ["| head -n 1", "| true"])
@pytest.mark.parametrize(
    "words", ["run 3.4.1-1/* -n 0", "run 3.4.1-1/* -n 2", "list", "explain 3.4.1-1", "list --format json"]
)
def test_2_nobody_reads_the_output(tmp_path, words, closed):
    line = f"{shlex.join(command(*words.split()))} {closed}; exit ${{PIPESTATUS[0]}}"
    ended = run("bash", "-c", line, cwd=tmp_path)
    assert ended.err == ""
    assert ended.code == 2 or (ended.code == 0 and closed == "| head -n 1")
    if words.startswith("run"):
        assert [path.name for path in tmp_path.glob("tck-out/runs/*/end.json")] == ["end.json"]


@pytest.mark.parametrize("words", ["run 3.4.1-1/* -n 0", "run 3.4.1-1/* -n 2", "list", "explain 3.4.1-1"])
def test_0_a_closed_stdout_discards_the_output(tmp_path, words):
    ended = run("bash", "-c", f"{shlex.join(command(*words.split()))} >&-", cwd=tmp_path)
    assert (ended.code, ended.err) == (0, "")


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "latin-1"])
@pytest.mark.parametrize(
    "words", ["run 3.4.1 -n 0 --seed 1 --setting saboteur=3.4.1-3", "explain 3.4.1-1", "list 3.4.1"]
)
def test_terminals_without_our_symbols_show_readable_tables(tmp_path, words, encoding):
    process = subprocess.run(
        command(*words.split()),
        cwd=tmp_path,
        env={**environment(), "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
    )
    text = process.stdout.decode(encoding)
    assert process.returncode == (1 if words.startswith("run") else 0)
    assert process.stderr == b""
    assert "?" not in text.replace("??", "")
    if words.startswith("run"):
        assert "x 1 assertion violated" in text
        assert "----------" in text


def test_the_report_of_a_killed_run_is_written_as_the_message_says(tmp_path):
    words = command("run", "-n", "0", "--no-report")
    killed = {**environment(), "TMPDIR": str(tmp_path)}
    with subprocess.Popen(words, cwd=tmp_path, env=killed, stdout=subprocess.DEVNULL) as process:
        wait_for_results(tmp_path, least=20_000)
        process.kill()
    (folder,) = (tmp_path / "tck-out" / "runs").iterdir()
    refused = tck("report", folder.name, cwd=tmp_path)
    assert refused.code == 4
    named = re.search(r"`tck (report .* --allow-truncated)`", one_message(refused))
    written = tck(*named[1].split(), cwd=tmp_path)
    assert written.code == 0, written.err
    page = (tmp_path / "tck-out" / "html" / folder.name / "index.html").read_text()
    assert "This bundle is truncated" in page


def test_3_a_test_that_names_an_unknown_row(tmp_path):
    path = write_test(tmp_path, "3.4.1-99")
    ended = tck("run", "3.4.1-3/*", "-n", "0", "--no-report", "--format", "json", "--", path, cwd=tmp_path)
    assert ended.code == 3
    assert "@asserts names 3.4.1-99, which the catalogue does not have" in ended.err


def test_3_an_exception_of_the_adapter_is_not_called_a_fault_of_the_kit(tmp_path):
    (tmp_path / "unfit.py").write_text(
        UNFIT.format(body="type(p := reference({}, work_dir)).create_queue = 1; return p")
    )
    write_profile(tmp_path, "unfit:open_provider")
    ended = tck("run", "8.5-1", "-p", "mine.toml", "-n", "0", "--no-report", cwd=tmp_path)
    assert ended.code == 3, ended.out
    assert "exit    3 (kit or adapter error)" in ended.out


def test_3_a_worker_process_that_dies(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # it removes nothing
    path = write_test(tmp_path, "3.4.1-3", body="os._exit(9)")
    ended = tck("run", "3.4.1-3/queue/*", "-n", "2", "--no-report", "--format", "json", "--", path, cwd=tmp_path)
    assert ended.code == 3, ended.err
    output = ended.json()
    assert output["outcomes"]["lost"] == 3
    assert output["outcomes"]["held"] == 3


def test_3_a_pass_without_a_witness(tmp_path):
    path = write_test(tmp_path, "3.4.1-3")
    ended = tck("run", "3.4.1-3/*", "-n", "0", "--no-report", "--format", "json", "--", path, cwd=tmp_path)
    assert ended.code == 3
    assert ended.json()["outcomes"] == {"error": 6, "held": 6}


@pytest.mark.parametrize("command_", ["run", "coverage", "list", "detect"])
def test_4_a_wrong_selector(command_, tmp_path):
    ended = tck(command_, "3.99", cwd=tmp_path)
    assert ended.code == 4
    assert one_message(ended).startswith('unknown selector "3.99"')
    assert not (tmp_path / "tck-out").exists()


def test_5_nothing_selected_under_the_tier(tmp_path):
    ended = tck("run", "3.4.13", "--tier", "1.1", "-n", "0", "--format", "json", cwd=tmp_path)
    assert ended.code == 5
    assert "nothing was judged of 3.4.13 under 1.1" in ended.err
    assert "Traceback" not in ended.err
    assert ended.json()["cases"] == 0


@pytest.mark.parametrize("workers", ["0", "2"])
def test_6_a_provider_that_cannot_be_reached(workers, tmp_path):
    (tmp_path / "refusing.py").write_text(BROKEN)
    write_profile(tmp_path, "refusing:open_provider")
    ended = tck("run", "3.4.1", "-p", "mine.toml", "-n", workers, "--format", "json", cwd=tmp_path)
    assert ended.code == 6
    assert "nobody listens on tcp://localhost:61616" in ended.err
    assert "Traceback" not in ended.err
    output = ended.json()
    assert set(output["outcomes"]) == {"unreachable"}
    assert output["cases"] <= max(1, int(workers)) < 24
    assert set(Bundle.open(output["bundle"]).end.verdicts) == {Verdict.HARNESS_ERROR}
    assert tck("report", output["bundle"], "--junit", "junit.xml", cwd=tmp_path).code == 0
    root = ET.parse(tmp_path / "junit.xml").getroot()  # noqa: S314 - we wrote it
    assert (root.get("tests"), len([*root.iter("skipped")])) == ("24", 24 - output["cases"])


def test_6_a_provider_that_lets_one_process_in_only(tmp_path):
    (tmp_path / "jealous.py").write_text(JEALOUS)
    write_profile(tmp_path, "jealous:open_provider")
    ended = tck("run", "3.4.1", "-p", "mine.toml", "-n", "2", "--format", "json", cwd=tmp_path)
    assert ended.code == 6, ended.err
    assert ended.json()["outcomes"]["unreachable"] >= 1


PATIENT = """
import time
from pathlib import Path
from reference_provider.adapter import open_provider as open_reference

def open_provider(settings, work_dir):
    try:
        Path("occupied").touch(exist_ok=False)
    except FileExistsError:
        Path("refused").touch()
        raise ConnectionRefusedError("another process is in") from None
    while not Path("refused").exists():
        time.sleep(0.01)
    return open_reference({"clock": "virtual"}, work_dir)
"""


def test_6_workers_of_xdist_leave_what_they_have_not_begun(tmp_path):
    (tmp_path / "patient.py").write_text(PATIENT)
    write_profile(tmp_path, "patient:open_provider")
    suite = str(ROOT / "tck" / "suite" / "ch03_message_model")
    words = ("-m", "pytest", suite, "--profile", "mine.toml", "-n", "2", "-p", "no:cacheprovider", "-q")
    ended = run(sys.executable, *words, cwd=tmp_path)
    assert ended.code == 6, ended.out + ended.err
    [bundle] = (tmp_path / "tck-out" / "runs").iterdir()
    opened = Bundle.open(bundle)
    assert not (bundle / "stop").exists()
    assert opened.end.verdicts[Verdict.HARNESS_ERROR] == 1
    assert len(opened.cases()) > 2000
    assert sum(opened.end.verdicts.values()) < 100, "an eighth of all cases, 300, is in each worker's hands at once"


def test_4_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").touch()
    ended = tck("run", "3.4.1-3/*", "-n", "0", "--out", "file/out", cwd=tmp_path)
    assert ended.code == 4
    assert f"cannot be written to {tmp_path}/file/out" in ended.err
    assert "--out" in ended.err
    assert "Traceback" not in ended.err + ended.out
    assert "INTERNALERROR" not in ended.err + ended.out


@pytest.mark.parametrize("processes", ["0", "2"])
@pytest.mark.parametrize(
    ("body", "code", "says"),
    [
        ("import sys; sys.exit('no licence')", 6, "SystemExit: no licence"),
        ("return {}", 4, "returned an object of type builtins.dict; an adapter returns a tck.api.Provider"),
        ("raise api.SettingsError('unknown setting prot, did you mean port?')", 4, "did you mean port?"),
        ("return misfit(work_dir)", 4, "returned an object of type builtins.str; expected a tck.api.ConnectionFactory"),
    ],
)
def test_4_and_6_an_adapter_that_cannot_be_used(tmp_path, processes, body, code, says):
    (tmp_path / "unfit.py").write_text(UNFIT.format(body=body))
    write_profile(tmp_path, "unfit:open_provider")
    ended = tck("run", "3.4.1", "-p", "mine.toml", "-n", processes, "--no-report", cwd=tmp_path)
    assert ended.code == code, ended.out
    assert says in " ".join(ended.out.split())
    assert len(ended.out.splitlines()) < 45
    assert "Traceback" not in ended.out + ended.err
    assert "fault of the kit" not in ended.err


UNFIT = """
from reference_provider.adapter import open_provider as reference
from tck import api

def misfit(work_dir):
    provider = reference({{"clock": "virtual"}}, work_dir)
    type(provider).connection_factory = lambda self: "tcp://localhost:61616"
    return provider

def open_provider(settings, work_dir):
    {body}
"""


def test_4_an_unknown_setting_of_the_reference_provider(tmp_path):
    ended = tck("run", "3.4.1-1", "-n", "0", "--setting", "clok=1", "--no-report", cwd=tmp_path)
    assert ended.code == 4
    assert "unknown setting 'clok' of the reference provider" in " ".join(ended.out.split())


def test_4_a_disk_that_is_full_during_the_run(tmp_path):
    """The shell lets no file grow beyond some kilobytes, as on a full disk; this provider writes none, so it is the bundle's."""
    line = shlex.join(command("run", "3.8.1.1", "3.4", "--repeat", "3", "--seed", "1", "-n", "2", "-p", "dummy-raises"))
    ended = run("bash", "-c", f"ulimit -f 60; {line}", cwd=tmp_path)
    assert ended.code == 4, ended.out + ended.err
    assert len(ended.out.splitlines() + ended.err.splitlines()) < 65
    assert "INTERNALERROR" not in ended.out + ended.err
    assert "fault of the kit" not in ended.err
    assert "the bundle cannot be written: File too large" in ended.err
    named = re.search(r"`tck (report .* --allow-truncated)`", ended.err)
    assert tck(*named[1].split(), "--markdown", "summary.md", cwd=tmp_path).code == 0
    assert "undecided" in (tmp_path / "summary.md").read_text()


def test_4_an_adapter_that_is_not_there(tmp_path):
    write_profile(tmp_path, "no_such_module:open_provider")
    ended = tck("run", "3.4.1", "-p", "mine.toml", "-n", "2", "--format", "json", cwd=tmp_path)
    assert (ended.code, ended.out) == (4, "")
    assert ended.err.count("there is no module no_such_module") == 1
    assert "Traceback" not in ended.err
    assert not (tmp_path / "tck-out").exists()
