"""How a Java program starts the broker and makes the factories of a profile.

Takes the profile's settings as plain values; knows no profile and no adapter. A driver of the kit has its template beside the
program's; for another one the program cannot start a broker.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from jinja2 import TemplateNotFound

from tck.reports.reproduce.java.recipes import result, statements
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
_TYPES: Final[Mapping[str, str]] = {key: each[0].upper() + each[1:] for key, each in _METHODS.items()}
_EMBEDDED: Final = "embedded"
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
        destinations: The class of destinations or the recipe that makes one, by kind.
        folder: Where the profile is.
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
    destinations: Mapping[str, Any]
    jndi: bool = False
    folder: Path = Path()

    @property
    def classes(self) -> Mapping[str, str]:
        """The classes whose constructor is all that makes a destination, by kind."""
        named = {kind: each for kind, each in self.destinations.items() if isinstance(each, str)}
        return {} if self.broker_settings.get("create") else named

    def broker(self, factories: Sequence[str], kinds: Sequence[str]) -> str:
        """Write the methods `start`, those of the factories in use, and those of destinations that are more than a constructor.

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
        methods = [self._factory(each, url) for each in factories] + [self._destination(each) for each in kinds]
        if self._recipes(kinds):
            words = {"url": url, "number": "0", "release": "", "profile": str(self.folder.resolve())}
            system += "".join(f"        words.put({text(word)}, {text(value)});\n" for word, value in words.items())
            methods.append(render("recipes.java.j2").rstrip("\n"))
        return "\n\n".join([start.replace("        // SYSTEM\n", system).rstrip("\n"), *methods])

    def _recipes(self, kinds: Sequence[str]) -> bool:
        own = [each for each in kinds if not isinstance(self.destinations.get(each, ""), str)]
        return self.driver == _EMBEDDED or "object" in self.factory or bool(own)

    def _destination(self, kind: str) -> str:
        """Write the method that makes a destination as the adapter does: create it, then by class, recipe or session."""
        type_, made = kind.title(), self.destinations.get(kind)
        create = self.broker_settings.get("create", ()) if self.driver == _EMBEDDED else ()
        create = create.get(kind, ()) if isinstance(create, Mapping) else create
        lines = statements(create)
        if lines or (made and not isinstance(made, str)):
            lines = [f'words.put("kind", {text(kind)});', 'words.put("name", name);', *lines]
        if made is None:
            lines += [
                "Connection connection = connectionFactory().createConnection();",
                "try {",
                f"    return connection.createSession(false, Session.AUTO_ACKNOWLEDGE).create{type_}(name);",
                "} finally {",
                "    connection.close();",
                "}",
            ]
        elif isinstance(made, str):
            lines.append(f"return new {made}(name);")
        else:
            lines += [*result(made), f"return ({type_}) made;"]
        return _method(f"synchronized {type_}", f"{kind}(String name)", lines)

    def _start(self) -> tuple[str, str]:
        module = f"{self.driver}.java.j2"
        url = render(f"url_{module}", settings=self.broker_settings).strip()
        return url, render(
            f"start_{module}", settings=self.broker_settings, setters=_setters, quoted=text, steps=self._steps()
        )

    def _steps(self) -> list[str]:
        """Write what starts an embedded broker."""
        settings = self.broker_settings
        lines: list[str] = []
        if "class" in settings:
            made = {key: settings[key] for key in ("arguments", "properties") if key in settings}
            lines += statements([{"new": settings["class"], "as": "broker", **made}])
        start = settings.get("start", "start" if "class" in settings else ())
        return lines + statements([{"call": start, "on": "broker"}] if isinstance(start, str) else start)

    def _factory(self, kind: str, url: str) -> str:
        if "object" in self.factory:
            name = self.factory.get(_CLASSES[kind].replace("class", "object"), self.factory["object"])
            first = [f"if (!kept.containsKey({text(name)})) {{", *statements(self.factory.get("steps", ())), "}"]
            return _method(_TYPES[kind], f"{_METHODS[kind]}()", [*first, f"return ({_TYPES[kind]}) on({text(name)});"])
        name = self.factory.get(_CLASSES[kind]) or self.factory.get("class")
        if name is None:
            raise CannotReproduce(f"profile {self.profile} names no {_CLASSES[kind]}")
        if self.driver == _EMBEDDED:
            given = {key: self.factory[key] for key in ("arguments", "properties") if key in self.factory}
            lines = result([{"new": name, **given}])
            return _method(_TYPES[kind], f"{_METHODS[kind]}()", [*lines, f"return ({_TYPES[kind]}) made;"])
        arguments = ", ".join(
            _java(each.format(url=url, number="0", work="", port="")) for each in self.factory.get("arguments", ())
        )
        setters = (_setter("made", key, value, url) for key, value in self.factory.get("properties", {}).items())
        return _method(
            name, f"{_METHODS[kind]}()", [f"{name} made = new {name}({arguments});", *setters, "return made;"]
        )


def _method(type_: str, head: str, lines: Sequence[str]) -> str:
    return "\n".join(
        [f"    static {type_} {head} throws Exception {{", *(f"        {each}" for each in lines), "    }"]
    )


def _setters(variable: str, settings: Mapping[str, Any]) -> str:
    return "\n".join(f"        {variable}.set{_title(key)}({_java(value)});" for key, value in settings.items())


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
