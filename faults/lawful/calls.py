"""Lawful in how calls end: exceptions of the provider's own, names it refuses, browsers, closing."""

import importlib
import pkgutil

from faults.kit import *

_OWN = {}


def own_kind(kind):
    """Derive a type of the provider's own from a standard one."""
    return _OWN.setdefault(kind, type(f"Reference{kind.__name__}", (kind,), {}))


def _own_exceptions(patch, *, checked):
    def derived(original, *arguments, **named):
        try:
            return original(*arguments, **named)
        except (JMSException, JMSRuntimeException) as error:
            if not type(error).__name__.startswith("Reference"):
                error.__class__ = own_kind(type(error))
            raise

    def as_runtime(original, error):
        if type(error).__name__.startswith("Reference"):
            error.__class__ = type(error).__mro__[1]
        translated = original(error)
        translated.__class__ = own_kind(type(translated))
        return translated

    patch.at(fault_points.EXCEPTION_TRANSLATED, as_runtime)
    if not checked:
        return
    for point in _RAISING:
        patch.at(point, derived)
    _of_messages(patch)


def _of_messages(patch):
    """Let messages raise types of the provider's own."""
    for found in pkgutil.iter_modules(messages.__path__, f"{messages.__name__}."):
        module = importlib.import_module(found.name)
        if module is snapshots:  # it catches what messages of another implementation raise
            continue
        for name, kind in list(vars(module).items()):
            if isinstance(kind, type) and issubclass(kind, JMSException) and kind.__module__ == JMSException.__module__:
                patch.replace(module, name, own_kind(kind))


_RAISING = (
    fault_points.SEND_PREPARED,
    fault_points.SESSION_CHECKED,
    fault_points.CONNECTION_CHECKED,
    fault_points.CONNECTION_OPENED,
    fault_points.SESSION_MODE_CHOSEN,
    fault_points.SUBSCRIPTION_NAMED,
    fault_points.SUBSCRIPTION_OPENED,
    fault_points.SUBSCRIPTION_STORED,
    fault_points.SUBSCRIPTION_DELETED,
    fault_points.SELECTOR_COMPILED,
    fault_points.TEMPORARY_CHECKED,
    fault_points.TEMPORARY_DELETED,
    fault_points.COMMIT,
)
lawful(
    "own-exceptions",
    "exceptions are of types that the provider derives from the standard ones",
    "10.2-8",
    "10.3-5",
    circumstance=lambda patch: _own_exceptions(patch, checked=False),
    install=lambda patch: _own_exceptions(patch, checked=True),
)


@lawful(
    "plain-subscription-names",
    "a subscription name has at most 128 characters, all of the portable ones",
    "4.2.4-6",
    "4.2.4-9",
    at=fault_points.SUBSCRIPTION_NAMED,
)
def _(original, name):
    if name is not None and (len(name) > 128 or not all(each.isalnum() or each in "_.-" for each in name)):
        raise JMSException(f"no subscription can be called {name[:40]!r}")
    return original(name)


@lawful("scan-sees-changes", "an enumeration leaves out what was taken since it was made", "4.1.6-7")
def _(patch):
    def following(scan):
        browser, seen = scan._browser, scan._seen  # no fault point stands here
        browser.check_open()
        session = browser.session
        for one in seen:
            with session.broker.lock:
                there = one.source.level(one.entry.priority).is_free(one.entry.number)
            if there and not session.broker.is_expired(one.entry):
                return session.message_of(one)
        raise StopIteration

    patch.replace(BrowsedMessages, "__next__", following)


@lawful(
    "second-client-refused-otherwise",
    "a client whose configured identifier is in use is refused for want of resources",
    "6.1.2-12",
    at=fault_points.CONNECTION_OPENED,
)
def _(original, factory, *arguments, **named):
    try:
        return original(factory, *arguments, **named)
    except InvalidClientIDException as error:
        raise ResourceAllocationException(str(error)) from error


@lawful(
    "late-identifier-taken-with-sessions",
    "an identifier is taken and used although the connection has a session",
    "6.1.2-6",
)
def _(patch):
    def check_client_id_settable(connection):
        if connection.client_id is not None:
            original(connection)

    original = ReferenceConnection.check_client_id_settable
    patch.replace(ReferenceConnection, "check_client_id_settable", check_client_id_settable)


@lawful(
    "session-close-does-not-wait",
    "close() of a session waits a moment only for a running listener, and is done when that ends",
    "6.2.15-5",
)
def _(patch):
    """A context waits, since its connection may close with it (6.1.8-7)."""
    original = ReferenceSession.close
    of_a_context = within_method(patch, ReferenceContext, "close")

    def close(session):
        session.check_may_close()
        if session.dispatcher is None or session.closed or of_a_context:
            original(session)
            return
        done = session.broker.clock.event()

        def close_in_the_end():
            original(session)
            done.set()

        session.broker.clock.spawn(close_in_the_end, "lawful-close")
        done.wait(20)

    patch.replace(ReferenceSession, "close", close)
