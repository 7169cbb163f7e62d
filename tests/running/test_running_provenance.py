"""The provenance of a run: what `run.json` says before the provider is open, and what it says of an open one."""

import dataclasses
import datetime as dt
import re
import sys

from tck import __version__
from tck.adapters.opening import open_provider
from tck.catalogue import NEWEST, load_catalogue
from tck.profile import Declared, Deviation, load_profile
from tck.provenance import Asked, describe, new_run_id, now
from tck.record import Run

CATALOGUE = load_catalogue()
PROFILE = load_profile("reference", CATALOGUE)
ASKED = Asked("20260101-000000-abcdef", "suite", NEWEST, 7, ("3.4",), "one", strict=True, repeat=2, workers=3)


def test_before_the_provider_is_open(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["/somewhere/tck/__main__.py", "run", "3.4"])
    run = describe(ASKED, PROFILE, CATALOGUE)
    assert (run.kit.version, run.catalogue.digest, run.profile.digest) == (
        __version__,
        CATALOGUE.digest,
        PROFILE.digest,
    )
    assert (run.kind, run.seed, run.selection, run.points, run.strict, run.repeat) == (
        "suite",
        7,
        ("3.4",),
        "one",
        True,
        2,
    )
    assert run.command == ("tck", "run", "3.4")
    assert run.environment.workers == 3
    assert (run.provider.name, run.provider.version, run.clock) == (PROFILE.title, "unknown", "real")
    assert Run.from_json(run.to_json()) == run


def test_of_an_open_provider(tmp_path):
    with open_provider(PROFILE, tmp_path) as provider:
        run = describe(ASKED, PROFILE, CATALOGUE, provider)
        assert run.provider.name == provider.info().name
        assert set(run.provider.hooks) == {hook.value for hook in provider.hooks}
        assert run.clock == "virtual"


def test_a_declared_deviation_is_written_with_its_last_day():
    flaky = Deviation(
        "3.4.1-1", Declared.FLAKY, "a race", link="https://example.org/1", at_most=0.2, expires=dt.date(2030, 1, 31)
    )
    (written,) = describe(ASKED, dataclasses.replace(PROFILE, deviations=(flaky,)), CATALOGUE).profile.deviations
    assert (written.outcome, written.at_most, written.expires) == ("flaky", 0.2, "2030-01-31")


def test_ids_of_runs_sort_by_time_and_differ():
    ids = {new_run_id() for _ in range(20)}
    assert len(ids) == 20
    assert all(re.fullmatch(r"\d{8}-\d{6}-[0-9a-f]{6}", each) for each in ids)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", now())
