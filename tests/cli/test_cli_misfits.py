"""An adapter that answers a call as no adapter may: one sentence, exit code 4, and no word against the provider."""

import json
import re

import pytest
from cli_support import ROOT, tck

ADAPTER = '''
import importlib
import pkgutil

from reference_provider import client
from reference_provider.adapter import open_provider


class Unfit:
    """Has all members of the object behind it, and none of its types."""

    def __init__(self, behind):
        self.behind = behind

    def __getattr__(self, name):
        return getattr(self.behind, name)


def changed(method):
    def call(self, *arguments, key=None, **others):
        found = method(self, *arguments, **others)
        {body}

    return call


for each in pkgutil.iter_modules(client.__path__):
    module = importlib.import_module(f"reference_provider.client.{{each.name}}")
    for kind in list(vars(module).values()):
        if isinstance(kind, type) and kind.__module__ == module.__name__ and "{call}" in vars(kind):
            kind.{call} = changed(vars(kind)["{call}"])
'''
UNFINISHED = """
from abc import update_abstractmethods

from reference_provider.adapter import open_provider
from reference_provider.client import sessions

for kind in list(vars(sessions).values()):
    if isinstance(kind, type) and kind.__module__ == sessions.__name__ and "create_browser" in vars(kind):
        del kind.create_browser
for kind in list(vars(sessions).values()):
    if isinstance(kind, type) and kind.__module__ == sessions.__name__:
        update_abstractmethods(kind)
"""


@pytest.fixture
def judged(tmp_path):
    """A function that runs two rows on the reference provider behind an adapter, and returns how the run ended."""

    def judge(adapter, *more):
        (tmp_path / "unfit.py").write_text(adapter)
        profile = (ROOT / "profiles" / "providers" / "reference.toml").read_text()
        profile = re.sub("(?m)^target = .*", 'target = "unfit:open_provider"', profile)
        (tmp_path / "unfit.toml").write_text(re.sub('(?m)^name = "reference"', 'name = "unfit"', profile))
        words = ("-p", "unfit.toml", "--points", "one", "--seed", "1", "--no-report", *more)
        return tck("run", "8.5-1", "8.5-2", *words, cwd=tmp_path)

    return judge


@pytest.mark.slow
@pytest.mark.parametrize("processes", ["0", "2"])
@pytest.mark.parametrize(
    ("call", "body", "says"),
    [
        ("create_session", "return None", "Connection.create_session returned None; expected a tck.api.Session"),
        ("create_connection", "return Unfit(found)", "object of type unfit.Unfit; expected a tck.api.Connection"),
        ("receive", "return 'text'", ".receive returned an object of type builtins.str; expected a tck.api.Message"),
        (
            "create_session",
            "raise SystemExit('no licence')",
            "Connection.create_session raised SystemExit: no licence;",
        ),
    ],
)
def test_a_call_that_is_answered_as_none_may_be(judged, call, body, says, processes):
    ended = judged(ADAPTER.format(call=call, body=body), "-n", processes)
    assert ended.code == 4, ended.out
    assert says in " ".join(ended.out.split())
    assert "Violation" not in ended.out
    assert "Traceback" not in ended.out + ended.err
    assert len(ended.out.splitlines()) < 60


def test_arguments_with_a_star_and_a_key_are_no_misfit(judged):
    ended = judged(ADAPTER.format(call="receive", body="return found"), "-n", "0")
    assert ended.code == 0, ended.out


@pytest.mark.slow
def test_a_class_that_lacks_a_member_is_one_cause_and_no_violation(judged):
    ended = judged(UNFINISHED, "-n", "0", "3.8.1.1", "4.1.6")
    assert ended.code == 4, ended.out
    assert re.search(r"create_browser; write what is missing", " ".join(ended.out.split()))
    assert len(ended.out.splitlines()) < 60
    assert "Violation" not in ended.out
    output = json.loads(judged(UNFINISHED, "-n", "0", "--format", "json").out)
    assert output["violations"] == []


def test_nothing_where_a_call_may_return_nothing_is_the_word_of_the_provider(judged):
    ended = judged(ADAPTER.format(call="receive", body="return None"), "-n", "0")
    assert ended.code == 1, ended.out
