"""The owners of calls: every call of the interface has one, or a reason to have none."""

from tck.adapters.recording.shapes import CALLBACKS, api_types, members
from tck.catalogue import NEWEST
from tck.catalogue.owners import load_call_owners

MEMBERS = {member.op for kind in api_types() - CALLBACKS for member in members((kind,))}
CALLS = MEMBERS | {f"{op}(CompletionListener)" for op in MEMBERS if op.endswith((".send", ".publish"))}


def test_every_call_has_an_owner_or_a_reason_to_have_none():
    owners = load_call_owners()
    assert sorted(call for call in CALLS if not owners.knows(call)) == []


def test_every_pattern_fits_a_call():
    from fnmatch import fnmatchcase

    owners = load_call_owners()
    patterns = [pattern for pattern, _ in (*owners.owned, *owners.unowned)]
    assert [each for each in patterns if not any(fnmatchcase(call, each) for call in CALLS)] == []


def test_the_version_chooses_among_owners():
    owners = load_call_owners()
    assert owners.of("Session.create_browser", NEWEST) == "4.1.6-2"
    assert owners.of("Provider.restart", NEWEST) is None
    assert owners.of("MessageProducer.send", NEWEST) == "7.1-1"
    assert owners.of("MessageProducer.send(CompletionListener)", NEWEST) == "7.3-1"
