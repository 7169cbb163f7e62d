"""Where a provider's files are during a run."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from tck.adapters import working_directory
from tck.adapters.working_directory import work_directory


class _Usage(NamedTuple):
    total: int
    used: int
    free: int


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory that takes the place of the system's memory, of a user who chose no directory."""
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(working_directory, "_MEMORY", tmp_path)
    return tmp_path


def _free(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: _Usage(size, 0, size))


def test_memory_is_used_if_it_has_room(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _free(monkeypatch, 1 << 30)
    assert work_directory() == memory


def test_little_memory_is_left_alone(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _free(monkeypatch, (1 << 30) - 1)
    assert work_directory() != memory


def test_the_directory_that_the_user_chose_is_used(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _free(monkeypatch, 1 << 40)
    monkeypatch.setenv("TMPDIR", "/")
    assert work_directory() != memory


def test_a_system_without_such_a_directory_uses_its_temporary_one(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(working_directory, "_MEMORY", memory / "missing")
    assert work_directory().is_dir()
