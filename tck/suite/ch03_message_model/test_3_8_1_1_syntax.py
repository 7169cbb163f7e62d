"""3.8.1.1 Message selector syntax: what is not a selector, and when the provider says so."""

from __future__ import annotations

from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.members import every_call
from tck.suite.support.selectors import chosen, refused

BAD = "n = AND"
REPEATED = "n = = 1"
STRUCTURAL = (
    "(n = 1",
    "n = 1)",
    "n =",
    "= 1",
    "n = 1 n = 2",
    "n = 1 2",
    "n = 1 AND",
    "OR n = 1",
    "n = 1 AND OR n = 2",
    "n = 'a",
    "n BETWEEN 1",
    "n BETWEEN 1 OR 2",
    "n IN",
    "n LIKE",
    "n IS",
    "n = 1 NOT",
    "NOT",
    "n + 1",
    "n NOT = 1",
    "n 1",
    "()",
    "n = ()",
    "n = 1;",
    "n <> > 1",
    "'a'",
    "5",
)
COMPLETE = (
    "n = 1",
    "n BETWEEN 1 AND 2",
    "s IN ('a', 'b')",
    "s LIKE 'a'",
    "s IS NOT NULL",
    "(n = 1)",
    "((n = 1) OR (n = 2))",
    "NOT n = 1",
    "flag",
    "TRUE",
    "n + 1 > 2",
    "n = (1)",
)
"""Conditions of every form."""
SPOILT = (
    "{} n",
    "{} 1",
    "{} 'a'",
    "{} (n = 1)",
    "{} NOT n = 1",
    "{} =",
    "{})",
    "{} AND",
    "{} AND OR n = 1",
    "({}",
    "({} AND) n = 1",
    "AND {}",
    "OR {}",
    "{0} {0}",
)
"""Ways to spoil a condition."""
FOREIGN = (
    "n == 1",
    "n != 1",
    "n = 1 && n = 1",
    "n = 1 || n = 2",
    "!(n = 1)",
    "n % 2 = 1",
    's = "a"',
    "flag IS TRUE",
    "n = NULL",
    "ABS(n) = 1",
    "s IN (SELECT s FROM t)",
    "n ^ 2 = 1",
    "n => 1",
    "n =< 1",
    "s MATCHES 'a'",
    "n = 1 XOR n = 2",
    "t.n = 1",
)


@asserts("3.8.1.1-99", "10.3-25")
def test_a_consumer_with_a_bad_selector_is_refused(case: Case) -> None:
    """Creating a consumer with a malformed selector fails at once, and the session goes on."""
    link = case.link()
    expect.raises(
        api.InvalidSelectorException,
        lambda: link.client.consumer(link.destination, REPEATED),
        what=f"a consumer with the selector {REPEATED!r}",
        though_works=lambda: link.client.consumer(link.destination, "n = 1").close(),
    )
    link.send("x")
    expect.arrives(link, ["x"])


@asserts("3.8.1.1-100", "10.3-26", domain=("queue",))
def test_a_context_refuses_a_bad_selector_for_queues(case: Case) -> None:
    """Consumers and browsers that a context would make with a malformed selector are refused by the runtime exception."""
    context = case.client().session
    selecting = ("createConsumer(Destination, String)", "createBrowser(Queue, String)")
    calls = partial(every_call, case, "JMSContext", lambda: context, only=selecting)
    expect.all_raise(api.InvalidSelectorRuntimeException, calls(message_selector=BAD), though_work=calls())


@asserts("3.8.1.1-100", "10.3-26", domain=("topic",), variant="subscriptions")
def test_a_context_refuses_a_bad_selector_for_topics(case: Case) -> None:
    """Consumers that a context would make of a topic with a malformed selector are refused by the runtime exception."""
    context = case.client(client_id=case.name("c")).session
    selecting = (
        "createConsumer(Destination, String)",
        "createDurableConsumer(Topic, String, String, boolean)",
        "createSharedConsumer(Topic, String, String)",
        "createSharedDurableConsumer(Topic, String, String)",
    )
    calls = partial(every_call, case, "JMSContext", lambda: context, only=selecting)
    expect.all_raise(api.InvalidSelectorRuntimeException, calls(message_selector=BAD), though_work=calls())


