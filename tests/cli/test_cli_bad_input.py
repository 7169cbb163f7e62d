"""Bad input of every kind: one message, the documented exit code, and the table in docs/cli.md that these tests generate.

`python tests/cli/test_cli_bad_input.py` writes the table; the tests fail when it is stale.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tck.cli.main import main
from tck.record import Bundle
from tck.record.runs import run_folders

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "cli.md"
BEGIN, END = "<!-- bad input: begin -->\n", "<!-- bad input: end -->\n"
HEAD = "| what is wrong | command | exit code | message |\n|---|---|---|---|\n"

PROFILE = '[profile]\nname = "mine"\ntitle = "Mine"\n[adapter]\ntarget = "{target}"\n[claims]\nversion = "3.1"\n'


def adapter(name: str, body: str) -> Mapping[str, str]:
    """The files of an adapter in a module of its own."""
    return {"mine.toml": PROFILE.format(target=f"{name}:open_provider"), f"{name}.py": body}


@dataclass(frozen=True)
class Bad:
    """One kind of bad input: its name, the command, the files in the folder, the exit code."""

    name: str
    words: tuple[str, ...]
    code: int = 4
    files: Mapping[str, str] = field(default_factory=dict)
    damage: str = ""


MINE = ("run", "3.4.1-1", "-p", "mine.toml", "-n", "0")
KINDS = [
    Bad("a command that is none", ("rn",)),
    Bad("an option that is none", ("run", "--fast")),
    Bad("a value that an option does not take", ("run", "-n", "many")),
    Bad("a section that is none", ("run", "99.9")),
    Bad("a row that is none", ("explain", "3.4.1-999")),
    Bad("a glob that names no case", ("run", "3.4.1-1/nowhere/*", "-n", "0"), 5),
    Bad("a version that is none", ("run", "--tier", "9.9")),
    Bad("an option that needs pytest's cache", ("run", "3.4.1-1", "--", "--lf")),
    Bad("a profile that is not there", ("run", "-p", "nobody")),
    Bad("a channel that is not there", ("run", "iw-2.1-1", "--channel", "jacob")),
    Bad("a channel whose factory does not answer", ("run", "iw-2.1-1", "--channel", "corbaloc::127.0.0.1:9/Factory", "-n", "0")),
    Bad("a profile that is no TOML", MINE, files={"mine.toml": "[profile\n"}),
    Bad("a profile with an unknown key", MINE, files={"mine.toml": PROFILE.format(target="a:b") + 'colour = "red"\n'}),
    Bad("a profile with an unknown feature", MINE, files={"mine.toml": PROFILE.format(target="a:b") + 'features = ["wings"]\n'}),
    Bad("an adapter's module that is not there", MINE, files={"mine.toml": PROFILE.format(target="nowhere:open_provider")}),
    Bad("an adapter's function that is not there", MINE, files=adapter("bad_empty", "def other(): pass\n")),
    Bad("an adapter with another signature", MINE, files=adapter("bad_signature", "def open_provider(): pass\n")),
    Bad("an adapter that cannot be imported", MINE, files=adapter("bad_import", "1 / 0\n")),
    Bad("an adapter that returns no provider", MINE, files=adapter("bad_none", "def open_provider(settings, work_dir): pass\n")),
    Bad("an adapter that refuses a setting", MINE, files=adapter("bad_setting",
        "from tck.api import SettingsError\ndef open_provider(settings, work_dir):\n    raise SettingsError('url: expected tcp://, saw ftp://')\n")),
    Bad("a provider that cannot be reached", MINE, 6, files=adapter("bad_reach",
        "def open_provider(settings, work_dir):\n    raise ConnectionRefusedError('nobody listens on tcp://localhost:61616')\n")),
    Bad("an adapter that exits", MINE, 6, files=adapter("bad_exit", "import sys\ndef open_provider(settings, work_dir):\n    sys.exit('no licence')\n")),
    Bad("a setting without a value", ("run", "--setting", "clock")),
    Bad("a setting that the reference provider does not know", ("run", "3.4.1-1", "-n", "0", "--setting", "colour=1")),
    Bad("an output folder that cannot be", ("run", "3.4.1-1", "-n", "0", "--out", "file/out"), files={"file": ""}),
    Bad("no run yet", ("report",)),
    Bad("a run that is none", ("report", "20260101-000000-abcdef")),
    Bad("a file in place of a run", ("report", "file"), files={"file": ""}),
    Bad("an empty folder in place of a run", ("report", "empty"), files={"empty/": ""}),
    Bad("a run that did not end", ("report", "RUN"), damage="end"),
    Bad("a run with a file that is cut", ("report", "RUN"), damage="cut"),
    Bad("a run that was changed", ("report", "RUN"), damage="byte"),
    Bad("a run of a newer kit", ("report", "RUN"), damage="schema"),
    Bad("a run that lacks a file", ("report", "RUN"), damage="file"),
    Bad("a detection that is none", ("report", "RUN", "--detection", "x.json"), files={"x.json": "[]"}),
    Bad("a baseline that is none", ("gate", "RUN", "--against", "x.json"), files={"x.json": "[]"}),
    Bad("one run for a comparison of two", ("diff", "RUN")),
    Bad("a case that the run has not", ("reproduce", "RUN", "3.4.1-1/x")),
    Bad("words that no row has", ("lookup", "flibbertigibbet")),
    Bad("a plan that is none", ("workload", "run", "--plan", "storm")),
    Bad("a store that is none", ("pipeline", "check", "--store", "nowhere")),
    Bad("a name that no module can have", ("init", "My Broker")),
    Bad("a shell that is none", ("completion", "tcsh")),
]  # fmt: skip


def a_run(folder: Path) -> Path:
    """Make the run that is damaged, once in a folder."""
    call(("run", "3.4.1-3/*", "-n", "0", "--no-report", "--seed", "1", "--points", "one"), folder)
    (made,) = (folder / "tck-out" / "runs").iterdir()
    return made


def call(words: tuple[str, ...], folder: Path) -> tuple[int, str, str]:
    """Run a command line in a folder; return exit code, stdout and stderr."""
    out, err = io.StringIO(), io.StringIO()
    path = list(sys.path)
    try:
        with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(list(words))
    finally:
        sys.path[:] = path
    return code, out.getvalue(), err.getvalue()


def harm(run: Path, how: str) -> None:
    """Damage a run."""
    results = run / "results.ndjson.zst"
    content = results.read_bytes()
    if how == "end":
        (run / "end.json").unlink()
    elif how == "cut":
        results.write_bytes(content[:-20])
    elif how == "byte":
        end = json.loads((run / "end.json").read_text())
        (run / "end.json").write_text(json.dumps({**end, "exit": 1}))
    elif how == "schema":
        about = json.loads((run / "run.json").read_text())
        (run / "run.json").write_text(json.dumps({**about, "schema": 99}))
    elif how == "file":
        results.unlink()


def ended(bad: Bad, folder: Path) -> tuple[int, str]:
    """Provoke one kind; return exit code and message, without what differs between machines and runs."""
    for name, text in bad.files.items():
        path = folder / name
        path.mkdir(parents=True) if name.endswith("/") else path.write_text(text)
    words = bad.words
    run = None
    if "RUN" in words:
        run = a_run(folder)
        harm(run, bad.damage)
        words = tuple(run.name if word == "RUN" else word for word in words)
    code, out, err = call(words, folder)
    assert "Traceback" not in err, err
    said = [line for line in err.splitlines() if line.startswith("tck: ")]
    ended = run_folders(folder / "tck-out") if run is None else ()
    if not said and ended:  # the run began, and met it in its first case
        said = [str(next(iter(Bundle.open(ended[-1]).results())).observed)]
    text = said[-1].removeprefix("tck: ") if said else out.strip()
    text = re.sub(
        r"^No such option: (\S+) Did you mean (\S+)\?", r"No such option '\1'. Did you mean '\2'?", text
    )  # an older click
    text = text.replace(f"{folder}/", "").replace(str(ROOT) + "/", "").replace(str(folder), ".")
    text = re.sub(r"expected \d+ bytes, saw \d+", "expected N bytes, saw M", text)
    text = re.sub(r"\d{8}-\d{6}-[0-9a-f]{6}", "RUN", text) if run else text
    text = re.sub(r"\d{8}-\d{6}-[0-9a-f]{6}", "20260101-000000-abcdef", text)
    return code, text


def row(bad: Bad, code: int, message: str) -> str:
    """Render a row of the table."""
    words = " ".join(f'"{word}"' if re.search(r"[ *]", word) else word for word in bad.words)
    cell = message.replace("|", "\\|")
    return f"| {bad.name} | `tck {words}` | {code} | {cell} |\n"


def table() -> str:
    """Return the table in docs/cli.md."""
    text = PAGE.read_text(encoding="utf-8")
    return text[text.index(BEGIN) + len(BEGIN) : text.index(END)]


@pytest.mark.parametrize("bad", KINDS, ids=[bad.name for bad in KINDS])
def test_bad_input_is_one_message_with_its_code_and_stands_in_the_table(bad, tmp_path):
    code, message = ended(bad, tmp_path)
    assert code == bad.code, message
    assert message
    assert row(bad, code, message) in table(), "stale: `python tests/cli/test_cli_bad_input.py` writes the table"


def test_the_table_has_no_other_rows():
    names = re.findall(r"^\| (.+?) \| `", table(), re.MULTILINE)
    assert names == [bad.name for bad in KINDS]


def write() -> None:
    """Write the table."""
    rows = []
    for bad in KINDS:
        with tempfile.TemporaryDirectory() as folder:
            code, message = ended(bad, Path(folder).resolve())
            rows.append(row(bad, code, message))
            if code != bad.code:
                sys.stderr.write(f"{bad.name}: expected exit code {bad.code}, saw {code}: {message}\n")
    text = PAGE.read_text(encoding="utf-8")
    start, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    PAGE.write_text(text[:start] + HEAD + "".join(rows) + text[end:], encoding="utf-8")


if __name__ == "__main__":
    write()
