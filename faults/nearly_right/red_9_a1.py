"""Red round 9, first part: faults in administered objects and connections, written without sight of the suite."""

from dataclasses import replace

from faults.kit import *


@of_round(9)(
    "credentials-drop-the-configured-client-id",
    "a connection made with user name and password does not get the client identifier configured in its factory",
    "5.3-1",
    "6.1.2-1",
    at=fault_points.CONNECTION_OPENED,
)
def _(original, factory, kind, user_name, password):
    if user_name is not OMITTED and factory.parameters.client_id is not None:
        factory = type(factory)(factory._server, replace(factory.parameters, client_id=None))
    return original(factory, kind, user_name, password)


@of_round(9)(
    "siblings-inherit-auto-start-off",
    "a context made from one whose auto-start is off has it off as well",
    "6.1.4-15",
    "6.1.4-10",
    "8.4-11",
)
def _inherited(patch):
    create = ReferenceContext.create_context

    def create_context(self, session_mode):
        made = create(self, session_mode)
        made._auto_start = self._auto_start
        return made

    patch.replace(ReferenceContext, "create_context", create_context)


@of_round(9)(
    "transaction-is-sent-producer-by-producer",
    "commit sends all messages of one producer, then those of the next, in whatever order the session sent them",
    "6.2.9.2-10",
    "6.2.9.1-2",
    "6.2.9.1-3",
)
def _by_producer(patch):
    senders = {}  # by identity of the message

    def prepare(original, producer, *arguments):
        physical, entry = original(producer, *arguments)
        senders[id(entry)] = entry, producer
        return physical, entry

    def commit(session):
        sends = session.state.work.sends
        order = [id(senders[id(entry)][1]) for _, entry in sends if id(entry) in senders]
        if len(order) == len(sends):
            sends.sort(key=lambda one: order.index(id(senders[id(one[1])][1])))

    patch.at(fault_points.SEND_PREPARED, prepare)
    before_commit(patch, commit)
