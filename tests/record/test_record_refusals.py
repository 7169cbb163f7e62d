"""Every way in which a bundle can be broken has its own named error, which says what, where and what to do."""

import json
from dataclasses import replace

import pytest
from record_samples import (
    NAMES,
    RUN,
    begin,
    case,
    change_last_byte,
    end_run,
    events,
    finished_run,
    open_bundle,
    result,
    rewrite,
    write_run,
)

from tck.record import (
    BundleError,
    DuplicatedBundle,
    EmptyBundle,
    End,
    MissingBundle,
    NewerBundle,
    TamperedBundle,
    TruncatedBundle,
    compressed,
    finish,
)

FILES = [
    "run.json",
    "cases.ndjson.zst",
    "results.ndjson.zst",
    "events/gw0.ndjson.zst",
    "events/gw1.ndjson.zst",
    "end.json",
]


def reseal_sizes(folder):
    """Let end.json give the sizes that the files have, so that their content is read."""
    end = End.from_json(json.loads((folder / "end.json").read_bytes()))
    sizes = {name: (folder / name).stat().st_size for name in end.sizes}
    (folder / "end.json").write_text(json.dumps(replace(end, sizes=sizes).sealed().to_json()))


def refused(folder, kind, *words):
    with pytest.raises(BundleError) as caught:
        open_bundle(folder)
    assert type(caught.value) is kind, caught.value
    for word in (*words, caught.value.todo):
        assert word in str(caught.value)
    return caught.value


def test_no_folder(tmp_path):
    refused(tmp_path / "none", MissingBundle, "none", "saw nothing", "Check the path")


def test_a_file_instead_of_a_folder(tmp_path):
    (tmp_path / "x").write_text("")
    refused(tmp_path / "x", MissingBundle, "saw a file")


def test_an_empty_folder(tmp_path):
    refused(tmp_path, EmptyBundle, "saw an empty folder")


def test_a_folder_of_other_things(tmp_path):
    (tmp_path / "x.txt").write_text("hello")
    refused(tmp_path, MissingBundle, "run.json", "saw none")


def test_a_run_that_judged_nothing(tmp_path):
    begin(tmp_path / "r", RUN)
    refused(end_run(tmp_path / "r"), EmptyBundle, "saw none: the run judged nothing")


def test_a_run_that_did_not_end(tmp_path):
    refused(write_run(tmp_path / "r"), TruncatedBundle, "end.json", "did not end", "--allow-truncated")


@pytest.mark.parametrize("name", [name for name in FILES if name != "end.json"])
def test_a_missing_file(tmp_path, name):
    folder = finished_run(tmp_path / "r")
    (folder / name).unlink()
    refused(folder, MissingBundle, name)


def test_a_missing_end(tmp_path):
    folder = finished_run(tmp_path / "r")
    (folder / "end.json").unlink()
    refused(folder, TruncatedBundle, "end.json")


@pytest.mark.parametrize("name", ["cases.ndjson.zst", "results.ndjson.zst", "events/gw0.ndjson.zst"])
@pytest.mark.parametrize("keep", [0, 0.5, -1])
def test_a_file_cut_short(tmp_path, name, keep):
    folder = finished_run(tmp_path / "r")
    content = (folder / name).read_bytes()
    (folder / name).write_bytes(content[: int(len(content) * keep) if keep >= 0 else -1])
    refused(folder, TruncatedBundle, name, f"expected {len(content)} bytes")


@pytest.mark.parametrize(
    ("name", "word"),
    [("cases.ndjson.zst", "case "), ("results.ndjson.zst", "attempt 1"), ("events/gw1.ndjson.zst", "event")],
)
def test_a_line_twice(tmp_path, name, word):
    folder = finished_run(tmp_path / "r")
    content = (folder / name).read_bytes()
    if name.endswith(".zst"):
        first, _ = compressed.unpack(content).split(b"\n", 1)
        (folder / name).write_bytes(compressed.pack(first + b"\n") + content)
    else:
        (folder / name).write_bytes(content.splitlines(keepends=True)[0] + content)
    error = refused(folder, DuplicatedBundle, name, word, "twice")
    assert error.line == 2


