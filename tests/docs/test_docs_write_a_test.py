"""docs/write-a-test.md: what it shows stands in the code, its commands run, and no word of the vocabulary is missing."""

import pytest
from docs_support import ROOT, blocks, page, run, titled
from docs_vocabulary import renewed

from tck.suite.support import expect

TEXT = page("docs/write-a-test.md")
QUOTED = [block for block in blocks(TEXT) if block.title and block.title.endswith(".py")]
COMMANDS = [line for line in titled(TEXT, "try it").text.splitlines() if line.strip()]


def test_something_is_quoted():
    assert len(QUOTED) == 4


@pytest.mark.parametrize("block", QUOTED, ids=lambda block: block.title)
def test_what_is_quoted_stands_in_the_code(block):
    assert block.text in (ROOT / block.title).read_text(encoding="utf-8")


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_run(command, tmp_path):
    done = run(f"{command} --out {tmp_path}" if command.startswith("pytest") else _to(tmp_path, command), ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout


def _to(folder, command):
    head, dashes, tail = command.partition(" -- ")
    return f"{head} --out {folder}{dashes}{tail}"


def test_each_helper_of_expect_is_described():
    assert len(expect.__all__) > 10
    assert [name for name in expect.__all__ if f"`expect.{name}" not in TEXT] == []


def test_each_name_of_the_vocabulary_is_in_the_index():
    assert renewed(TEXT) == TEXT, "renew it: python tests/docs/docs_vocabulary.py"
