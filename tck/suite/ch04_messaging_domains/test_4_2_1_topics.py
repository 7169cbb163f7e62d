"""4.2.1, 4.2.3, 4.2.6, 4.2.9 Publish/subscribe messaging: topics, publishers and subscribers."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.gathering import numbered, shared_out
from tck.suite.support.subscriptions import kinds, publish, publisher, subscription
from tck.suite.support.temporaries import name_of


@asserts("4.2.1-1")
def test_topics_behave_alike_in_every_interface(case: Case) -> None:
    """NoLocal leaves out what the own connection publishes, and nothing else, in every interface."""
    watched = subscription(case, "unshared", no_local=True)
    link = watched.open()
    other = publisher(case, watched.topic)
    other.send("from another connection")
    link.send("from the own connection")
    other.send("from another connection again")
    expect.arrives(link, ["from another connection", "from another connection again"])


@asserts("4.2.1-2")
def test_publishers_and_subscribers_do_not_depend_on_each_other(case: Case) -> None:
    """Publishing needs no subscriber and subscribing no publisher, and either may come and go meanwhile."""
    first = case.link(consumes=False)
    expect.works("publishing without a subscriber", lambda: first.send("to nobody"))
    link = expect.works("subscribing", lambda: case.link(destination=first.destination))
    first.send("one")
    first.client.close()
    joining = case.link(destination=link.destination)
    second = case.link(destination=link.destination, consumes=False)
    second.send("two")
    joining.client.close()
    second.send("three")
    expect.arrives(link, ["one", "two", "three"])


@asserts("4.2.1-3")
def test_a_topic_distributes_what_all_publishers_send(case: Case) -> None:
    """Each of four subscribers gets what three publishers on three connections send."""
    topic = case.topic()
    links = [case.link(destination=topic) for _ in range(4)]
    for number in (1, 2, 3):
        publish(publisher(case, topic), [f"publisher {number} message {count}" for count in (1, 2)])
    wanted = [f"publisher {number} message {count}" for number in (1, 2, 3) for count in (1, 2)]
    for link in links:
        expect.arrives(link, wanted, ordered=False)
    expect.trace("right-destination", "nondurable-complete-while-open")


@asserts("4.2.3-3")
def test_nothing_is_lost_once_the_subscriber_is_established(case: Case) -> None:
    """After a first message has come every later one comes, though other subscribers join meanwhile."""
    link = case.link()
    sender = case.link(destination=link.destination, consumes=False)
    sender.send("probe")
    link.receive()
    publish(sender, numbered(30))
    case.link(destination=link.destination)
    publish(sender, numbered(60)[30:])
    expect.arrives(link, numbered(60))


@asserts("4.2.6-1")
def test_a_topic_object_wraps_a_name(case: Case) -> None:
    """A Topic has a name, the same at every look, and stands for the topic in calls."""
    link = case.link()
    name = expect.present("the topic's name", name_of(link.destination))
    expect.equal("the name of a Topic made of the name", name_of(link.client.session.create_topic(name)), name)
    expect.equal("the topic's name at a second look", name_of(link.destination), name)
    link.send("x")
    received = expect.present("JMSDestination at the receiver", link.receive().jms_destination)
    expect.equal("the topic's name in JMSDestination", name_of(received), name)


@asserts("4.2.6-2")
def test_topic_objects_of_one_name_are_one_topic(case: Case) -> None:
    """What is published through one object is received through another of the same name."""
    administered = case.link()
    client = case.client()
    made = client.session.create_topic(name_of(administered.destination))
    case.link(destination=made, client=client, consumes=False).send("x")
    expect.arrives(administered, ["x"])
    expect.equal("the object made of the name", made, administered.destination)


@asserts("4.2.9-1")
def test_clients_register_by_creating_objects(case: Case) -> None:
    """A publisher and a subscriber of a topic work as soon as they are created."""
    topic = case.topic()
    link = expect.works("a subscriber of a new topic", lambda: case.link(destination=topic))
    sender = expect.works("a publisher of it", lambda: publisher(case, topic))
    sender.send("x")
    expect.arrives(link, ["x"])


@asserts("4.2.9-2")
def test_durable_subscriptions_are_created_by_clients(case: Case) -> None:
    """A client creates a durable subscription, and a shared one, by a name that nobody has prepared."""
    for kind in kinds(case)[1::2]:
        made = subscription(case, kind)
        link = expect.works(f"creating a {kind} subscription", made.open)
        publisher(case, made.topic).send("x")
        expect.arrives(link, ["x"])


@asserts("4.2.9-3")
def test_durable_subscriptions_are_deleted_by_clients(case: Case) -> None:
    """unsubscribe() deletes a durable subscription, and one of the same name made later starts empty."""
    made = subscription(case, "durable")
    link = made.open()
    sender = publisher(case, made.topic)
    sender.send("before")
    link.receive()
    sender.send("left behind")
    link.client.close()
    expect.works("unsubscribe()", made.unsubscribe)
    again = made.open()
    expect.nothing_before(again, "marker", lambda: sender.send("marker"))


@asserts("4.2.2-31")
def test_subscribers_of_one_session_share(case: Case) -> None:
    """Of two subscribers of one session that want a message only one gets it, with overlapping selectors too."""
    client = case.client()
    for selectors in ((None, None), ("n > 0", "n < 9")):
        topic = case.topic()
        links = [case.link(client=client, destination=topic, selector=selector) for selector in selectors]
        for text in numbered(6):
            message = links[0].text(text)
            message.set_int_property("n", int(text))
            links[0].send(message)
        shares = shared_out(links, 6)
        expect.equal("what the two got together", sorted(str(one) for share in shares for one in share), numbered(6))
