"""`tck prune` keeps the newest runs, and whatever is not a run that ended."""

import os

from cli_support import tck


def made(folder, name, at, *, ended=True):
    for place in (folder / "tck-out" / "runs" / name, folder / "tck-out" / "html" / name):
        place.mkdir(parents=True)
        (place / "file").write_text("x" * 1000)
    if ended:
        end = folder / "tck-out" / "runs" / name / "end.json"
        end.write_text("{}")
        os.utime(end, (at, at))


def test_the_newest_runs_stay_with_their_reports(tmp_path):
    for place, name in enumerate(["one", "two", "three"]):
        made(tmp_path, name, 1_000 + place)
    made(tmp_path, "running", 0, ended=False)
    (tmp_path / "tck-out" / "lookup").mkdir()
    dry = tck("prune", "--keep", "1", "--dry-run", "--format", "json", cwd=tmp_path)
    assert dry.json() == {"removed": ["one", "two"], "kept": ["three"], "bytes": 4004, "dry_run": True}
    assert len(list((tmp_path / "tck-out" / "runs").iterdir())) == 4
    done = tck("prune", "--keep", "1", cwd=tmp_path)
    assert done.code == 0
    assert "2 of 3 runs removed" in done.out
    for folder in ("runs", "html"):
        assert {path.name for path in (tmp_path / "tck-out" / folder).iterdir()} == {"three", "running"}
    assert (tmp_path / "tck-out" / "lookup").is_dir()


def test_keep_nothing_and_nothing_there(tmp_path):
    assert tck("prune", cwd=tmp_path).out == "0 of 0 runs removed from tck-out/runs, 0.0 MB\n"
    made(tmp_path, "one", 1)
    assert tck("prune", "--keep", "0", "--format", "json", cwd=tmp_path).json()["removed"] == ["one"]
