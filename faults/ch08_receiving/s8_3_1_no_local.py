"""Faults in 8.3.1: noLocal of unshared non-durable subscriptions."""

from faults.kit import *


def _local_otherwise(patch, heard):
    """Let an unshared subscription with noLocal get a message of its connection where `heard` holds, for its session."""
    senders = {}

    def submit(original, session, physical, entry):
        senders[id(entry)] = (entry, session)
        original(session, physical, entry)

    def wants(original, found, entry):
        if original(found, entry):
            return True
        local = found.no_local is not None and found.session is not None and not found.is_foreign(entry)
        matching = found.matches is None or found.matches(entry)
        _, session = senders.get(id(entry), (None, None))
        return local and matching and heard(found, entry, session)

    patch.at(fault_points.SEND_SUBMITTED, submit)
    patch.at(fault_points.SUBSCRIPTION_MATCHED, wants)


saboteur(
    "8.3.1-13",
    "noLocal lets messages of its own session through",
    lambda patch: _local_otherwise(patch, lambda found, _entry, session: session is found.session),
)


@saboteur("8.3.1-14", "noLocal lets messages of other sessions of its connection through", by=_local_otherwise)
def _(found, _entry, session):
    return session is not None and session is not found.session


def _left_out(patch, applies):
    """Let noLocal leave out some messages, whoever sent them."""

    def wants(original, found, entry):
        strict = found.no_local is not None and found.session is not None
        return original(found, entry) and not (strict and applies(entry))

    patch.at(fault_points.SUBSCRIPTION_MATCHED, wants)


saboteur(
    "8.3.1-15",
    "noLocal leaves out the messages of all connections",
    lambda patch: _left_out(patch, lambda _entry: True),
    collateral={
        **dict.fromkeys(("8.3.1-1", "8.3.1-2", "8.3.1-3", "8.3.1-4"), "one of its overloads has noLocal"),
        **dict.fromkeys(("8.3.1-13", "8.3.1-14"), "a message of another connection shows that its consumer receives"),
    },
)
nearly_right(
    "no-local-leaves-out-all-clients-with-an-identifier",
    "noLocal leaves out the messages of all connections with a client identifier",
    "8.3.1-15",
    install=lambda patch: _left_out(patch, lambda entry: not str(entry.sender).startswith("connection-")),
)


@saboteur(
    "8.3.1-16",
    "a selector without noLocal leaves out the messages of the own connection",
    at=fault_points.PLAIN_CONSUMER_OPENED,
)
def _(original, session, destination, selector, no_local):
    if selector and selector is not OMITTED and no_local is OMITTED:
        no_local = True
    return original(session, destination, selector, no_local)
