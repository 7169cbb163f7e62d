"""AccountsPayable: a selector over a header, a number and a name that not every message has."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.deliveries import from_consumer
from tck.suite.support.values.seen import body

SELECTOR = "(JMSType = 'AccountsPayable' AND DollarCredit > 5000) OR (owner = 'johndoe')"
BROKEN = ("JMSType = ", "DollarCredit > > 5000", "owner = 'johndoe", "(owner = 'johndoe'", "owner IN ()")
LAST = "last: type ok, 9000, no owner"


@scenario("pj-accounts-selector")
def test_accounts_payable(case: Case) -> None:
    """The clerk gets the messages that the selector chooses, whatever the others lack or hold as another type."""
    destination, client = case.destination(), case.client()
    clerk = client.consumer(destination, SELECTOR)
    accounts(case, destination)
    seen: list[str] = []
    while LAST not in seen:
        seen.append(str(body(from_consumer(case, clerk))))

    with expect.for_row("pj-accounts-selector-1"):
        expected = {"first: type ok, 2500, no owner": 0, "second: type ok, 6000, johndoe": 1}
        expect.equal("how often the first two came", {text: seen.count(text) for text in expected}, expected)
    with expect.for_row("pj-accounts-selector-2"):
        case.witness(f"{LAST} came")
        expect.equal("how often a credit as a String came", seen.count("fourth: type ok, '6000', no owner"), 0)
    with expect.for_row("pj-accounts-selector-3"):
        expect.equal("how often a message without credit came", seen.count("third: type other, no credit, johndoe"), 1)
        expect.equal("how often a message without credit and owner came", seen.count("fifth: type ok alone"), 0)
    with expect.for_row("pj-accounts-selector-4"):
        for text in BROKEN:
            expect.raises(
                case.thrown(api.InvalidSelectorException),
                lambda text=text: client.consumer(destination, text),  # type: ignore[misc]
                what=f"a consumer with the selector {text!r}",
            )


def accounts(case: Case, destination: api.Destination) -> None:
    """Send the messages of the accounts."""
    client = case.client()
    sender = client.sender(destination)

    def send(text: str, kind: str, credit: int | str | None = None, owner: str | None = None) -> None:
        message = client.text(text)
        message.jms_type = kind
        if isinstance(credit, int):
            message.set_int_property("DollarCredit", credit)
        elif credit is not None:
            message.set_string_property("DollarCredit", credit)
        if owner is not None:
            message.set_string_property("owner", owner)
        sender.send(message)

    send("first: type ok, 2500, no owner", "AccountsPayable", 2500)
    send("second: type ok, 6000, johndoe", "AccountsPayable", 6000, "johndoe")
    send("third: type other, no credit, johndoe", "Other", owner="johndoe")
    send("fourth: type ok, '6000', no owner", "AccountsPayable", "6000")
    send("fifth: type ok alone", "AccountsPayable")
    send(LAST, "AccountsPayable", 9000)
