"""Channels of CORBA: values that survive the ORB, errors, profiles of channels, and the service that the kit starts."""

import os
import subprocess
import sys
import tomllib

import pytest

from tck.adapters.opening import check_bridge
from tck.interworking import Any_, Kind, TypeCode, array_of, enum_of, event, qos, sequence_of, struct_of, union_of
from tck.interworking.channel import ClientType, ProxyType
from tck.profile import AdapterError, ProfileError, channel_names, load_profile, on_channel, profiles_directory

pytest.importorskip("omniORB", reason="omniORB is not installed: pip install 'jms-tck[corba]'")
CHANNELS = profiles_directory() / "channels"
STRING, LONG = TypeCode(Kind.STRING), TypeCode(Kind.LONG)
COLOUR = enum_of("Colour", "red", "green")
NESTED = struct_of("Nested", at=LONG, inside=struct_of("Inside", name=STRING))
SWITCHED = union_of("Switched", LONG, name=(1, STRING), other=(None, TypeCode(Kind.DOUBLE)))
VALUES = [
    *(Any_.of(kind, value) for kind, value in [(Kind.SHORT, -1), (Kind.ULONGLONG, 2**64 - 1), (Kind.BOOLEAN, True)]),
    *(
        Any_.of(kind, value)
        for kind, value in [(Kind.CHAR, "é"), (Kind.WCHAR, "€"), (Kind.STRING, "ä€😀"), (Kind.WSTRING, "😀")]
    ),
    *(Any_.octets(b""), Any_.octets(b"\0\xff"), Any_.sequence(), Any_.properties({"a": Any_.of(Kind.FLOAT, 0.5)})),
    *(Any_(NESTED, (1, ("x",))), Any_(COLOUR, "green"), Any_(SWITCHED, (1, "k")), Any_(SWITCHED, (7, 0.5))),
    Any_(union_of("Hot", COLOUR, name=("red", STRING)), ("green", None)),
    Any_(union_of("Rest", COLOUR, name=("red", STRING), other=(None, LONG)), ("green", 3)),
    *(Any_(array_of(TypeCode(Kind.OCTET), 2), (1, 2)), Any_(sequence_of(TypeCode(Kind.CHAR)), ("a", "b"))),
    *(Any_(array_of(array_of(LONG, 1), 2), ((1,), (2,))), Any_(TypeCode(Kind.ANY), Any_.of(Kind.LONG, 3))),
]


def isolated(program, *arguments):
    """Run a program with an ORB in a process of its own: it may not be forked, and Java may run in this one."""
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


MARSHALLED = """
from omniORB import CORBA, cdrMarshal, cdrUnmarshal
from tck.adapters.corba.orb import orb
orb()
from test_adapters_corba import VALUES
from tck.adapters.corba.values import our_any, their_any
for value in VALUES:
    again = our_any(cdrUnmarshal(CORBA.TC_any, cdrMarshal(CORBA.TC_any, their_any(value))))
    assert again == value, (value, again)
print(len(VALUES))
"""


def test_a_value_of_each_type_is_the_same_behind_the_orb(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([*sys.path, os.path.dirname(__file__)]))  # noqa: PTH120
    assert isolated(MARSHALLED) == str(len(VALUES))


@pytest.mark.parametrize("name", channel_names())
def test_a_channel_of_the_kit_is_complete_and_its_deviations_have_programs(name):
    profile = on_channel(load_profile("reference-realtime"), name)
    assert profile.bridge.claims == frozenset(
        tomllib.loads((CHANNELS / f"{name}.toml").read_text())["channel"].get("claims", ())
    )
    program = (CHANNELS / f"{name}.py").read_text(encoding="utf-8")
    cases = [each.evidence.split() for each in profile.deviations if each.assertion.startswith("iw-")]
    assert cases
    assert [
        words for words in cases if words[0] != f"profiles/channels/{name}.py" or f'"{words[1]}": (' not in program
    ] == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[channel]\nname = 'a'\ntitle = 'b'\n", r"channel: .*opens"),
        ("[channel]\nname = 'a'\ntitle = 'b'\nopens = 'c:d'\ncolour = 1\n", r"unknown key.*known here are.*opens"),
        ("[channel]\nname = 'a'\ntitle = 'b'\nopens = 'c:d'\n[[deviation]]\nassertion = 'iw-2.1-99'\noutcome = 'fails'\nreason = 'r'\nevidence = 'e'\n", "no row"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_profile_of_a_channel_is_told_with_its_place(tmp_path, text, message):
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ProfileError, match=message):
        on_channel(load_profile("reference-realtime"), str(tmp_path / "mine.toml"))


def test_a_reference_that_nobody_answers_at_is_one_clear_error():
    profile = on_channel(load_profile("reference-realtime"), "corbaloc::127.0.0.1:9/Factory")
    with pytest.raises(AdapterError, match=r"no channel factory answers at corbaloc::127\.0\.0\.1:9"):
        check_bridge(profile.bridge)


LIVE = """
from tck.adapters.corba.jacorb import open_channels
from tck.api import SystemClock
from test_adapters_corba import shown
print(shown(open_channels(SystemClock())))
"""


def shown(channels):
    """Use a channel: events of each kind, refusals, and objects that are gone."""
    made, number = channels.create_channel({}, {})
    suppliers, consumers = made.default_supplier_admin, made.default_consumer_admin
    pushed = suppliers.obtain_notification_push_consumer(ClientType.SEQUENCE_EVENT)[0]
    pulled = consumers.obtain_notification_pull_supplier(ClientType.STRUCTURED_EVENT)[0]
    pulled.set_qos({qos.ORDER_POLICY: qos.FIFO_ORDER})
    pulled.connect_structured_pull_consumer(None)
    pushed.connect_sequence_push_supplier(None)
    pushed.push_structured_events(tuple(event("d", "t", str(at), body=value) for at, value in enumerate(VALUES)))
    assert [pulled.pull_structured_event().remainder_of_body for _ in VALUES] == VALUES
    assert pulled.try_pull_structured_event() is None
    assert (pulled.type, pushed.type) == (ProxyType.PULL_STRUCTURED, ProxyType.PUSH_SEQUENCE)
    with pytest.raises(qos.UnsupportedQoS, match="ConnectionReliability: UNSUPPORTED_VALUE"):
        channels.create_channel({qos.CONNECTION_RELIABILITY: 1}, {})
    with pytest.raises(qos.ChannelNotFound):
        channels.get_channel(number + 1)
    made.destroy()
    with pytest.raises(qos.ObjectNotExist):
        made.get_qos()
    return "used"


@pytest.mark.slow
@pytest.mark.java
def test_jacorb_is_started_used_and_ended(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([*sys.path, os.path.dirname(__file__)]))  # noqa: PTH120
    assert isolated(LIVE) == "used"


@pytest.mark.slow
@pytest.mark.java
def test_jacorb_deviates_as_declared():
    declared = {each.evidence.split()[1] for each in on_channel(load_profile("reference-realtime"), "jacorb").deviations if each.assertion.startswith("iw-")}  # fmt: skip
    done = subprocess.run(
        [sys.executable, CHANNELS / "jacorb.py"], capture_output=True, text=True, timeout=120, check=False
    )
    seen = {line.partition(":")[0] for line in done.stdout.splitlines() if line.endswith("deviates: yes")}
    assert seen == declared, done.stdout + done.stderr
