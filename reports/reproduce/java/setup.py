"""How a Java program starts the broker and makes the factories of a profile.

Takes the profile's settings as plain values; knows no profile and no adapter. A driver of the kit has its template beside the
program's; for another one the program cannot start a broker.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from jinja2 import TemplateNotFound

from tck.reports.reproduce.java.values import text
from tck.reports.reproduce.limits import CannotReproduce
from tck.reports.reproduce.templating import render

_PREFIX: Final = "-D"
_CLASSES: Final[Mapping[str, str]] = {
    "connection_factory": "class",
    "queue_connection_factory": "queue_class",
    "topic_connection_factory": "topic_class",
}
_METHODS: Final[Mapping[str, str]] = {
    "connection_factory": "connectionFactory",
    "queue_connection_factory": "queueConnectionFactory",
    "topic_connection_factory": "topicConnectionFactory",
}
_WHY: Final[Mapping[str, str]] = {
    "process": "its broker runs in a process of its own, which a command of the kit starts; use the profile of the embedded broker",
}


@dataclass(frozen=True, slots=True)
class JavaSetup:
    """A profile of a Java provider.

    Attributes:
        profile: Its name.
        namespace: `jakarta` or `javax`.
        java: The oldest Java.
        dependencies: The coordinates of the jars.
        options: Options of the JVM.
        driver: The name of the driver that starts the broker.
        broker_settings: The driver's settings.
        factory: Classes, arguments and properties of the factories.
        destinations: The classes of destinations by kind.
        jndi: Whether objects are looked up.
    """

    profile: str
    namespace: str
    java: int
    dependencies: Sequence[str]
    options: Sequence[str]
    driver: str
    broker_settings: Mapping[str, Any]
    factory: Mapping[str, Any]
    destinations: Mapping[str, str]
    jndi: bool = False

    def broker(self, factories: Sequence[str]) -> str:
        """Write the methods `start` and those of the factories in use.

        Raises:
            CannotReproduce: No program can start this broker.
        """
        if self.jndi:
            raise CannotReproduce(
                f"profile {self.profile} looks its factories up by JNDI, where only the kit binds them"
            )
        try:
            url, start = self._start()
        except TemplateNotFound as error:
            why = _WHY.get(self.driver, f'the driver "{self.driver}" has no form in Java')
            raise CannotReproduce(f"profile {self.profile}: {why}") from error
        properties = [
            option.removeprefix(_PREFIX).partition("=") for option in self.options if option.startswith(_PREFIX)
        ]
        system = "".join(f"        System.setProperty({text(name)}, {text(value)});\n" for name, _, value in properties)
        methods = [self._factory(each, url) for each in factories]
        return "\n\n".join([start.replace("        // SYSTEM\n", system).rstrip("\n"), *methods])

    def _start(self) -> tuple[str, str]:
        module = f"{self.driver}.java.j2"
        url = render(f"url_{module}", settings=self.broker_settings).strip()
        return url, render(f"start_{module}", settings=self.broker_settings, setters=_setters)

    def _factory(self, kind: str, url: str) -> str:
        name = self.factory.get(_CLASSES[kind]) or self.factory.get("class")
        if name is None:
            raise CannotReproduce(f"profile {self.profile} names no {_CLASSES[kind]}")
        arguments = ", ".join(
            _java(each.format(url=url, number="0", work="", port="")) for each in self.factory.get("arguments", ())
        )
        lines = [
            f"    static {name} {_METHODS[kind]}() throws Exception {{",
            f"        {name} made = new {name}({arguments});",
            *(
                f"        {_setter('made', key, value, url)}"
                for key, value in self.factory.get("properties", {}).items()
            ),
            "        return made;",
            "    }",
        ]
        return "\n".join(lines)


def _setters(variable: str, settings: Mapping[str, Any]) -> str:
    return "\n".join(f"        {variable}.set{key}({_java(value)});" for key, value in settings.items())


def _setter(variable: str, key: str, value: object, url: str) -> str:
    outer, dot, inner = key.partition(".")
    if dot and outer[0].islower() and not key.startswith("imq"):
        return f"{variable}.get{_title(outer)}().set{_title(inner)}({_java(value, url)});"
    if key.startswith("imq"):
        return f"{variable}.setProperty({text(key)}, {text(str(value).format(url=url) if isinstance(value, str) else str(value).lower())});"
    return f"{variable}.set{_title(key)}({_java(value, url)});"


def _title(name: str) -> str:
    return f"{name[0].upper()}{name[1:]}"


def _java(value: object, url: str = "") -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, list):
        return f"java.util.Arrays.asList({', '.join(_java(each) for each in value)})"
    return text(str(value).replace("{url}", url))
