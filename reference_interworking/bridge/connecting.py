"""The connection factory that a destination names, and how a bridge learns that its connection is broken."""

from __future__ import annotations

from collections.abc import Callable

from tck import api as jms
from tck.interworking.bridge import JMSDestination


def connection_factory(provider: jms.Provider, place: JMSDestination) -> jms.ConnectionFactory:
    """Return the factory that a destination names, or the provider's default one.

    Raises:
        LookupError: No factory has the name.
    """
    if not place.factory_name:
        return provider.connection_factory()
    try:
        found = provider.lookup(place.factory_name)
    except (jms.JMSException, jms.JavaException, LookupError) as error:
        raise LookupError(f"no connection factory is called {place.factory_name}: {error}") from error
    if not isinstance(found, jms.ConnectionFactory):
        raise LookupError(f"{place.factory_name} is no connection factory")  # noqa: TRY004 - the name is wrong
    return found


class Trouble(jms.ExceptionListener):
    """Tells the bridge that its connection is broken."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell

    def on_exception(self, exception: jms.JMSException) -> None:  # noqa: ARG002 - which one does not matter
        """Tell it."""
        self._tell()
