"""`[names]` of a profile: every command that makes names keeps to it, on a provider that refuses any other."""

import pytest
from cli_support import tck

PROVIDER = """
import re
from reference_provider.adapter import open_provider as opened
from reference_provider.client import consumer_factory
from reference_provider.client.connections import ReferenceConnection

def taken(name):
    if name is not None and not re.fullmatch("[A-Z0-9]{1,24}", name):
        raise ValueError(f"{name} is refused")
    return name

def strict(settings, work_dir):
    provider = opened(settings, work_dir)
    for kind in ("queue", "topic"):
        def create(name, of=getattr(provider, f"create_{kind}")):
            return of(taken(name))
        setattr(provider, f"create_{kind}", create)
    checked, client_id = consumer_factory.checked_name, ReferenceConnection.client_id
    consumer_factory.checked_name = lambda name: taken(checked(name))
    ReferenceConnection.client_id = property(client_id.fget, lambda self, name: client_id.fset(self, taken(name)))
    return provider
"""

PROFILE = """
[profile]
name = "mine"
title = "Mine"
extends = "reference"

[adapter]
target = "strict:strict"

[names]
dots = false
characters = "A-Z0-9"
longest = 24
"""

PROGRAMS = tuple(f"corpus/{each:04}" for each in (12, 258, 278, 324, 516, 532, 563, 803, 945, 968))
"""Programs with the edge names of destinations, subscriptions and connection consumers of each kind, client identifiers
that are read again, and a request."""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "strict.py").write_text(PROVIDER)
    (tmp_path / "mine.toml").write_text(PROFILE)
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ("doctor",),
        ("run", "3.4.7-1", "--points", "one", "-n", "0", "--no-report"),
        ("workload", "run", "--plan", "steady", "--messages", "20"),
        ("play", "pj-chat"),
        ("play", "pj-phone"),
        ("play", "pj-stock-quotes"),
        ("run", *PROGRAMS, "-n", "0", "--no-report"),
        ("explore", "--programs", "12", "--seed", "1"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_a_command_makes_names_that_the_provider_takes(words, folder):
    ended = tck(*words, "-p", "mine.toml", cwd=folder)
    assert (ended.code, "is refused" in ended.out + ended.err) == (0, False), ended.out + ended.err
