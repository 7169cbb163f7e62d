"""Connection factories and destinations of the provider: by class and properties, by a recipe, or by JNDI."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tck.adapters.jvm.brokers import Broker
from tck.adapters.jvm.machine import Machine
from tck.adapters.jvm.recipe import Recipe
from tck.adapters.jvm.settings import JvmSettings, Place
from tck.api import UnsupportedOperationException
from tck.profile.errors import AdapterError

_KEYS: Final = {
    "ConnectionFactory": "class",
    "QueueConnectionFactory": "queue_class",
    "TopicConnectionFactory": "topic_class",
    "XAConnectionFactory": "xa_class",
    "XAQueueConnectionFactory": "xa_queue_class",
    "XATopicConnectionFactory": "xa_topic_class",
}
"""The key of ``[adapter.settings.factory]`` for each type of factory."""


def kind_by_action(name: str) -> str:
    """Return a type of the API for the name of it in an action, such as ``xa-queue-connection-factory``."""
    return "".join("XA" if word == "xa" else word.title() for word in name.split("-"))


class Factories:
    """Makes the administered objects that a profile describes."""

    def __init__(
        self,
        machine: Machine,
        types: Mapping[str, Any],
        settings: JvmSettings,
        place: Place,
        broker: Broker,
    ) -> None:
        self._machine = machine
        self._types = types
        self._settings = settings
        self._place = place
        self._broker = broker
        self._recipe = Recipe(machine, lambda: broker.placeholders, "factory")
        self._stepped = False
        self._made: dict[str, Any] = {}
        self._naming: Any = None

    def check(self) -> None:
        """Make the general factory, and check that the named classes exist.

        Raises:
            AdapterError: A class or a property of it does not match the profile.
        """
        classes = [value for key, value in self._settings.factory.items() if key.endswith("class")]
        named = (each for each in self._settings.destinations.values() if isinstance(each, str))
        for name in (*classes, *named):
            self._machine.type(name)
        try:
            self.factory("ConnectionFactory")
        except UnsupportedOperationException as error:
            raise self._place.error("factory", str(error)) from None

    def factory(self, kind: str) -> Any:
        """Return the factory of a type of the API, the same one for each class.

        Raises:
            UnsupportedOperationException: Neither the type's own class nor the general one makes such a factory.
            AdapterError: A class or a property of it does not match the profile.
        """
        wanted = self._types.get(kind)
        if self._settings.jndi:
            made = self._looked_up(kind)
        elif "object" in self._settings.factory:
            made = self._by_object(kind)
        else:
            name, key = self._class_of(kind)
            made = self._made.get(name)
            if made is None:
                made = self._made[name] = self._make(name, key)
        if wanted is None or not isinstance(made, wanted):
            raise UnsupportedOperationException(f"{made.getClass().getName()} is no {kind}")
        return made

    @property
    def parameters(self) -> Mapping[str, str]:
        """The names of the properties by which an administrator gives a factory ``client_id``, ``user_name`` and ``password``."""
        found: Mapping[str, str] = self._settings.factory.get("parameters", {})
        return found

    def configured(self, kind: str, parameters: Mapping[str, object]) -> Any:
        """Make a new factory of a type of the API with parameters of an administrator.

        Raises:
            UnsupportedOperationException: The profile does not say how, or no class makes such a factory.
        """
        unknown = sorted(set(parameters) - set(self.parameters))
        if unknown or "class" not in self._settings.factory:
            raise UnsupportedOperationException(f"the profile's factory.parameters do not name {', '.join(unknown)}")
        made = self._make(*self._class_of(kind))
        if kind not in self._types or not isinstance(made, self._types[kind]):
            raise UnsupportedOperationException(f"{made.getClass().getName()} is no {kind}")
        for name, value in parameters.items():
            self._set(made, self.parameters[name], value)
        return made

    def _class_of(self, kind: str) -> tuple[str, str]:
        """Return the class that makes a type of factory, and the key that names it."""
        table = self._settings.factory
        key = _KEYS[kind]
        for each in (key, "xa_class" if kind.startswith("XA") else "class"):
            if each in table:
                return str(table[each]), each
        raise UnsupportedOperationException(f"the profile names no {key} for a {kind}")

    def destination(self, kind: str, name: str) -> Any | None:
        """Return a destination by the class or JNDI name of the profile; None if it names none."""
        prefix = self._settings.jndi.get(kind)
        if prefix is not None:
            return self._naming_context().lookup(prefix.format(name=name))
        found = self._settings.destinations.get(kind)
        if found is None:
            return None
        if isinstance(found, str):
            return self._machine.type(found)(name)
        self._recipe.objects.update(self._broker.objects)
        return self._recipe.apart().run(found, f"destinations.{kind}", kind=kind, name=name)

    def _by_object(self, kind: str) -> Any:
        """Return an object that a recipe of the broker or of the factory named."""
        table = self._settings.factory
        key = _OBJECT_KEYS[kind]
        name = table.get(key) or table.get("xa_object" if kind.startswith("XA") else "object")
        if name is None:
            raise UnsupportedOperationException(f"the profile names no {key} for a {kind}")
        self._recipe.objects.update(self._broker.objects)  # those of a broker that was restarted are others
        if not self._stepped:
            try:
                self._recipe.run(table.get("steps", ()), "steps")
            except self._machine.jpype.JException as error:
                raise self._recipe.error(f"raised {error}") from error
            self._stepped = True
        if name not in self._recipe.objects:
            known = ", ".join(self._recipe.objects) or "none"
            raise self._place.error(f"factory.{key}", f"no step made an object {name}; there are {known}")
        return self._recipe.objects[name]

    # -- by class ------------------------------------------------------------------------------------------------

    def _make(self, name: str, key: str) -> Any:
        table = self._settings.factory
        where = f"factory.{key}"
        arguments = [self._filled(each) for each in table.get("arguments", ())]
        found = self._machine.type(name)
        try:
            made = found(*arguments)
        except TypeError as error:
            raise self._place.error(where, f"{name} has no constructor for {arguments}: {error}") from None
        except self._machine.jpype.JException as error:
            raise self._place.error(where, f"{name} cannot be made with {arguments}: {error}") from error
        for each, value in table.get("properties", {}).items():
            self._set(made, each, self._filled(value))
        return made

    def _set(self, made: Any, name: str, value: object) -> None:
        """Set a property by its setter, else by ``setProperty(name, value)``."""
        setter = f"set{name[0].upper()}{name[1:]}"
        try:
            if "." in name:  # a property of a getter's result
                outer, _, inner = name.partition(".")
                self._set(getattr(made, f"get{outer[0].upper()}{outer[1:]}")(), inner, value)
            elif hasattr(made, setter):
                getattr(made, setter)(self._java(value))
            else:
                made.setProperty(name, str(value).lower() if isinstance(value, bool) else str(value))
        except (AttributeError, TypeError) as error:
            kind = made.getClass().getName()
            raise self._place.error(f"factory.properties.{name}", f"{kind} does not take it: {error}") from None
        except self._machine.jpype.JException as error:
            raise self._place.error(f"factory.properties.{name}", f"refused: {error}") from error

    def _java(self, value: object) -> Any:
        if isinstance(value, list):
            return self._machine.type("java.util.ArrayList")(value)
        return value

    def _filled(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._filled(each) for each in value]
        try:
            return self._recipe.fill(value)
        except AdapterError as error:
            raise AdapterError(f"{self._place.file}: {error}") from None

    # -- by name -------------------------------------------------------------------------------------------------

    def _naming_context(self) -> Any:
        if self._naming is None:
            environment = self._machine.type("java.util.Hashtable")()
            for key, value in self._settings.jndi.get("environment", {}).items():
                environment.put(key, self._filled(value))
            try:
                self._naming = self._machine.type("javax.naming.InitialContext")(environment)
            except self._machine.jpype.JException as error:
                raise self._place.error("jndi.environment", f"there is no such naming context: {error}") from error
        return self._naming

    def _looked_up(self, kind: str) -> Any:
        table = self._settings.jndi
        name = table.get(_JNDI_KEYS[kind]) or table.get("factory")
        if name is None:
            raise UnsupportedOperationException(f"the profile names no {_JNDI_KEYS[kind]} for a {kind}")
        try:
            return self._naming_context().lookup(name)
        except self._machine.jpype.JException as error:
            raise AdapterError(f"{self._place.file}: nothing is bound as {name}: {error}") from error


_OBJECT_KEYS: Final = {
    kind: "object" if key == "class" else key.replace("class", "object") for kind, key in _KEYS.items()
}
_JNDI_KEYS: Final = {kind: key.replace("class", "factory") for kind, key in _KEYS.items()}
