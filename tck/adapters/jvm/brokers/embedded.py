"""A broker that is an object of a Java class: made, given its properties, started and stopped by the methods named."""

from __future__ import annotations

from typing import Any

from tck.adapters.jvm.brokers import Broker
from tck.api import Hook
from tck.profile.errors import AdapterError


class Embedded(Broker):
    """Any class with a method to start and one to stop."""

    keys = frozenset({"class", "arguments", "properties", "start", "stop", "url"})
    hooks = frozenset({Hook.RESTART})

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._broker: Any = None

    @property
    def placeholders(self) -> dict[str, str]:
        """Add the address."""
        values = super().placeholders
        return {**values, "url": str(self.settings.get("url", "")).format(**values)}

    def _filled(self, value: Any) -> Any:
        return value.format(**self.placeholders) if isinstance(value, str) else value

    def start(self) -> None:
        """Make the object and start it.

        Raises:
            AdapterError: The class, a property or the method does not match the profile.
        """
        name = str(self.settings.get("class"))
        kind = self.machine.type(name)
        try:
            self._broker = kind(*[self._filled(each) for each in self.settings.get("arguments", ())])
            for key, value in self.settings.get("properties", {}).items():
                getattr(self._broker, f"set{key[0].upper()}{key[1:]}")(self._filled(value))
            start = getattr(self._broker, self.settings.get("start", "start"))
        except (AttributeError, TypeError) as error:
            raise AdapterError(f"the broker's class {name} is not as the profile says: {error}") from error
        start()

    def stop(self) -> None:
        """Stop the object."""
        if self._broker is not None:
            getattr(self._broker, self.settings.get("stop", "stop"))()
            self._broker = None
