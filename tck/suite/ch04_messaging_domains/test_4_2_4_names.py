"""4.2.4 Names of subscriptions."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.subscriptions import NAMED, publisher, subscription


def _name_serves(case: Case, name: str) -> None:
    """Demand that each kind of named subscription works with a name: it is created, gets a message, and is resumed if it is durable."""
    for kind in NAMED:
        made = subscription(case, kind, name=name, client_id=case.name("c"))
        link = expect.works(f"a {kind} subscription named {name!r}", made.open)
        sender = publisher(case, made.topic)
        sender.send("one")
        expect.arrives(link, ["one"])
        link.client.close()
        if kind == "shared":  # it ended with its consumer
            continue
        again = expect.works(f"the same {kind} subscription again", made.open)
        sender.send("two")
        expect.arrives(again, ["two"])
        again.client.close()


@asserts("4.2.4-1")
def test_names_may_have_letters(case: Case) -> None:
    """Letters of both cases, of ASCII and of other scripts, serve as names."""
    for name in ("Abc", "x", "Grüße", "имя名前", "null", "true"):
        _name_serves(case, name)


@asserts("4.2.4-2")
def test_names_may_have_digits(case: Case) -> None:
    """Digits serve within names, at their beginning, and alone."""
    for name in ("a1b2", "1a", "42", "0", "٣"):
        _name_serves(case, name)


@asserts("4.2.4-3")
def test_names_may_have_underscores(case: Case) -> None:
    """Underscores serve at the beginning of a name, within it, and at its end."""
    for name in ("_a_b_", "_"):
        _name_serves(case, name)


@asserts("4.2.4-4")
def test_names_may_have_dots(case: Case) -> None:
    """Dots serve at the beginning of a name, within it, and at its end."""
    for name in (".a.b.", "a..b"):
        _name_serves(case, name)


@asserts("4.2.4-5")
def test_names_may_have_minus_signs(case: Case) -> None:
    """Minus signs serve at the beginning of a name, within it, and at its end."""
    for name in ("-a-b-", "--a"):
        _name_serves(case, name)


@asserts("4.2.4-7")
def test_names_may_have_128_characters(case: Case) -> None:
    """A name of 128 characters serves every named subscription."""
    _name_serves(case, "n" * 128)


@asserts("4.2.4-8")
def test_names_count_to_their_last_character(case: Case) -> None:
    """Names that differ in one place, be it the last of 128 or the case of a letter, are two subscriptions."""
    for kind in NAMED:
        for names in (
            ("n" * 127 + "a", "n" * 127 + "b"),
            ("Name", "name"),
            ("ab", "ba"),
            ("1", "01"),
        ):
            topic, client_id = case.topic(), case.name("c")
            one, other = (subscription(case, kind, topic, name=name, client_id=client_id) for name in names)
            first = one.open()
            second = expect.works(f"a {kind} subscription named {names[1]}", lambda: other.open(client=first.client))
            publisher(case, topic).send("x")
            expect.arrives(first, ["x"])
            expect.arrives(second, ["x"])


@asserts("4.2.4-10")
def test_names_with_a_dollar_sign(case: Case) -> None:
    """Whether a name may have a dollar sign is open; which kinds of subscription take it is recorded."""
    link = subscription(case, "durable").open()
    link.send("x")
    link.receive()
    trials = {kind: subscription(case, kind, name="a$b", client_id=case.name("c")) for kind in NAMED}
    refused = [kind for kind, trial in trials.items() if expect.works_or(case.thrown(api.JMSException), trial.open)]
    expect.record(f"a dollar sign in the name is refused by {len(refused)} of {len(trials)} kinds of subscription")
