"""Bridges on the command line: selection, a bridge of one's own, what is wrong with its profile, and what a fault looks like."""

import json
import re
import sys
import tomllib

import pytest
from cli_support import ROOT, one_message, run, tck

from faults import all_bridge_saboteurs
from tck.catalogue import Level, load_catalogue
from tck.catalogue.select import SelectionError, parse_selection
from tck.cli.support.suite_tests import ids_tested, suite_tests

KNOWN = load_catalogue()
DOCS = ROOT / "docs" / "interworking.md"

BRIDGE = """
[bridge]
name = "mine"
title = "Mine"
converter = "{converter}"
"""


CHANNELS = """
import pathlib
from reference_interworking.channel import StandInFactory


def open_channels(clock):
    pathlib.Path("opened").touch()
    return StandInFactory(clock)
"""
NAMED = "[bridge]\nname = 'a'\ntitle = 'b'\n"
WHOLE = f"{NAMED}converter = 'reference_interworking.bridge.converter:open_converter'\n"


def bridge(folder, converter="reference_interworking.bridge.converter:open_converter"):
    file = folder / "mine.toml"
    file.write_text(BRIDGE.format(converter=converter), encoding="utf-8")
    return str(file)


def test_rows_are_found_by_id_section_and_chapter():
    row = KNOWN["iw-2.4.1-13"]
    assert (row.chapter, row.section, row.ordinal, row.level) == ("interworking", "iw-2.4.1", 13, Level.MUST)
    assert "iw-2.4.1-13" not in set(KNOWN)
    assert len(KNOWN.chapter("interworking")) == 469
    assert {each.section for each in KNOWN.within("iw-2.4")} > {"iw-2.4", "iw-2.4.1", "iw-2.4.1.1.5", "iw-2.4.2"}
    assert parse_selection(["iw-2.4.1-13"], KNOWN).assertions == {"iw-2.4.1-13"}
    wanted = {row.id for row in KNOWN.within("iw-2.4") if row.level == Level.MUST}
    assert parse_selection(["iw-2.4+level:must"], KNOWN).assertions == wanted
    with pytest.raises(SelectionError, match=r"iw-2\.4\.1-13"):
        parse_selection(["iw-2.4.1-130"], KNOWN)
    with pytest.raises(SelectionError):
        parse_selection(["iw-9"], KNOWN)


def test_every_mapping_row_that_can_run_has_a_case():
    rows = [row for prefix in ("iw-2.4", "iw-2.5.1", "iw-2.5.4", "iw-2.5.5") for row in KNOWN.within(prefix)]
    runnable = {row.id for row in rows if row.testable != "no"}
    assert runnable <= ids_tested()


def test_every_row_with_a_case_has_a_fault():
    tested = {id_ for test in suite_tests() for id_ in test.assertions if id_.startswith("iw-")}
    owed = {id_ for id_ in tested if KNOWN[id_].level in (Level.MUST, Level.SHOULD)}
    assert set(all_bridge_saboteurs()) == owed


@pytest.mark.slow
def test_the_kits_own_bridge_conforms(tmp_path):
    ended = tck("run", "interworking", "--no-report", "-n", "0", "--format", "json", cwd=tmp_path).json()
    assert (ended["exit"], set(ended["verdicts"])) == (0, {"conformant", "observation"})
    assert ended["verdicts"]["conformant"] >= 85


@pytest.mark.slow
def test_a_plain_run_leaves_bridges_out_and_a_named_bridge_takes_them_in(tmp_path):
    def cases(*words):
        suite = str(ROOT / "tck" / "suite" / "interworking")
        ended = run(
            sys.executable, "-m", "pytest", "-p", "tck.plugin", suite, "--collect-only", "-q", *words, cwd=tmp_path
        )
        return sum("[iw-" in line for line in ended.out.splitlines())

    assert cases("--select", "iw-2.5.1") == 4
    assert cases() == 0
    assert cases("--bridge", "reference") > 100


