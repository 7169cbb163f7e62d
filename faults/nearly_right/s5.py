"""Narrow faults of chapter 5."""

from dataclasses import replace

from faults.kit import *
from faults.nearly_right.shared import *


@nearly_right(
    "names-by-their-last-part",
    "names of the naming service are one if they end in the same part",
    "5.1-3",
    around=(ReferenceProvider, "bind", "lookup"),
)
def _(original, provider, name, *obj):
    return original(provider, name.rpartition("/")[2], *obj)


@of_round(11)(
    "new-binding-of-a-name-moves-its-aliases",
    "binding a name anew binds the other names of its former object to the new object too",
    "5.1-3 5.1-2",
)
def _(patch):
    bound = {}

    def bind(original, naming, name, obj):
        former = bound.get(name)
        for alias in [name, *(other for other, known in bound.items() if former is not None and known == former)]:
            original(naming, alias, obj)
            bound[alias] = obj

    patch.around(Naming, "bind", bind)


@of_round(6)(
    "bindings-collide-on-last-name-component",
    "objects bound in two places of the namespace under names with the same last component share one binding",
    "5.1-3",
    around=(Naming, "bind", "lookup"),
)
def _(original, naming, name, *bound):
    return original(naming, name.rsplit("/", 1)[-1], *bound)


@of_round(11)(
    "queue-object-dies-with-its-connection",
    "a Queue object made by a session leads nowhere on other connections once the connection of that session is closed",
    "5.2-2 4.1.4-2 6.2.3-1",
)
def _(patch):
    makers = Notes()

    def create_queue(original, session, name):
        made = original(session, name)
        makers.put(made, session.connection)  # sessions have no other connections
        return made

    def physical_destination(original, broker, destination):
        maker = makers.get(destination)
        if maker is not None and maker.closed:
            raise InvalidDestinationException(f"{destination} belongs to a closed connection")
        return original(broker, destination)

    patch.around(SessionFactories, "create_queue", create_queue)
    patch.around(Broker, "physical_destination", physical_destination)


@of_round(11)(
    "credentials-of-one-call-stay-in-the-factory",
    "a factory with a configured user connects without credentials as the user that an earlier call gave",
    "5.3-1 6.1.1-2",
)
def _(patch):
    given = Notes()

    def connect(original, factory, kind, user, password):
        if user is not OMITTED:
            connection = original(factory, kind, user, password)
            given.put(factory, (user, password))
            return connection
        kept = given.get(factory) if factory.parameters.user_name is not None else None
        return original(factory, kind, *(kept or (user, password)))

    patch.at(fault_points.CONNECTION_OPENED, connect)


@of_round(9)(
    "credentials-drop-the-configured-client-id",
    "a connection made with user name and password does not get the client identifier configured in its factory",
    "5.3-1 6.1.2-1",
    at=fault_points.CONNECTION_OPENED,
)
@of_round(6)(
    "configured-client-id-lost-with-credentials",
    "a connection made with a user name and password lacks the client identifier configured in its factory",
    "5.3-1 6.1.2-1 6.1.2-4",
    at=fault_points.CONNECTION_OPENED,
)
@of_round(14)(
    "fourteen-b-own-user-no-identifier",
    "A factory's configured client identifier is not applied for a client that gives its own user name.",
    "5.3-1 6.1.2-1",
    at=fault_points.CONNECTION_OPENED,
)
def _(original, factory, kind, user, password):
    if user is not OMITTED and factory.parameters.client_id is not None:
        factory = type(factory)(factory._server, replace(factory.parameters, client_id=None))
    return original(factory, kind, user, password)


@of_round(7)(
    "looked-up-topic-factory-has-no-client-id",
    "a TopicConnectionFactory that was looked up in the namespace makes connections without the client identifier"
    " configured in it",
    "5.3-1 5.1-14 6.1.2-1",
    around=(Naming, "lookup"),
)
def _(original, self, name):
    found = original(self, name)
    if isinstance(found, ReferenceTopicConnectionFactory):
        found.parameters = replace(found.parameters, client_id=None)
    return found
