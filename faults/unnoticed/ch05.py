"""Faults of chapter 5 that no case notices yet."""

from dataclasses import replace

from faults.kit import *
from faults.kit.witnessing import *


def _two_names(provider):
    queue = provider.create_queue("red")
    provider.bind("one/name", queue)
    provider.bind("other/name", queue)
    with context_of(provider) as context:
        context.create_producer().send(provider.lookup("one/name"), "one")
        return texts_of(context.create_consumer(provider.lookup("other/name")))


@of_round(9)(
    "second-name-of-a-destination-leads-elsewhere",
    "a destination bound under two names: the object looked up by the second name leads to another place",
    "5.2-2",
    witness=_two_names,
    expected=["one"],
)
def _(patch):
    first_names = {}

    def bind_and_note(bind, self, name, obj):
        bind(self, name, obj)
        if isinstance(obj, ReferenceDestination):
            first_names.setdefault(obj, name)

    def look_up(lookup, self, name):
        found = lookup(self, name)
        if isinstance(found, ReferenceDestination) and first_names.get(found, name) != name:
            return type(found)(name)
        return found

    patch.around(Naming, "bind", bind_and_note)
    patch.around(Naming, "lookup", look_up)


def _id_after_failure(provider):
    factory = provider.administer("factory", client_id="red")
    with factory.create_context():
        refused = refusal(factory.create_context)
    with factory.create_context() as context:
        return refused, context.client_id


@of_round(9)(
    "factory-that-failed-forgets-its-client-id",
    "once a factory could not connect because its client identifier was in use, it makes connections without one",
    "5.3-1 6.1.2-1",
    witness=_id_after_failure,
    expected=("InvalidClientIDRuntimeException", "red"),
)
def _(patch):
    failed = {}  # factories by identity

    def connect(original, factory, *arguments):
        if id(factory) in failed:
            factory = type(factory)(factory._server, replace(factory.parameters, client_id=None))
        try:
            return original(factory, *arguments)
        except InvalidClientIDException:
            failed[id(factory)] = factory
            raise

    patch.at(fault_points.CONNECTION_OPENED, connect)
