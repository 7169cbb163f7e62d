"""3.8.1.1 Message selector syntax: header fields as identifiers."""

from __future__ import annotations

from collections.abc import Mapping

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.selectors import Samples, chosen, refused_or_never

MODES: Samples = {
    "kept": {"JMSDeliveryMode": api.DeliveryMode.PERSISTENT},
    "lost": {"JMSDeliveryMode": api.DeliveryMode.NON_PERSISTENT},
}
SPECIAL: Samples = {
    "id": {"JMSType": "ID:1", "JMSCorrelationID": "ID:1"},
    "bare": {"JMSType": "1", "JMSCorrelationID": "1"},
    "number": {"JMSType": "007", "JMSCorrelationID": "007"},
    "blank": {"JMSType": " x ", "JMSCorrelationID": " x "},
    "quote": {"JMSType": "it's", "JMSCorrelationID": "it's"},
    "wild": {"JMSType": "a%_", "JMSCorrelationID": "a%_"},
    "far": {"JMSType": "größer", "JMSCorrelationID": "größer"},
    "long": {"JMSType": "x" * 300, "JMSCorrelationID": "x" * 300},
}
"""Values of headers that a provider may take for something else."""
DRESSED: Samples = {
    "car": {"JMSType": "car", "JMSCorrelationID": "x"},
    "upper": {"JMSType": "CAR", "JMSCorrelationID": "X"},
    "cat": {"JMSType": "cat", "JMSCorrelationID": "y"},
    "none": {"n": 1},
}


@asserts("3.8.1.1-34")
def test_delivery_mode(case: Case) -> None:
    """JMSDeliveryMode can be selected by."""
    wanted = {"JMSDeliveryMode = 'NON_PERSISTENT'": "lost"}
    expect.equal("messages chosen", chosen(case, MODES, wanted, fenced=True), wanted)


@asserts("3.8.1.1-35")
def test_priority(case: Case) -> None:
    """JMSPriority can be selected by, as a number, the default too."""
    samples: Samples = {
        "low": {"JMSPriority": 1},
        "default": {"n": 1},
        "five": {"JMSPriority": 5},
        "high": {"JMSPriority": 9},
    }
    wanted = {
        "JMSPriority > 4": "five high",
        "JMSPriority = 9": "high",
        "JMSPriority = 4": "default",
        "JMSPriority < 4": "low",
    }
    expect.equal("messages chosen", chosen(case, samples, wanted, fenced=True), wanted)


@asserts("3.8.1.1-36")
def test_message_id(case: Case) -> None:
    """JMSMessageID can be selected by, with the prefix that all ids have."""
    wanted = {"JMSMessageID LIKE 'ID:%'": "a b", "JMSMessageID <> 'none'": "a b", "JMSMessageID = 'none'": ""}
    expect.equal("messages chosen", chosen(case, {"a": {"n": 1}, "b": {"n": 2}}, wanted), wanted)


@asserts("3.8.1.1-36", domain=("queue",), variant="exact")
def test_message_id_of_one_message(case: Case) -> None:
    """A selector that names the id of one message chooses just that one."""
    link = case.link(consumes=False)
    sent = [link.send(name) for name in ("a", "b", "c")]
    chosen_id = expect.present("JMSMessageID after the send", sent[1].jms_message_id)
    link.use(link.client.consumer(link.destination, f"JMSMessageID = '{chosen_id}'"))
    others = case.link(destination=link.destination, selector=f"JMSMessageID <> '{chosen_id}'")
    expect.arrives(link, ["b"])
    expect.arrives(others, ["a", "c"])


@asserts("3.8.1.1-37")
def test_timestamp(case: Case) -> None:
    """JMSTimestamp can be selected by, as a long."""
    began = case.now()
    rehearsal = case.link(selector="JMSTimestamp >= 0")
    rehearsal.send("how long this takes")
    expect.arrives(rehearsal, ["how long this takes"])
    for times in (2, 8, 32):  # on a busy machine the first attempts may be too slow
        bound = case.now() + times * (case.now() - began + case.timing.delay)
        link = case.link(selector=f"JMSTimestamp >= {bound}")
        early = case.link(destination=link.destination, selector=f"JMSTimestamp < {bound}")
        link.send("before")
        if case.now() < bound:
            break
    else:
        raise Undecided("connecting and sending took so long that the first message too is stamped late")
    case.pass_time(bound - case.now() + case.timing.delay, "what is sent next must be stamped later")
    link.send("after")
    expect.arrives(link, ["after"])
    expect.arrives(early, ["before"])


@asserts("3.8.1.1-37", variant="disabled")
def test_timestamp_that_is_disabled(case: Case) -> None:
    """Where the producer disables timestamps, selectors see the JMSTimestamp that receivers see: 0, or that of the send if it is set."""
    rehearsal = case.link()
    rehearsal.sender.set(disable_timestamp=True)
    rehearsal.carry(rehearsal.text("x"))
    pairs = [("JMSTimestamp > 0", "JMSTimestamp = 0"), ("NOT (JMSTimestamp = 0)", "NOT (JMSTimestamp > 0)")]
    if case.by_oldest:  # a timestamp that is not set is null there (3.4.4-8)
        pairs = [("JMSTimestamp > 0", "JMSTimestamp IS NULL"), ("JMSTimestamp IS NOT NULL", "JMSTimestamp IS NULL")]
    for stamped, plain in pairs:
        link = case.link(selector=stamped)
        other = case.link(destination=link.destination, selector=plain)
        link.sender.set(disable_timestamp=True)
        link.send("x")
        seen = _timestamps({stamped: link, plain: other})
        fits = len(seen) == 1 and all((value != 0) == (by == stamped) for by, value in seen.items())
        expect.true(
            f"it comes by {stamped} if it has a JMSTimestamp, else by {plain}", fits, f"JMSTimestamp was {seen}"
        )
    if not case.by_oldest:
        link = case.link(selector="JMSTimestamp IS NOT NULL")
        link.sender.set(disable_timestamp=True)
        link.send("x")
        expect.arrives(link, ["x"])


