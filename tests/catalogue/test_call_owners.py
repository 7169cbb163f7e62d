"""The owners of calls: every call of the interface has one, or a reason to have none."""

import pytest

from tck.adapters.recording.shapes import CALLBACKS, api_types, members
from tck.blame.refusals import GIVING, overload
from tck.catalogue import NEWEST
from tck.catalogue.owners import load_call_owners

MEMBERS = {member.op for kind in api_types() - CALLBACKS for member in members((kind,))}
CALLS = MEMBERS | {f"{op}(CompletionListener)" for op in MEMBERS if op.endswith((".send", ".publish"))}
NULLS = {f"{op}(null)" for op in MEMBERS if GIVING.match(op)}


def test_every_call_has_an_owner_or_a_reason_to_have_none():
    owners = load_call_owners()
    assert sorted(call for call in CALLS if not owners.knows(call)) == []


def test_every_pattern_fits_a_call():
    from fnmatch import fnmatchcase

    owners = load_call_owners()
    patterns = [pattern for pattern, _ in (*owners.owned, *owners.unowned)]
    assert [each for each in patterns if not any(fnmatchcase(call, each) for call in CALLS | NULLS)] == []


def test_the_version_chooses_among_owners():
    owners = load_call_owners()
    assert owners.of("Session.create_browser", NEWEST) == "4.1.6-2"
    assert owners.of("Provider.restart", NEWEST) is None
    assert owners.of("MessageProducer.send", NEWEST) == "7.1-1"
    assert owners.of("MessageProducer.send(CompletionListener)", NEWEST) == "7.3-1"


@pytest.mark.parametrize(
    ("call", "arguments", "row"),
    [
        ("Message.set_string_property", ("n", None), "3.12-12"),
        ("TextMessage.set_object_property", ("n", None), "3.12-12"),
        ("MapMessage.set_string", ("n", None), "3.12-9"),
        ("StreamMessage.write_bytes", (None,), "3.12-10"),
        ("StreamMessage.write_bytes", (None, 0, 1), "3.12-10"),
        ("Message.set_string_property", (None, "x"), "3.5.2-8"),
        ("BytesMessage.write_utf", (None,), "3.11-7"),
        ("Message.set_string_property", ("n", "x"), "3.5.2-8"),
        ("StreamMessage.write_bytes", (b"",), "3.11-1"),
    ],
)
def test_null_has_an_owner_of_its_own(call, arguments, row):
    assert load_call_owners().of(overload(call, arguments), NEWEST) == row
