"""Exceptions that a provider makes or raises: what they say of themselves, and which rows own it."""

import pytest
from story_support import Story, do, partner

from tck import api
from tck.blame.owners import owners_of
from tck.programs.operations.exceptions import CHECKED, RUNTIME


@pytest.fixture(scope="module")
def reference():
    with partner() as found:
        yield found


def made(reference, **args):
    story = Story(reference, do("exception", **{"kind": "JMSException", "reason": "why", **args}))
    return story, story.at("exception")["ok"]


@pytest.mark.parametrize("kind", [*CHECKED, *RUNTIME])
@pytest.mark.parametrize(
    ("args", "code", "linked"),
    [
        ({}, None, None),
        ({"code": None}, None, None),
        ({"code": "E-17"}, "E-17", None),
        ({"code": "E-17", "linked": True}, "E-17", "behind"),
        ({"linked": True}, None, "behind"),
    ],
)
def test_an_exception_says_what_it_was_made_with(reference, kind, args, code, linked):
    _, shown = made(reference, kind=kind, **args)
    assert shown == {"reason": "why", "code": code, "alone": None, "linked": linked, "class": kind}


def test_the_families_are_those_of_the_api():
    families = {name for name, each in vars(api).items() if isinstance(each, type) and issubclass(each, (api.JMSException, api.JMSRuntimeException))}  # fmt: skip
    assert families == {*CHECKED, *RUNTIME}


@pytest.mark.parametrize("reason", ["", None])
def test_a_reason_may_be_empty_or_null(reference, reason):
    _, shown = made(reference, reason=reason)
    assert shown["reason"] == reason


@pytest.mark.parametrize(
    ("cell", "row"), [("reason", "10.2-5"), ("class", "10.2-5"), ("code", "10.2-6"), ("alone", "10.2-7"), ("linked", "10.2-7")]
)  # fmt: skip
def test_an_exception_that_says_something_else_is_noticed(reference, cell, row):
    story, shown = made(reference, code="E-17", linked=True)
    shown[cell] = "another"
    assert [owners_of(each, story.expectation)[1][0] for each in story.compare().differences] == [row]


def provoked(reference, interface, mode, what):
    first = [do("connect", "s1", api="simplified", mode=mode)]
    if interface != "simplified":
        first = [do("connect", "c1", api=interface), do("session", "s1", on="c1", mode=mode)]
    return Story(reference, *first, do("provoke", on="s1", what=what))


@pytest.mark.parametrize("interface", ["classic", "simplified", "queue", "topic"])
@pytest.mark.parametrize(("mode", "what"), [("auto", "commit"), ("client", "rollback"), ("transacted", "recover")])
def test_a_raised_exception_has_a_description_and_a_code_or_none(reference, interface, mode, what):
    story = provoked(reference, interface, mode, what)
    assert story.at("provoke")["ok"] == {"raised": True, "described": True, "coded": True}


@pytest.mark.parametrize(
    ("what", "cell", "row"),
    [
        ("commit", "described", "10.2-5"),
        ("commit", "coded", "10.2-6"),
        ("commit", "raised", "6.2.7-19"),
        ("recover", "raised", "6.2.10-28"),
    ],
)
def test_a_raised_exception_that_says_nothing_is_noticed(reference, what, cell, row):
    story = provoked(reference, "classic", "transacted" if what == "recover" else "auto", what)
    story.at("provoke")["ok"][cell] = False
    assert [owners_of(each, story.expectation)[1][0] for each in story.compare().differences] == [row]
