"""Every shell command that README and the pages print is run as printed, or named here with the reason why it is not.

`RUN` runs the lines of a page in order, in one folder, as a reader does. `ELSEWHERE` are run by other tests, `BEYOND` by none.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from docs_support import ROOT, blocks, page, titled

PAGES = ["README.md", "CONTRIBUTING.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
SHELL = {"sh", "bash", "shell", "console"}
PATIENCE = 300

ELSEWHERE = {
    r"docs/write-an-adapter\.md: tck (init|doctor|run) .*": "test_docs_adapter.py",
    r"docs/write-a-test\.md: (tck run 3\.4\.1-1 --points one|tck run \"3\.4\.1-1/topic|pytest ).*": "test_docs_write_a_test.py",
    r"docs/cli\.md: tck bridge run .*": "test_cli_bridge.py, which ends it by a signal",
    r"docs/cli\.md: tck play pj-chat -p reference": "test_cli_play.py, which types and reads",
}
TOX = "makes an environment from a package index; continuous integration runs it"
JAVA = "needs a Java broker, which it downloads; test_docs_commands.py parses it, the tests of that broker do the same"
LONG = "takes many minutes"
BEYOND = {
    r"README\.md: python3 -m venv .*": TOX,
    r"README\.md: \.venv/bin/tox run -e provider .*": TOX,
    r"CONTRIBUTING\.md: .*": TOX,
    r"docs/quickstart\.md: python3 -m venv .*": TOX,
    r"docs/write-a-test\.md: tox run .*": TOX,
    r"docs/jvm\.md: .*": JAVA,
    r"docs/explore\.md: tck explore -p artemis .*": JAVA,
    r"docs/(corpus|performance|strength|workload)\.md: python -m benchmarks.*": LONG,
    r"docs/corpus\.md: tck .* -p artemis .*": JAVA,
    r"docs/interworking\.md: .* -p (artemis|profiles/evidence/.*)": JAVA,
    r"docs/write-a-test\.md: tck detect 3\.4\.1 --scope all": LONG,
    r"docs/interworking\.md: python -m tck detect interworking": LONG,
    r"docs/profiles\.md: python -m tck\.profile\.freeze .*": "writes into the checkout; test_profile_tiers.py compares",
}
FAULT = "tck run -p reference --setting fault='\"SEND_PREPARED/type-default under 2nd-of-session and persistent\"'"
BOUNDED = {
    FAULT: "3.4.9-1",
    "tck run -p reference": "8.5-1 '3.4.1-3/*'",
    "tck run -p my.toml": "8.5-1 '3.4.1-3/*'",
    "tck run -p my.toml --format json > tck.json": "8.5-1",
    "tck run -p mine.toml": "8.5-1 '3.4.1-3/*'",
    "tck run -p mine.toml --no-report": "8.5-1 '3.4.1-3/*'",
    "tck run --points one --no-report": "8.5-1 '3.4.1-3/*'",
    "tck run -p conformance/mine.toml": "8.5-1 '3.4.1-3/*'",
}
"""Runs of all that a profile claims, a minute each: these rows only, behind the command as printed."""
BREAKS = ("my.toml", "mine.toml", "conformance/mine.toml")
"""The profiles that pages presume: of a provider that breaks a row, or a baseline would be empty."""
BEFORE = {
    "docs/interworking.md": [f"cp {ROOT}/profiles/bridges/reference.toml mine.toml"],
    "docs/pipeline.md": ["tck run '3.4.1-1/*' -n 0 --no-report"],
    "docs/gate.md": [
        "tck run -p mine.toml 8.5-1 '3.4.1-3/*' -n 0 --no-report",
        "tck gate latest --write conformance-baseline.json",
        "tck pipeline ingest latest --store conformance-history",
    ],
}
"""What a page takes for granted."""
EMPTY = "tck list --judged --untested 3.4"
"""A list that ends with exit code 5 where it is empty, as docs/cli.md says."""
VIOLATING = r"tck run -p ((my|mine|conformance/mine)\.toml|reference --setting fault=).*"


def lines_of(name):
    """Yield the shell commands of a page, as printed but without prompt and remark."""
    for block in blocks(page(name)):
        if block.language in SHELL:
            for line in block.text.splitlines():
                words = re.sub(r"^\$ ", "", line.partition("  #")[0].strip())
                if words:
                    yield words


PRINTED = [(name, line) for name in PAGES for line in lines_of(name)]


def exempt(name, line):
    return next((each for each in (*ELSEWHERE, *BEYOND) if re.fullmatch(each, f"{name}: {line}")), None)


RUN = {name: [line for line in lines_of(name) if not exempt(name, line)] for name in PAGES}


def test_no_exemption_is_left_over():
    used = {exempt(name, line) for name, line in PRINTED}
    assert {*ELSEWHERE, *BEYOND} - used == set()
    assert set(BOUNDED) <= {re.sub(r"^python -m (?=tck )", "", line) for lines in RUN.values() for line in lines}


def test_no_page_hides_commands_in_a_block_of_another_kind():
    hidden = [
        (name, line)
        for name in PAGES
        for block in blocks(page(name))
        if block.language not in SHELL | {"yaml"}
        for line in block.text.splitlines()
        if re.match(r"(\$ |tck |python -m tck |\.venv/bin/)", line)
    ]
    assert hidden == []


@pytest.fixture
def reader(tmp_path):
    """A folder with what a page presumes, in which `tck` and `python` are ours."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, words in {"tck": "-m tck", "python": ""}.items():
        (programs / name).write_text(f'#!/bin/sh\nexec {sys.executable} {words} "$@"\n')
        (programs / name).chmod(0o755)
    work = tmp_path / "work"
    (work / "conformance").mkdir(parents=True)
    for file in BREAKS:
        title = Path(file).stem
        text = titled(page("docs/write-an-adapter.md"), "courier.toml").text
        text = re.sub(r"(?m)^target = .*", 'target = "reference_provider.adapter:open_provider"', text)
        text = re.sub(r"(?m)^user = .*\npassword = .*", 'clock = "virtual"\nsaboteur = "3.4.1-3"', text)
        (work / file).write_text(text.replace('name = "courier"', f'name = "{title}"'))

    def run(line):
        path = f"{programs}:{os.environ['PATH']}"
        return subprocess.run(
            ["bash", "-c", line],
            cwd=work,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PATH": path},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            stdin=subprocess.DEVNULL,
            check=False,
        )

    return run


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, lines in RUN.items() if lines])
def test_the_commands_of_a_page_work_as_printed(name, reader):
    if any("pipeline" in line for line in RUN[name]):
        pytest.importorskip("pyarrow")
    for line in BEFORE.get(name, ()):
        assert reader(line).returncode in {0, 1}, line
    for line in RUN[name]:
        plain = re.sub(r"^python -m (?=tck )", "", line)
        words = plain.partition(" > ")
        more = f" {BOUNDED[plain]}" if plain in BOUNDED else ""
        done = reader(f"{words[0]}{more}{words[1]}{words[2]}")
        allowed = {0, 1} if re.fullmatch(VIOLATING, plain) else {0, 5} if plain == EMPTY else {0}
        assert done.returncode in allowed, f"{line}\n{done.stdout}{done.stderr}"
        assert "Traceback" not in done.stderr