def test_a_fault_is_told_and_its_command_names_the_bridge(tmp_path):
    bridge(tmp_path, "faults.interworking:iw_2_4_1_11")
    ended = tck("run", "iw-2.4.1-11", "--bridge", "mine.toml", "--no-report", "-n", "0", cwd=tmp_path)
    assert ended.code == 1
    assert "--bridge mine.toml iw-2.4-3/queue" in re.sub(r"\s+", " ", ended.out)
    assert "EventReliability" in ended.out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected the table [bridge] and no other"),
        (NAMED[:20], "bridge: expected the keys name, title; title is missing"),
        (NAMED, "bridge: expected one of the keys converter, factory, reference"),
        (NAMED + "reference = 'here'\n", 'bridge.reference: expected IOR:... or corbaloc:..., saw "here"'),
        (NAMED + "reference = 'IOR:0'\n", 'bridge: expected channels_at = "host:port" beside the reference'),
        (
            NAMED + "reference = 'IOR:0'\nfactory = 'a:b'\n",
            "bridge.factory: expected a factory or a reference, not both",
        ),
        (WHOLE + "channels_at = 'here:1'\n", "bridge.channels_at: expected with a reference only"),
        ("[bridge]\nname = 'a'\ntitel = 'b'\n", 'unknown key, did you mean "title"?'),
        ("[bridge]\nname = 1\ntitle = 'b'\nconverter = 'c:d'\n", "bridge.name: expected a text"),
        ("[bridge]\nname = 'a'\ntitle = 'b'\nconverter = 'c'\n", 'expected package.module:callable, saw "c"'),
        ("[bridge\n", ":1"),
        (WHOLE + "claims = 'transactions'\n", "bridge.claims: expected a list of texts out of acknowledgment"),
        (WHOLE + "claims = ['transaction']\n", 'unknown claim "transaction", did you mean "transactions"?'),
        (WHOLE + "channels = 'mine'\n", 'bridge.channels: expected package.module:callable, saw "mine"'),
        (WHOLE + "channel = 'mine'\n", 'bridge.channel: unknown key, did you mean "channels"?'),
        (WHOLE + "channels = 'json:nothing'\n", "the module json has no nothing"),
        (WHOLE + "factory = 'nowhere:factory'\n", "there is no module nowhere"),
        ("[bridge]\nname = 'a'\ntitle = 'b'\nconverter = 'nowhere:d'\n", "there is no module nowhere"),
        ("[bridge]\nname = 'a'\ntitle = 'b'\nconverter = 'json:d'\n", "the module json has no d"),
        ("[bridge]\nname = 'a'\ntitle = 'b'\nconverter = 'json:__name__'\n", "open_converter()"),
    ],
)
def test_a_profile_that_cannot_be_used_is_reported(tmp_path, text, message):
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    ended = tck("run", "interworking", "--bridge", "mine.toml", "--no-report", "-n", "0", cwd=tmp_path)
    assert ended.code == 4
    assert message in re.sub(r"\s+", " ", one_message(ended))


def test_what_a_bridge_does_not_claim_is_unsupported_and_channels_of_ones_own_are_used(tmp_path):
    (tmp_path / "mine.py").write_text(CHANNELS, encoding="utf-8")
    profile = (
        f"{WHOLE}factory = 'reference_interworking.bridge.factory:open_factory'\nchannels = 'mine:open_channels'\n"
    )
    (tmp_path / "mine.toml").write_text(profile, encoding="utf-8")
    ended = tck("run", "iw-2.3-10", "--bridge", "mine.toml", "--no-report", "-n", "0", cwd=tmp_path)
    assert ended.code == 0, ended.out
    assert "coverage: 2 of 458 testable rows on bridges" in ended.out
    assert (tmp_path / "opened").exists()


def test_a_bridge_that_is_none_is_reported(tmp_path):
    ended = tck("run", "interworking", "--bridge", "referense", cwd=tmp_path)
    assert ended.code == 4
    assert 'no bridge "referense", did you mean "reference"?' in one_message(ended)


def test_the_example_of_the_docs_runs_and_is_judged(tmp_path):
    blocks = re.findall(r"```(python|toml)\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    code, profile = (re.sub(r"^   ", "", text, flags=re.MULTILINE) for _, text in blocks[:2])
    (tmp_path / "mine.py").write_text(code, encoding="utf-8")
    (tmp_path / "mine.toml").write_text(profile, encoding="utf-8")
    assert tomllib.loads(profile)["bridge"]["converter"] == "mine:open_converter"
    ended = tck(
        "run", "interworking", "--bridge", "mine.toml", "--no-report", "-n", "0", "--format", "json", cwd=tmp_path
    )
    assert ended.code == 1, ended.err
    output = json.loads(ended.out)
    assert output["exit"] == 1
    assert output["verdicts"]["violation"] >= 1
    assert output["verdicts"]["conformant"] >= 2


OTHERWISE = '''
from types import SimpleNamespace

from reference_interworking.bridge.bridges import ReferenceBridge
from reference_interworking.bridge.converter import open_converter
from reference_interworking.bridge.factory import ReferenceFactory


class OwnAdmins(ReferenceBridge):
    """Makes its proxy through an admin of its own."""

    @property
    def channel(self):
        found = super().channel
        if hasattr(self, "proxy"):
            return found
        consumers, suppliers = found.new_for_consumers()[0], found.new_for_suppliers()[0]
        return SimpleNamespace(default_consumer_admin=consumers, default_supplier_admin=suppliers)


def open_factory(channels, provider):
    factory = ReferenceFactory(channels, provider)
    factory.parts[ReferenceBridge] = OwnAdmins
    return factory
'''


@pytest.mark.slow
def test_a_bridge_with_admins_of_its_own_is_not_accused(tmp_path):
    """create_bridge obtains an admin (2.3-15); that it is the channel's default one is said nowhere."""
    (tmp_path / "otherwise.py").write_text(OTHERWISE, encoding="utf-8")
    profile = BRIDGE.format(converter="otherwise:open_converter") + 'factory = "otherwise:open_factory"\n'
    (tmp_path / "mine.toml").write_text(profile, encoding="utf-8")
    words = ("iw-2.1", "iw-2.2", "iw-2.3", "iw-2.5.6", "iw-3.1", "--bridge", "mine.toml", "--no-report", "-n", "0")
    ended = tck("run", *words, "--format", "json", cwd=tmp_path)
    assert ended.code == 0, ended.err
    assert ended.json()["verdicts"]["conformant"] > 80
