"""Faults in 11.3.1: the connections and contexts of XA connection factories, their credentials, and their lookup."""

from faults.kit import *


def _ordinary_after_close(patch, owner, name, ordinary):
    """Create an ordinary connection or context where a factory's last one has been closed."""
    last = {}

    def create(original, factory, *credentials):
        before = last.get(id(factory))
        if before is not None and before[0] is factory and before[1]():
            return ordinary(factory)
        made = original(factory, *credentials)
        last[id(factory)] = (factory, lambda: _is_closed(made))
        return made

    patch.around(owner, name, create)


def _is_closed(made):
    connection = getattr(made, "connection", made)
    return bool(connection.closed)


@saboteur(
    "11.3.1-1",
    "a factory creates an ordinary Connection once its last XAConnection is closed",
    by=lambda patch, made: _ordinary_after_close(patch, ReferenceXAConnectionFactory, "create_xa_connection", made),
)
def _(factory):
    return factory.connect(ReferenceConnection, OMITTED, OMITTED)


@saboteur(
    "11.3.1-2",
    "a factory creates an ordinary JMSContext once its last XAJMSContext is closed",
    by=lambda patch, made: _ordinary_after_close(patch, ReferenceXAConnectionFactory, "create_xa_context", made),
)
def _(factory):
    return ReferenceContext.on_new_connection(factory.connect(ReferenceConnection, OMITTED, OMITTED), OMITTED)


@saboteur("11.3.1-3", "a domain-specific factory creates an ordinary connection once its last XA connection is closed")
def _(patch):
    _ordinary_after_close(
        patch,
        ReferenceXAQueueConnectionFactory,
        "create_xa_queue_connection",
        lambda factory: factory.connect(ReferenceQueueConnection, OMITTED, OMITTED),
    )
    _ordinary_after_close(
        patch,
        ReferenceXATopicConnectionFactory,
        "create_xa_topic_connection",
        lambda factory: factory.connect(ReferenceTopicConnection, OMITTED, OMITTED),
    )


def _connects(patch, fault):
    """Run `fault` with the user and password before an XA connection is made."""

    def connect(original, factory, kind, user, password):
        if issubclass(kind, ReferenceXAConnection):
            fault(user, password)
        return original(factory, kind, user, password)

    patch.at(fault_points.CONNECTION_OPENED, connect)


@saboteur("11.3.1-4", "XA factories know the first user only")
def _(patch):
    users = []

    def fault(user, password):
        if user is not OMITTED:
            users.append(user)
            if user != users[0]:
                raise JMSSecurityException(f"{user} is not known here")

    _connects(patch, fault)


@saboteur("11.3.1-5", "XA factories refuse an empty password with a plain JMSException", by=_connects)
def _(user, password):
    if password == "":
        raise JMSException("no password")


@saboteur("11.3.1-6", "XA factories cannot be bound", around=(ReferenceProvider, "bind"))
def _(original, provider, name, obj):
    if isinstance(obj, ReferenceXAConnectionFactory):
        raise IllegalArgumentException(f"{obj!r} is no administered object")
    original(provider, name, obj)
