"""Bundles of workloads with damaged files: each is refused by an error that names the file and what to do."""

import json
import shutil
from dataclasses import fields

import pytest
from workload_support import drive

from tck.check import Margins
from tck.cli.main import main
from tck.record import Exit, NewerBundle, TamperedBundle, TruncatedBundle
from tck.record.packed import MARGINS, PackedRun


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    drive(folder, "selectors", 60)
    return folder / "run"


@pytest.fixture
def sealed(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "bundle")


@pytest.fixture
def bundle(sealed):
    """A bundle as a killed run leaves it."""
    (sealed / "end.json").unlink()
    return sealed


def refused(bundle, capsys, *words):
    assert main(["workload", "check", str(bundle), "--allow-truncated"]) == Exit.USAGE
    message = capsys.readouterr().err
    for word in (*words, "etch the bundle again"):
        assert word in message


def change(path, **values):
    content = json.loads(path.read_text()) | values
    path.write_text(json.dumps({key: value for key, value in content.items() if value != DROPPED}))


DROPPED = "dropped"
NAN = float("nan")


def test_a_killed_run_is_judged(bundle):
    assert main(["workload", "check", str(bundle), "--allow-truncated"]) == Exit.CONFORMANT


def test_the_reader_knows_all_margins():
    assert {each.name for each in fields(Margins)} == MARGINS


# -- run.json ----------------------------------------------------------------------------------------------------------


def test_a_truncated_bundle_of_a_newer_kit_is_refused(bundle):
    change(bundle / "run.json", schema=99)
    with pytest.raises(NewerBundle, match="saw 99"):
        PackedRun.open(bundle, allow_truncated=True)


@pytest.mark.parametrize("values", [{"run": 5}, {"kit": None}, {"profile": {}}, {"schema": DROPPED}, {"kind": 1}])
def test_a_run_that_is_no_run_is_refused(bundle, capsys, values):
    change(bundle / "run.json", **values)
    refused(bundle, capsys, "run.json: ")


def test_an_empty_run_is_refused(bundle, capsys):
    (bundle / "run.json").write_text("{}")
    refused(bundle, capsys, "run.json: expected a schema number")


# -- workload.json -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "values",
    [
        {"origin_ns": DROPPED},
        {"origin_ns": NAN},
        {"origin_ns": "x"},
        {"origin_ns": 1 << 80},
        {"margins": DROPPED},
        {"margins": None},
        {"margins": "x"},
        {"margins": {"leniency": 5}},
        {"margins": {"tolerance": "x"}},
        {"margins": {"tolerance": NAN}},
        {"margins": {"tolerance": -1}},
        {"margins": {"expiry": 1e300}},
    ],
    ids=str,
)
def test_a_damaged_start_or_margin_is_refused(bundle, capsys, values):
    change(bundle / "workload.json", **values)
    refused(bundle, capsys, "workload.json: expected")


# -- objects.ndjson ----------------------------------------------------------------------------------------------------


def test_missing_objects_are_refused(bundle, capsys):
    (bundle / "objects.ndjson").unlink()
    refused(bundle, capsys, "objects.ndjson: expected this file")


@pytest.mark.parametrize("part", [0, 0.5, 0.9])
def test_objects_that_are_cut_are_refused(bundle, capsys, part):
    content = (bundle / "objects.ndjson").read_bytes()
    (bundle / "objects.ndjson").write_bytes(content[: int(len(content) * part)])
    refused(bundle, capsys, "objects.ndjson: expected the ", "that rows of 00000.npy name in ")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ({}, "expected an object of kind"),
        ({"kind": "unicorn"}, "saw 'unicorn'"),
        ({"kind": "consumer"}, "expected the consumer"),
        ({"kind": "selector", "n": 1, "text": None}, "expected the selector"),
        ({"kind": "klass", "n": 1}, "expected the klass"),
    ],
)
def test_a_line_that_is_no_object_is_refused(bundle, capsys, line, expected):
    content = (bundle / "objects.ndjson").read_bytes()
    number = len(content.splitlines()) + 1
    (bundle / "objects.ndjson").write_bytes(content + json.dumps(line).encode() + b"\n")
    refused(bundle, capsys, f"objects.ndjson:{number}: ", expected.split(",")[0])


@pytest.mark.parametrize(
    ("kind", "key", "value"),
    [
        ("consumer", "end", 10**6),
        ("consumer", "session", None),
        ("consumer", "label", 7),
        ("session", "mode", 300),
        ("session", "conn", -2),
        ("endpoint", "type", "queue"),
    ],
)
def test_an_object_that_names_another_that_is_not_there_is_refused(bundle, capsys, kind, key, value):
    path = bundle / "objects.ndjson"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    at, row = next((number, row) for number, row in enumerate(rows, 1) if row["kind"] == kind)
    row[key] = value
    path.write_text("".join(json.dumps(each) + "\n" for each in rows))
    refused(bundle, capsys, f"objects.ndjson:{at}: expected {key} of a {kind}")


def test_a_last_line_that_was_being_written_is_passed_over(bundle):
    with (bundle / "objects.ndjson").open("ab") as file:
        file.write(b'{"kind":"session","n":9')
    assert main(["workload", "check", str(bundle), "--allow-truncated"]) == Exit.CONFORMANT


# -- operations --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0, 100, 5000])
def test_a_part_that_is_empty_or_short_is_refused(bundle, capsys, size):
    part = bundle / "operations" / "00000.npy"
    part.write_bytes(part.read_bytes()[:size])
    refused(bundle, capsys, "00000.npy: expected packed rows, saw ")


def test_a_part_between_others_that_is_gone_or_cut_is_refused(bundle, capsys):
    part = bundle / "operations" / "00000.npy"
    shutil.copy(part, bundle / "operations" / "00001.npy")
    refused(bundle, capsys, "00000.npy: expected 65536 rows before the next part")
    part.unlink()
    refused(bundle, capsys, "00000.npy: expected this file of the bundle, saw none")


def test_what_was_cut_after_the_end_is_refused_with_advice_that_helps(sealed, capsys):
    part = sealed / "operations" / "00000.npy"
    part.write_bytes(part.read_bytes()[:-1000])
    for allow in (False, True):
        with pytest.raises(TruncatedBundle) as caught:
            PackedRun.open(sealed, allow_truncated=allow)
        assert "allow" not in str(caught.value)
    refused(sealed, capsys, "00000.npy: expected")


def test_a_file_of_another_kit_is_no_fault_of_this_one(bundle):
    (bundle / "operations" / "00000.npy").write_bytes(b"PK\x03\x04" + bytes(100))
    with pytest.raises(TamperedBundle, match="expected packed rows"):
        list(PackedRun.open(bundle, allow_truncated=True).parts())
