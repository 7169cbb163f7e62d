"""Claimed hooks: those of a sound provider are never blamed, those that do nothing are, each at its row."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from reference_provider.adapter import open_provider
from reference_provider.provider import ReferenceProvider
from reference_provider.void_hooks import open_void_hooks
from tck import api
from tck.adapters.recording import Recorder
from tck.blame.hooks import CHECKS, without_effect
from tck.catalogue import load_catalogue
from tck.catalogue.owners import load_call_owners
from tck.profile import load_profile
from tck.suite.support.case import Case
from tck.suite.support.harness.point import Point

CATALOGUE = load_catalogue()
POINTS = [
    Point(("3.4.8-1",), "queue", "classic", "auto"),
    Point(("3.4.8-1",), "topic", "simplified", "auto"),
    Point(("3.4.8-1",), "topic", "domain-specific", "transacted"),
]
VOID = load_profile("dummy-void-hooks")


def trial(provider: api.Provider, hook: api.Hook, point: Point = POINTS[0]) -> str | None:
    """Try a hook as a run does."""
    case = Case(point, (CATALOGUE["3.4.8-1"],), VOID, provider, Recorder(provider.clock, "trial"), f"trial.{hook}")
    with provider.clock.actor():
        return without_effect(case, hook)


def sound(tmp_path: Path, clock: str) -> ReferenceProvider:
    return open_provider({"clock": clock, "users": {"tck": "tck"}}, tmp_path)


def test_every_hook_with_an_effect_has_an_owner() -> None:
    assert {hook.value for hook in CHECKS} == set(load_call_owners().hooks)


@pytest.mark.parametrize("point", POINTS, ids=lambda point: point.name)
@pytest.mark.parametrize("clock", ["virtual", "system"])
def test_no_hook_of_a_sound_provider_is_blamed(tmp_path: Path, clock: str, point: Point) -> None:
    with sound(tmp_path, clock) as provider:
        tried = [hook for hook in api.Hook if hook in provider.hooks]
        assert set(CHECKS) - set(tried) == (set() if clock == "virtual" else {api.Hook.CLOCK})
        assert {hook: trial(provider, hook, point) for hook in tried} == dict.fromkeys(tried)


SIGNS = {
    api.Hook.RESTART: "a connection from before committed",
    api.Hook.KILL: "a connection from before committed",
    api.Hook.SEVER: "a connection from before committed",
    api.Hook.CLOCK: "advance(60000) moved the time by 0 ms",
    api.Hook.PENDING: "pending returned 0",
    api.Hook.ADMINISTER: "left messages the priority",
    api.Hook.AUTHENTICATION: "a user name and password that nobody set up were accepted",
    api.Hook.FAULT: "commits took effect",
}


@pytest.mark.parametrize("point", POINTS, ids=lambda point: point.name)
@pytest.mark.parametrize("hook", CHECKS)
def test_a_hook_that_does_nothing_is_blamed(tmp_path: Path, hook: api.Hook, point: Point) -> None:
    with open_void_hooks(VOID.adapter.settings, tmp_path) as provider:
        assert SIGNS[hook] in (trial(provider, hook, point) or "")


class Late(ReferenceProvider):
    """Its hooks work, four seconds after they have returned; the profile's deadline is five."""

    def _later(self, call: Callable[[], object]) -> None:
        self.server.clock.call_at(self.server.clock.now() + 4000, lambda: self.server.clock.spawn(call, "late"))

    def sever(self, connection: api.Connection | api.JMSContext) -> None:
        self._later(lambda: super(Late, self).sever(connection))

    def restart(self) -> None:
        self._later(super().restart)

    def kill(self) -> None:
        self._later(super().kill)

    def pending(self, destination: api.Destination) -> int:
        held = super().pending(destination)
        clock, seen = self.server.clock, self.__dict__.setdefault("seen", {})
        since = seen.setdefault(held, clock.now())
        return held if clock.now() - since >= 4000 else min(seen)

    def administer(self, action: str, **arguments: object) -> object:
        if action == "fail-next-commit":
            return super().administer(action, **arguments)
        return self._later(lambda: super(Late, self).administer(action, **arguments))


@pytest.mark.parametrize(
    "hook", [api.Hook.SEVER, api.Hook.RESTART, api.Hook.KILL, api.Hook.PENDING, api.Hook.ADMINISTER]
)
def test_a_hook_that_works_late_is_not_blamed(tmp_path: Path, hook: api.Hook) -> None:
    with Late(sound(tmp_path, "virtual").server, lambda: None) as provider:
        assert trial(provider, hook) is None
        with provider.clock.actor():
            provider.clock.event().wait(60_000)  # the hook ends before the provider closes


class Restored(ReferenceProvider):
    """Its client connects again by itself: only the open transaction is lost."""

    def sever(self, connection: api.Connection | api.JMSContext) -> None:
        self.administer("fail-next-commit", connection=connection)


def test_a_client_that_connects_again_is_no_sign(tmp_path: Path) -> None:
    with Restored(sound(tmp_path, "virtual").server, lambda: None) as provider:
        assert trial(provider, api.Hook.SEVER) is None


class Unwritten(ReferenceProvider):
    """Its adapter has no method for its hooks."""

    restart = api.Provider.restart
    kill = api.Provider.kill
    sever = api.Provider.sever
    pending = api.Provider.pending
    administer = api.Provider.administer


@pytest.mark.parametrize("hook", [api.Hook.RESTART, api.Hook.KILL, api.Hook.SEVER, api.Hook.PENDING, api.Hook.FAULT])
def test_a_hook_without_its_method_is_blamed(tmp_path: Path, hook: api.Hook) -> None:
    with Unwritten(sound(tmp_path, "virtual").server, lambda: None) as provider:
        assert "raised UnsupportedOperationException" in (trial(provider, hook) or "")


def test_an_action_that_an_administrator_does_not_know_is_no_sign(tmp_path: Path) -> None:
    with Unwritten(sound(tmp_path, "virtual").server, lambda: None) as provider:
        assert trial(provider, api.Hook.ADMINISTER) is None


class Broken(ReferenceProvider):
    """Its sever raises: another fault, and no sign that it did nothing."""

    def sever(self, connection: api.Connection | api.JMSContext) -> None:
        raise api.JMSException("no way to cut it")


def test_a_hook_that_fails_otherwise_is_not_blamed(tmp_path: Path) -> None:
    with Broken(sound(tmp_path, "virtual").server, lambda: None) as provider:
        assert trial(provider, api.Hook.SEVER) is None


def test_the_dummy_with_void_hooks_is_the_reference_otherwise() -> None:
    reference = load_profile("reference")
    assert VOID.adapter.target == "reference_provider.void_hooks:open_void_hooks"
    assert (VOID.adapter.settings, VOID.claims) == (reference.adapter.settings, reference.claims)
