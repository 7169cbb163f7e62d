"""`tck report` and what `tck explain` sees: answers from bundles alone, and bundles that cannot be trusted."""

import json
import shutil
from xml.etree import ElementTree as ET

import pytest
from cli_support import Ended, one_message, tck

from tck.cli.main import main
from tck.record.compressed import pack, unpack


def bundle_of(good):
    return good[1].json()["bundle"]


def test_every_kind_of_report_is_written(good, tmp_path):
    targets = {
        "html": tmp_path / "site",
        "junit": tmp_path / "junit.xml",
        "json": tmp_path / "run.json",
        "markdown": tmp_path / "run.md",
        "badge": tmp_path / "badge.svg",
        "allure": tmp_path / "allure",
    }
    options = [word for kind, path in targets.items() for word in (f"--{kind}", str(path))]
    ended = tck("report", bundle_of(good), *options, "--format", "json", cwd=tmp_path)
    output = ended.json()
    assert (ended.code, output["run"], set(output["written"])) == (0, good[1].json()["run"], set(targets))
    assert (tmp_path / "site" / "index.html").is_file()
    junit = ET.parse(targets["junit"]).getroot()  # noqa: S314 - we wrote it
    assert junit.get("tests") == str(good[1].json()["cases"])
    assert json.loads(targets["json"].read_text())["run"]["run"] == output["run"]
    assert list(targets["allure"].glob("*-result.json"))


def test_without_options_the_site_of_the_latest_run_is_written(good, tmp_path):
    shutil.copytree(bundle_of(good), tmp_path / "tck-out" / "runs" / good[1].json()["run"])
    ended = tck("report", cwd=tmp_path)
    index = tmp_path / "tck-out" / "html" / good[1].json()["run"] / "index.html"
    assert ended.code == 0
    assert index.is_file()
    assert ended.out.split() == ["html", str(index.relative_to(tmp_path))]


def test_a_detection_is_shown_in_the_site(good, tmp_path):
    detection = {"saboteurs": 1, "killed": 1, "survived": [], "collateral": {}, "dummies": {}}
    (tmp_path / "detection.json").write_text(json.dumps(detection))
    ended = tck("report", bundle_of(good), "--html", "site", "--detection", "detection.json", cwd=tmp_path)
    assert ended.code == 0, ended.err
    assert (tmp_path / "site" / "detection.html").is_file()


def test_a_file_that_is_no_detection_is_refused(good, tmp_path):
    (tmp_path / "detection.json").write_text("[]")
    ended = tck("report", bundle_of(good), "--detection", "detection.json", cwd=tmp_path)
    assert "expected the output of `tck detect --format json`" in one_message(ended)
    assert ended.code == 4


def truncate(folder):
    (folder / "end.json").unlink()


def tamper(folder):
    path = folder / "results.ndjson.zst"
    path.write_bytes(pack(unpack(path.read_bytes()).replace(b'"held"', b'"hold"', 1)))


def double(folder):
    path = folder / "results.ndjson.zst"
    lines = unpack(path.read_bytes()).splitlines(keepends=True)
    path.write_bytes(pack(b"".join([*lines, lines[0]])))


def empty(folder):
    shutil.rmtree(folder)
    folder.mkdir()


def lose(folder):
    (folder / "cases.ndjson.zst").unlink()


@pytest.mark.parametrize(
    ("damage", "name"),
    [
        (truncate, "TruncatedBundle"),
        (tamper, "TamperedBundle"),
        (double, "DuplicatedBundle"),
        (empty, "EmptyBundle"),
        (lose, "MissingBundle"),
    ],
)
def test_a_broken_bundle_is_refused_by_name(damage, name, good, tmp_path, capfd):
    folder = tmp_path / "bundle"
    shutil.copytree(bundle_of(good), folder)
    damage(folder)
    for words in (["report"], ["coverage", "--bundle"], ["explain", "3.4.1-1", "--bundle"], ["baseline"]):
        code = main([*words, str(folder)])
        assert one_message(Ended(code, *capfd.readouterr())).startswith(f"{name}: ")
        assert code == 4


def test_explain_tells_what_the_latest_run_saw(good):
    output = tck("explain", "3.4.1-1", "--format", "json", cwd=good[0]).json()["seen"]
    assert (output["run"], output["verdict"]) == (good[1].json()["run"], "conformant")
    assert {case["outcome"] for case in output["cases"]} == {"held"}
    text = tck("explain", "3.4.1-1/queue/classic/auto", cwd=good[0]).out
    assert "conformant  3.4.1-1/queue/classic/auto" in text


@pytest.mark.slow
def test_explain_looks_for_the_newest_run_with_a_case_of_the_row(good, tmp_path):
    runs = tmp_path / "tck-out" / "runs"
    shutil.copytree(bundle_of(good), runs / "earlier")
    assert tck("run", "3.4.2-1/*", "-n", "0", "--no-report", cwd=tmp_path).code == 0
    seen = tck("explain", "3.4.1-1", "--format", "json", cwd=tmp_path).json()["seen"]
    assert seen["run"] == good[1].json()["run"]
    assert "had no case of it" in tck("explain", "3.4.3-1", cwd=tmp_path).out


def test_explain_of_a_case_that_did_not_run_names_those_that_did(good):
    ended = tck("explain", "3.4.1-1/queue/classic/atuo", cwd=good[0])
    assert "it has 3.4.1-1/queue/classic/auto, " in one_message(ended)
    assert ended.code == 4
