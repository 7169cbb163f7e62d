"""How the Java machine of Spark is started: an archive of classes is written once, used when whole, and never waited for."""

import os
from pathlib import Path

import pytest

from tck.reports.pipeline.java import LIGHT, driver_options, find_java

pytest.importorskip("pyspark")


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("TCK_CACHE", str(tmp_path / "cache"))
    home = tmp_path / "java"
    home.mkdir()
    (home / "release").write_text('JAVA_VERSION="17"\n')
    return home


def named(options, name):
    return next((option.partition("=")[2] for option in options if option.startswith(f"-XX:{name}=")), None)


def test_only_one_process_writes_the_archive_and_others_do_without(home):
    assert named(driver_options(home, heavy=False), "ArchiveClassesAtExit")
    assert driver_options(home, heavy=False) == [*LIGHT]
    assert driver_options(home, heavy=True) == []


def test_a_whole_archive_is_used_and_one_without_its_beginning_is_not(home):
    path = named(driver_options(home, heavy=True), "ArchiveClassesAtExit")
    with Path(path).open("wb") as file:
        file.write(bytes(64))
    assert driver_options(home, heavy=True) == []
    with Path(path).open("r+b") as file:
        file.write(b"\xf0\x0b\xab\xa2")
    assert named(driver_options(home, heavy=True), "SharedArchiveFile") == path


def test_what_was_set_out_to_long_ago_is_set_out_to_again(home):
    path = named(driver_options(home, heavy=True), "ArchiveClassesAtExit")
    os.utime(path.replace(".jsa", ".claim"), (1, 1))
    assert named(driver_options(home, heavy=True), "ArchiveClassesAtExit") == path


def test_another_java_has_another_archive(home):
    first = named(driver_options(home, heavy=True), "ArchiveClassesAtExit")
    (home / "release").write_text('JAVA_VERSION="21"\n')
    assert named(driver_options(home, heavy=True), "ArchiveClassesAtExit") not in {None, first}


def test_archives_that_nobody_used_of_late_make_room(home, tmp_path):
    folder = tmp_path / "cache" / "spark"
    folder.mkdir(parents=True)
    for number in range(4):
        for kind in ("jsa", "claim"):
            path = folder / f"{number}.{kind}"
            path.write_bytes(b"\xf0\x0b\xab\xa2")
            os.utime(path, (1000 + number, 1000 + number))
    mine = Path(named(driver_options(home, heavy=True), "ArchiveClassesAtExit"))
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        ["2.jsa", "2.claim", "3.jsa", "3.claim", mine.with_suffix(".claim").name]
    )


def test_claims_that_came_to_nothing_go_and_those_of_now_stay(home, tmp_path):
    folder = tmp_path / "cache" / "spark"
    folder.mkdir(parents=True)
    for name in ("old.claim", "old.json", "new.claim", "new.json", "orphan.json"):
        (folder / name).touch()
    os.utime(folder / "old.claim", (1, 1))
    mine = Path(named(driver_options(home, heavy=True), "ArchiveClassesAtExit"))
    assert {path.name for path in folder.iterdir()} == {"new.claim", "new.json", mine.with_suffix(".claim").name}


def test_a_cache_that_cannot_be_written_is_done_without(home, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TCK_CACHE", str(tmp_path / "file"))
    assert driver_options(home, heavy=False) == [*LIGHT]


def test_the_java_that_is_found_says_what_it_is():
    assert (find_java() / "release").exists()
