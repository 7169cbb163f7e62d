"""Every command that README and the pages print: our command line accepts it, and those of README work as printed."""

import re
import shlex

import click
import pytest
from docs_support import ROOT, blocks, page, run, section, titled

from tck.cli.main import COMMANDS, cli
from tck.cli.run_command import WithPytestArguments

PAGES = ["README.md", "CONTRIBUTING.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
OURS = re.compile(r"(?:^|\s|\(|/)(?:python -m )?tck ((?:[a-z]+)(?: .*)?)$")
TABLE = re.findall(r"^\| `\.venv/bin/python -m (tck .+?)` \|", page("README.md"), re.MULTILINE)
QUICK = {
    "explore": "--programs 2",
    "workload": "--duration 2",
    "detect": "3.4.1-1",
    "matrix": "latest",
    "field-report": "latest",
}
"""Bounds for the commands that take minutes as printed, or that need whole runs."""
BAD_INPUT = r"<!-- bad input: begin -->.*?<!-- bad input: end -->"
"""A table of commands that are refused; tests/cli/test_cli_bad_input.py runs each."""


def commands(name):
    """Yield the command lines of the shell blocks of a page."""
    for block in blocks(page(name)):
        if block.language in {"sh", "console"}:
            for line in re.split(r"\n|&&|;", block.text):
                words = OURS.search(line.partition("  #")[0].strip())
                if words:
                    yield words[1].rstrip(")").partition(" > ")[0]


PRINTED = [(name, line) for name in PAGES for line in commands(name)]


@pytest.mark.parametrize(("name", "line"), PRINTED, ids=[f"{name}: {line}" for name, line in PRINTED])
def test_each_printed_command_is_accepted(name, line):
    del name
    word, *arguments = shlex.split(line)
    command = cli.get_command(click.Context(cli), word)
    assert command is not None, word
    if isinstance(command, click.Group):
        command, arguments = command.commands[arguments[0]], arguments[1:]
    with click.Context(cli, obj=None).scope():
        context = command.make_context(word, arguments, parent=click.Context(cli))
    assert isinstance(command, WithPytestArguments | click.Command)
    assert context.params


@pytest.mark.parametrize("name", PAGES)
def test_each_command_and_option_in_a_sentence_exists(name):
    sentences = re.sub(BAD_INPUT, "", page(name), flags=re.DOTALL)
    for line in re.findall(r"`(?:\.venv/bin/)?(?:python -m )?tck ([a-z][^`]*)`", sentences):
        word, *rest = line.split()
        assert word in COMMANDS, line
        command = cli.get_command(click.Context(cli), word)
        if isinstance(command, click.Group) and rest and rest[0] in command.commands:
            command = command.commands[rest[0]]
        known = {name for each in command.params for name in each.opts} | {"--help", "-h"}
        options = [each for each in line.partition(" -- ")[0].split() if re.match(r"--?[a-z]", each)]
        assert isinstance(command, click.Group) or [each for each in options if each not in known] == [], line


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a run, and with the adapter that README tells the reader to copy."""
    made = tmp_path_factory.mktemp("reader")
    text = page("docs/write-an-adapter.md")
    for name in ("courier.py", "courier.toml"):
        (made / name).write_text(titled(text, name).text, encoding="utf-8")
    for _ in range(2):
        assert run("tck run '3.4.1-1/*' -n 0 --no-report", made).returncode == 0
    return made


def test_the_table_of_readme_has_the_commands():
    assert len(TABLE) >= 7


@pytest.mark.slow
@pytest.mark.parametrize("line", [each for each in TABLE if " reproduce " not in each])
def test_each_command_of_readme_works(folder, line):
    kind = line.split()[1]
    (first, *_) = sorted(path.name for path in (folder / "tck-out" / "runs").iterdir())
    line = line.replace("PROFILE", "courier.toml").replace("DIR", "store").replace("RUN", first)
    done = run(f"{line} {QUICK.get(kind, '')}".strip(), folder)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_case_is_reproduced_as_readme_tells(tmp_path):
    (line,) = [each for each in TABLE if " reproduce " in each]
    case = "3.4.1-1/queue/classic/auto"
    assert run(f"tck run {case} -n 0 --no-report --setting saboteur=3.4.1-1", tmp_path).returncode == 1
    done = run(line.replace("CASE", case), tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_lookup_answers_the_question_of_readme(folder):
    (line,) = [each for each in TABLE if " lookup " in each]
    done = run(f"{line} --no-record", folder)
    assert re.search(r"rollback brings the failed message back with JMSRedelivered set", done.stdout)


@pytest.mark.slow
def test_the_provider_of_readme_runs(folder):
    part = section(page("README.md"), "Your provider in five minutes")
    (line,) = re.findall(r"-e provider -- (--profile courier\.toml 8\.5) ", part)
    assert run(f"tck run {line} -n 0 --no-report", folder).returncode == 0
