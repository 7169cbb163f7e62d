"""docs/cli.md tells of every command, option and exit code: an undocumented one fails here."""

import re

import click
import pytest
from cli_support import ROOT, tck

from tck.cli.main import COMMANDS, cli
from tck.detection.judge import Detection
from tck.detection.lawful import LawfulTable, Treated
from tck.plugin.options import add_options
from tck.record import Exit

TEXT = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))


def spelled(section: str) -> set[str]:
    return {word for code in re.findall(r"`([^`]+)`", SECTIONS[section]) for word in re.findall(r"[\w-]+", code)}


def params_of(command: click.Command) -> list[click.Option]:
    """Give the options of a command and of its subcommands."""
    mine = [option for option in command.params if isinstance(option, click.Option)]
    below = command.commands.values() if isinstance(command, click.Group) and command is not cli else ()
    return [*mine, *(option for each in below for option in params_of(each))]


def options_of(command: click.Command) -> list[str]:
    return [name for option in params_of(command) for name in option.opts]


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_and_its_options_are_documented(name):
    command = cli.get_command(click.Context(cli), name)
    assert [option for option in options_of(command) if option not in spelled(f"tck {name}")] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_each_option_of_a_command_says_what_it_does(name):
    command = cli.get_command(click.Context(cli), name)
    assert [option.name for option in params_of(command) if not option.help] == []
    assert command.help


@pytest.mark.parametrize("name", COMMANDS)
def test_no_option_is_documented_that_is_not_there(name):
    command = cli.get_command(click.Context(cli), name)
    table = re.findall(r"^\| (`-.+?) \| ", SECTIONS[f"tck {name}"], re.MULTILINE)
    named = {word for cell in table for word in re.findall(r"(?<![\w-])--?[a-z][\w-]*", cell)}
    assert named - set(options_of(command)) == set()


def test_the_options_before_the_command_are_documented():
    assert set(options_of(cli)) | {"--version", "--help", "-h"} <= spelled("tck")


def test_the_options_of_pytest_are_documented():
    parser = pytest.Parser(_ispytest=True)
    add_options(parser)
    names = [name for option in parser.getgroup("tck").options for name in option.names()]
    assert len(names) > 5
    assert [name for name in names if name not in spelled("pytest tck/suite")] == []


def test_each_exit_code_is_documented():
    assert [code for code in Exit if f"| {int(code)} | " not in SECTIONS["Exit codes"]] == []


def keys_of(value):
    """Give the keys of a JSON object and of the objects in its lists, not those of tables that names or ids index."""
    if isinstance(value, list):
        return {key for item in value for key in keys_of(item)}
    if not isinstance(value, dict):
        return set()
    return set(value) | {key for item in value.values() if isinstance(item, list) for key in keys_of(item)}


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ("list", ["3.4.1"]),
        ("list", ["3.4.1", "--cases"]),
        ("explain", ["3.4.1-1"]),
        ("coverage", ["3.4.1"]),
        ("report", ["--markdown", "reports/run.md"]),
        ("matrix", ["latest", "--html", "reports/matrix"]),
        ("diff", ["latest", "latest"]),
        ("baseline", ["latest"]),
        ("lookup", ["3.4.1-1"]),
        ("gate", ["--write", "gate.json"]),
        ("doctor", []),
    ],
)
def test_each_key_of_json_output_is_documented(section, words, good, tmp_path):
    output = tck(section, *words, "--format", "json", cwd=good[0]).json()
    if section == "explain":
        output |= {"cases": output["seen"]["cases"]} | dict.fromkeys(output["seen"])
    assert keys_of(output) - spelled(f"tck {section}") - spelled("tck list") == set()


def test_the_keys_of_a_run_are_documented(good):
    output = good[1].json()
    assert {"run", "bundle", "report", "cases", "outcomes", "violations", "exit"} <= set(output)
    assert set(output) - spelled("tck run") == set()


def test_the_keys_of_a_detection_are_documented():
    reported = Detection().to_json()
    assert {"saboteurs", "killed", "survived", "collateral", "dummies"} <= set(reported)
    assert set(reported) - spelled("tck detect") == set()
    lawful = LawfulTable([Treated("lawful/x", "x", ("3.4.10-4",), {})]).to_json()
    assert {*lawful, *lawful["providers"]["lawful/x"]} - spelled("tck detect") == set()
