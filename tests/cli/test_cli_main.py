"""How a command line ends: one message, the right exit code, no traceback."""

import json
import re
import subprocess
import sys
import types

import click
import pytest
from cli_support import ROOT, Ended, command, environment, one_message, tck

from tck import __version__
from tck.cli import main
from tck.cli.support.console import Problem
from tck.record import Exit


def test_without_a_command_help_is_a_usage_error(tmp_path):
    ended = tck(cwd=tmp_path)
    assert ended.code == 4
    assert all(name in ended.err for name in main.COMMANDS)


def test_help_and_version_are_no_errors(tmp_path):
    assert tck("--version", cwd=tmp_path).out == f"tck {__version__}\n"
    ended = tck("run", "-h", cwd=tmp_path)
    assert (ended.code, ended.err) == (0, "")
    assert "--points" in ended.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["lst"], "No such command 'lst'"),
        (["run", "--profil", "x"], "No such option '--profil'"),
        (["run", "--points", "two"], "'two' is not one of 'all', 'one'"),
        (["run", "--repeat", "0"], "0 is not in the range x>=1"),
        (["run", "-n", "many"], "expected a whole number from 0, or auto"),
        (["run", "--setting", "clock"], "expected KEY=VALUE"),
        (["run", "--tier", "3.2"], 'no tier "3.2"'),
        (["run", "-p", "refrence"], 'did you mean "reference"?'),
        (["run", "-p", "no/such.toml"], "there is no such file"),
        (["run", "3.99"], "the catalogue has no rows in 3.99"),
        (["list", "feature:jmsx-appi"], 'did you mean "jmsx-appid"?'),
        (["detect", "level:most"], 'did you mean "must"?'),
        (["explain"], "Missing argument 'ID'"),
        (["explain", "3.4.3-99"], "section 3.4.3 has"),
        (["explain", "3.44.3-1"], "near it are"),
        (["report", "20200101"], 'no run "20200101"'),
        (["report"], "no run has ended under"),
        (["matrix"], "no whole run has ended under"),
        (["matrix", "nowhere"], 'no run "nowhere"'),
        (["diff", "nowhere"], "expected two runs or more to compare, saw one"),
        (["diff", "nowhere", "latest"], 'no run "nowhere"'),
        (["baseline", "latest"], "no run has ended under"),
        (["coverage", "--bundle", "nowhere"], 'no run "nowhere"'),
        (["doctor", "-p", "refrence"], 'did you mean "reference"?'),
    ],
)
def test_a_wrong_command_line_gives_one_message(words, said, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    code = main.main(words)
    message = one_message(Ended(code, *capfd.readouterr()))
    assert said in re.sub(r"^(No such option): (\S+)", r"\1 '\2'", message)  # older versions of click set no quotes
    assert code == Exit.USAGE
    assert not (tmp_path / "tck-out").exists()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_asks_tck_for_completions(tmp_path, shell):
    ended = tck("completion", shell, cwd=tmp_path)
    assert ended.code == 0
    assert f"_TCK_COMPLETE={shell}_complete" in ended.out
    asked = subprocess.run(
        command("ru"),
        env={**environment(), "_TCK_COMPLETE": "bash_complete", "COMP_WORDS": "tck ru", "COMP_CWORD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert asked.stdout == "plain,run\n"


def test_a_bad_profile_is_named_with_file_and_line(tmp_path):
    profile = tmp_path / "mine.toml"
    profile.write_text('[profile]\nname = "mine"\ntitle = "Mine"\nextends = "reference"\n\n[timing]\ndeadlin = 5\n')
    ended = tck("run", "-p", "mine.toml", cwd=tmp_path)
    assert one_message(ended).startswith("mine.toml:7: ")
    assert ended.code == 4


def ending(command_body, arguments, monkeypatch):
    module = types.ModuleType("tck.cli.broken_command")
    module.command = click.command("broken")(command_body)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(main.COMMANDS, "broken", "is broken")
    return main.main(arguments)


def test_a_python_without_the_packages_of_the_kit_is_told_what_to_do():
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-c",
            "import sys, runpy; sys.path.append(sys.argv[1]); runpy.run_module('tck', run_name='__main__')",
            str(ROOT),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == Exit.USAGE
    assert done.stderr.splitlines() == [
        f"tck: expected the packages that the kit needs in {sys.executable}, saw no click.",
        f"Install them: {sys.executable} -m pip install -e '{ROOT}'",
    ]


def test_an_unexpected_error_is_one_line_and_a_hint(monkeypatch, capsys):
    def broken():
        raise ZeroDivisionError("by nothing\nand more")

    assert ending(broken, ["broken"], monkeypatch) == Exit.KIT_ERROR
    shown = capsys.readouterr().err
    assert shown.splitlines()[0] == "tck: a fault of the kit: ZeroDivisionError: by nothing"
    assert "`tck --debug broken`" in shown
    assert "Traceback" not in shown


def test_debug_shows_where_an_unexpected_error_was(monkeypatch, capsys):
    def broken():
        raise ZeroDivisionError("by nothing")

    assert ending(broken, ["--debug", "broken"], monkeypatch) == Exit.KIT_ERROR
    assert "in broken" in capsys.readouterr().err


def test_a_problem_has_the_exit_code_it_says(monkeypatch, capsys):
    def broken():
        raise Problem("the link is down", Exit.PROVIDER_LOST)

    assert ending(broken, ["broken"], monkeypatch) == Exit.PROVIDER_LOST
    assert capsys.readouterr().err == "tck: the link is down\n"


def test_an_interrupt_outside_of_a_run_is_an_interrupt(monkeypatch, capsys):
    def broken():
        raise KeyboardInterrupt

    assert ending(broken, ["broken"], monkeypatch) == Exit.INTERRUPTED
    assert "Traceback" not in capsys.readouterr().err


def test_a_reader_that_goes_away_gets_no_complaint(tmp_path):
    with subprocess.Popen(
        command("list"), cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.close()
        complaint = process.stderr.read()
    assert (process.returncode, complaint) == (2, b"")


def test_the_console_script_is_main():
    import tomllib

    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert scripts == {"tck": "tck.cli.main:main"}


def test_an_object_printed_while_stdout_is_redirected_goes_to_stdout():
    program = "from tck.cli.support.console import *\nwith stdout_to_stderr(), stdout_to_stderr():\n    print('text')\n    emit_json({'a': 1})"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (json.loads(ended.stdout), ended.stderr) == ({"a": 1}, "text\n")