@asserts("3.8.1.1-101")
def test_a_browser_with_a_bad_selector_is_refused(case: Case) -> None:
    """Creating a browser with a malformed selector fails at once, not when it is used."""
    link = case.link(consumes=False)
    session = link.client.session
    expect.raises(
        case.thrown(api.InvalidSelectorException),
        lambda: session.create_browser(link.destination, BAD),
        what=f"create_browser() with the selector {BAD!r}",
        though_works=lambda: session.create_browser(link.destination, "n = 1").close(),
    )


@asserts("3.8.1.1-103", "8.2-8")
def test_a_receiver_with_a_bad_selector_is_refused(case: Case) -> None:
    """Creating a QueueReceiver with a malformed selector fails at once."""
    link = case.link(consumes=False)
    session = link.client.session
    expect.raises(
        api.InvalidSelectorException,
        lambda: session.create_receiver(link.destination, BAD),
        what=f"create_receiver() with the selector {BAD!r}",
        though_works=lambda: session.create_receiver(link.destination, "n = 1").close(),
    )


@asserts("3.8.1.1-104")
def test_what_is_outside_the_grammar_is_refused(case: Case) -> None:
    """Texts with something missing, something too much, or things in the wrong place are refused."""
    refused(case, STRUCTURAL, neighbour="(n = 1) AND NOT s IN ('a') OR n BETWEEN 1 AND 2 OR s LIKE 'a' OR s IS NULL")


@asserts("3.8.1.1-104", variant="spoilt")
def test_conditions_of_every_form_can_be_spoilt(case: Case) -> None:
    """Behind, before and around a condition of any form, text that does not belong there is refused."""
    texts = [way.format(condition) for condition in COMPLETE for way in SPOILT]
    neighbour = " OR ".join(f"({condition})" for condition in COMPLETE)
    refused(case, texts, neighbour=neighbour)


@asserts("3.8.1.1-105")
def test_operators_of_other_languages_are_refused(case: Case) -> None:
    """Operators, quotes and functions of SQL and Java that selectors do not have are refused."""
    refused(case, FOREIGN, neighbour="NOT (n = 1) AND s = 'a' OR n <> 1 AND flag = TRUE")


@asserts("3.8.1.1-105", variant="comments")
def test_comments_are_refused(case: Case) -> None:
    """Comments of SQL and Java are no part of a selector."""
    texts = (
        "n = 1 -- two words",
        "n = 1 /* note */",
        "/* note */ n = 1",
        "n = /* note */ 1",
        "n = 1 // note",
        "n = 1 --",
    )
    refused(case, texts, neighbour="n = - 1")


@asserts("3.8.1.1-106")
def test_meaning_may_be_checked(case: Case) -> None:
    """A selector whose types cannot fit is refused when presented, or chooses nothing: which one is recorded."""
    texts = ("1 = 'a'", "TRUE = 'a'")
    link = case.link(consumes=False)
    kept = {
        text: ""
        for text in texts
        if not expect.works_or(
            case.thrown(api.InvalidSelectorException),
            lambda text=text: link.client.consumer(link.destination, text).close(),  # type: ignore[misc]
        )
    }
    wanted = {"n = 1": "one", **kept}
    expect.equal("messages chosen", chosen(case, {"one": {"n": 1}}, wanted), wanted)
    expect.record("comparing literals of unlike types is accepted" if kept else "it is refused")


@asserts("3.8.1.1-102")
def test_a_subscription_with_a_bad_selector_is_refused(case: Case) -> None:
    """Creating a durable or plain subscription with a malformed selector fails at once and leaves no subscription."""
    client = case.client(client_id=case.name("c"))
    topic, name = case.topic(), case.name("s")
    client.durable(topic, name, "n = 1").close()
    client.session.unsubscribe(name)
    expect.raises(
        case.thrown(api.InvalidSelectorException),
        lambda: client.consumer(topic, BAD),
        what="a plain subscription with a malformed selector",
        though_works=lambda: client.consumer(topic, "n = 1").close(),
    )
    expect.raises(
        case.thrown(api.InvalidSelectorException),
        lambda: client.durable(topic, name, BAD),
        what="a durable subscription with a malformed selector",
    )
    expect.raises(
        case.thrown(api.InvalidDestinationException),
        lambda: client.session.unsubscribe(name),
        what="deleting the subscription that was refused",
    )