@pytest.mark.parametrize("name", FILES)
def test_any_one_byte_changed(tmp_path, name):
    folder = finished_run(tmp_path / "r")
    whole = (folder / name).read_bytes()
    for place in range(0, len(whole), max(1, len(whole) // 150)):
        if whole[place : place + 1].isspace():
            continue
        changed = bytes([whole[place] ^ 1])
        (folder / name).write_bytes(whole[:place] + changed + whole[place + 1 :])
        with pytest.raises(BundleError) as caught:
            open_bundle(folder)
        assert isinstance(caught.value, (TamperedBundle, TruncatedBundle, NewerBundle, MissingBundle)), place
        assert name == "end.json" or not isinstance(caught.value, MissingBundle)
    (folder / name).write_bytes(whole)
    open_bundle(folder)


def test_one_byte_changed_says_which_file(tmp_path):
    folder = finished_run(tmp_path / "r")
    change_last_byte(folder / "events/gw0.ndjson.zst")
    refused(folder, TamperedBundle, "events/gw0.ndjson.zst", "digest", "Run the suite again")


def test_a_line_that_is_no_json_says_which_line(tmp_path):
    folder = finished_run(tmp_path / "r")
    rewrite(folder / "results.ndjson.zst", b'{"case"', b"{{case'")
    reseal_sizes(folder)
    assert refused(folder, TamperedBundle, "results.ndjson.zst:1", "expected JSON").line == 1


def test_a_result_with_a_strange_outcome_says_which_key(tmp_path):
    folder = finished_run(tmp_path / "r")
    rewrite(folder / "results.ndjson.zst", b'"held"', b'"hold"')
    reseal_sizes(folder)
    refused(folder, TamperedBundle, "Result.outcome", "hold")


def test_a_newer_schema(tmp_path):
    folder = finished_run(tmp_path / "r")
    path = folder / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "schema": 7, "colour": "new"}))
    refused(folder, NewerBundle, "run.json", "schema 6 or lower, saw 7", "kit that wrote it")


def test_the_end_of_another_run(tmp_path):
    folder = finished_run(tmp_path / "r")
    path = folder / "end.json"
    path.write_text(path.read_text().replace('"r-1"', '"r-2"'))
    refused(folder, TamperedBundle, "expected the end of run r-1, saw that of r-2")


def test_a_result_that_points_out_of_the_bundle(tmp_path):
    folder = write_run(tmp_path / "r")
    (folder / "parts/results.gw1.ndjson").write_bytes(
        (folder / "parts/results.gw1.ndjson")
        .read_bytes()
        .replace(b"parts/events.gw1.ndjson.zst", b"events/../run.json")
    )
    bundle = open_bundle(end_run(folder))
    with pytest.raises(TamperedBundle, match=r"events/\.\./run\.json"):
        bundle.events(NAMES[1])


def test_a_result_that_points_at_events_of_another_case(tmp_path):
    folder = write_run(tmp_path / "r")
    path = folder / "parts/results.gw0.ndjson"
    first, second = path.read_text().splitlines()
    moved = {**json.loads(second), "events": json.loads(first)["events"]}
    path.write_text(first + "\n" + json.dumps(moved) + "\n")
    bundle = open_bundle(end_run(folder))
    with pytest.raises(TamperedBundle, match=r"expected 4 events of 3\.4\.2-1"):
        bundle.events(NAMES[2])


def test_a_run_that_did_not_end_can_be_asked_for(tmp_path):
    bundle = open_bundle(write_run(tmp_path / "r"), allow_truncated=True)
    assert bundle.truncated
    assert bundle.end is None
    assert len(bundle.results()) == 4
    assert bundle.events(NAMES[0]) == events(NAMES[0])


def test_a_file_cut_short_can_be_asked_for(tmp_path):
    folder = finished_run(tmp_path / "r")
    path = folder / "events/gw0.ndjson.zst"
    path.write_bytes(path.read_bytes()[:-10])
    bundle = open_bundle(folder, allow_truncated=True)
    assert bundle.truncated
    assert len(bundle.results()) == 4
    left = bundle.events(NAMES[2], 1)
    assert left == events(NAMES[2])[: len(left)]
    assert len(left) < 4
    assert bundle.events(NAMES[1]) == events(NAMES[1])


def test_results_that_are_cut_keep_those_before(tmp_path):
    folder = tmp_path / "r"
    begin(folder, RUN)
    rows = [result(NAMES[0], attempt) for attempt in range(1, 1501)]
    finish(folder, [case(NAMES[0])], rows, run="r-1", exit=0, seconds=1, finished="2026-01-02T03:04:09Z")
    path = folder / "results.ndjson.zst"
    path.write_bytes(path.read_bytes()[:-10])
    assert len(open_bundle(folder, allow_truncated=True).results()) >= 1000


def test_asking_for_truncated_ones_does_not_excuse_a_changed_byte(tmp_path):
    folder = finished_run(tmp_path / "r")
    change_last_byte(folder / "events/gw0.ndjson.zst")
    with pytest.raises(TamperedBundle):
        open_bundle(folder, allow_truncated=True)