def _timestamps(links: Mapping[str, Link]) -> dict[str, int]:
    """Receive one message by one or more of several links; return its JMSTimestamp by the names of these links."""
    case = next(iter(links.values())).case
    until = case.now() + case.timing.deadline
    seen: dict[str, int] = {}
    while not seen and case.now() < until:
        for by, link in links.items():
            if (message := link.poll(case.timing.deadline / 50)) is not None:
                link.client.settle(message)
                seen[by] = message.jms_timestamp
    return seen


@asserts("3.8.1.1-38")
def test_correlation_id(case: Case) -> None:
    """JMSCorrelationID can be selected by."""
    wanted = {
        "JMSCorrelationID = 'x'": "car",
        "JMSCorrelationID <> 'x'": "upper cat",
        "JMSCorrelationID IN ('X', 'y')": "upper cat",
    }
    expect.equal("messages chosen", chosen(case, _with_both(), wanted), wanted)


@asserts("3.8.1.1-39")
def test_type(case: Case) -> None:
    """JMSType can be selected by."""
    wanted = {
        "JMSType = 'car'": "car",
        "JMSType LIKE 'c%'": "car cat",
        "JMSType IN ('CAR')": "upper",
        "JMSType <> 'car'": "upper cat",
    }
    expect.equal("messages chosen", chosen(case, _with_both(), wanted), wanted)


def _with_both() -> Samples:
    """Return the samples that have both headers; one that is null is 3.8.1.1-41."""
    return {name: sample for name, sample in DRESSED.items() if "JMSType" in sample}


def _special(case: Case, header: str) -> None:
    escaped = {name: str(sample[header]).replace("'", "''") for name, sample in SPECIAL.items()}
    wanted = {f"{header} = '{text}'": name for name, text in escaped.items()}
    wanted |= {f"{header} LIKE 'ID:%'": "id", f"{header} IN ('7', '1')": "bare"}
    expect.equal("messages chosen", chosen(case, SPECIAL, wanted), wanted)


@asserts("3.8.1.1-38", variant="special")
def test_correlation_ids_of_all_sorts(case: Case) -> None:
    """JMSCorrelationID is compared as it was set, whatever it looks like."""
    _special(case, "JMSCorrelationID")


@asserts("3.8.1.1-39", variant="special")
def test_types_of_all_sorts(case: Case) -> None:
    """JMSType is compared as it was set, whatever it looks like."""
    _special(case, "JMSType")


@asserts("3.8.1.1-40")
def test_no_other_header(case: Case) -> None:
    """The other header fields are refused, or are NULL."""
    samples: Samples = {"one": {"n": 1, "JMSReplyTo": case.destination()}, "two": {"n": 2}}
    texts = (
        "JMSExpiration = 0",
        "JMSRedelivered = FALSE",
        "JMSDestination IS NOT NULL",
        "JMSReplyTo IS NOT NULL",
        "JMSDeliveryTime >= 0",
    )
    seen = refused_or_never(case, samples, texts, neighbours={"n = 1": "one", "n < 10": "one two"})
    expect.equal("messages chosen", seen, {**dict.fromkeys(texts, ""), "n = 1": "one", "n < 10": "one two"})


@asserts("3.8.1.1-41")
def test_a_header_that_is_null_is_null(case: Case) -> None:
    """A type and a correlation id that were not set are NULL, and are no empty texts."""
    wanted = {
        "JMSType IS NULL AND JMSCorrelationID IS NULL": "none",
        "JMSType = ''": "",
        "JMSCorrelationID = ''": "",
    }
    expect.equal("messages chosen", chosen(case, DRESSED, wanted), wanted)


@asserts("3.8.1.1-58", variant="headers")
def test_a_header_that_is_null_compares_with_nothing(case: Case) -> None:
    """A type and a correlation id that were not set are neither equal nor unequal to a text."""
    wanted = {
        "JMSType <> 'car'": "upper cat",
        "JMSCorrelationID <> 'x'": "upper cat",
        "NOT (JMSType = 'car')": "upper cat",
        "NOT (JMSCorrelationID = 'x')": "upper cat",
    }
    expect.equal("messages chosen", chosen(case, DRESSED, wanted), wanted)


@asserts("3.8.1.1-45")
def test_unknown_is_no_match(case: Case) -> None:
    """A selector that is neither true nor false chooses nothing, as one that is false."""
    samples: Samples = {"one": {"n": 1, "flag": True}, "zero": {"n": 0, "flag": False}, "none": {"other": 1}}
    wanted = {"n > 0": "one", "flag": "one", "n < 1": "zero", "missing > 1": "", "missing": "", "missing = 'a'": ""}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)
