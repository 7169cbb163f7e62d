"""docs/write-an-adapter.md: its example works as printed, and nothing of the provider interface is missing from it."""

import pytest
from docs_support import page, run, titled

from tck.api import Hook, Provider

TEXT = page("docs/write-an-adapter.md")
MODULE = titled(TEXT, "courier.py").text
COMMANDS = [line for line in titled(TEXT, "try it").text.splitlines() if line.strip()]


@pytest.fixture
def folder(tmp_path):
    for name in ("courier.py", "courier.toml"):
        (tmp_path / name).write_text(titled(TEXT, name).text, encoding="utf-8")
    return tmp_path


def test_the_example_is_as_short_as_the_page_promises():
    assert len([line for line in MODULE.splitlines() if line.strip()]) <= 45


def test_doctor_finds_the_example_well(folder):
    done = run(COMMANDS[0], folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Courier" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS[1:])
def test_the_example_runs_as_printed_and_is_judged(folder, command):
    done = run(f"{command} -n 0", folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Courier 4.2" in done.stdout
    assert " passed" in done.stdout


def test_each_method_of_the_provider_interface_is_described():
    names = [name for name in vars(Provider) if not name.startswith("_")]
    assert len(names) > 15
    assert [name for name in names if f"`{name}" not in TEXT] == []


def test_each_hook_is_described():
    assert [hook.name for hook in Hook if f"| `{hook.name}` |" not in TEXT] == []
