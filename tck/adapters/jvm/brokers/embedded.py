"""A broker in this process that a profile describes without code: an object of a class, or a recipe of calls."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tck.adapters.jvm.brokers import Broker
from tck.adapters.jvm.recipe import Recipe, filled
from tck.api import Hook
from tck.profile.errors import AdapterError, ProviderUnreachable

BROKER: Final = "broker"
"""The name under which recipes find the object of ``class``."""


class Embedded(Broker):
    """Any broker that Java can start.

    Settings: ``class`` with ``arguments`` and ``properties`` (the object), ``start`` and ``stop`` (the names of its methods,
    or recipes), ``create`` and ``drop`` (recipes, or tables of recipes for ``queue`` and ``topic``, with ``{name}`` and
    ``{kind}``), ``files`` (a table of paths and their content or, as ``{ template = "FILE" }``, a file beside the profile),
    ``system`` (system properties), ``url``.
    """

    keys = frozenset({"class", "arguments", "properties", "start", "stop", "create", "drop", "files", "system", "url"})
    hooks = frozenset({Hook.RESTART})

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._recipe = Recipe(self.machine, lambda: self.placeholders, "broker")

    @property
    def placeholders(self) -> dict[str, str]:
        """Add the port and the address."""
        values = {**super().placeholders, "port": str(self.free_port)}
        return {**values, "url": filled(str(self.settings.get("url", "")), values, known_only=True)}

    @property
    def objects(self) -> Mapping[str, Any]:
        """Return the objects that the recipes have named."""
        return self._recipe.objects

    def start(self) -> None:
        """Write the files, set the system properties, make the object and start it.

        Raises:
            AdapterError: The class, a property, a method or a step does not match the profile.
            ProviderUnreachable: A call raised an exception; the step is named.
        """
        self._write_files()
        self._recipe.at = "broker"
        system = self.machine.type("java.lang.System")
        for key, value in self.settings.get("system", {}).items():
            system.setProperty(key, str(self._recipe.fill(str(value))))
        try:
            if "class" in self.settings:
                made = {key: self.settings[key] for key in ("arguments", "properties") if key in self.settings}
                self._recipe.run([{"new": self.settings["class"], "as": BROKER, **made}], "class")
            self._do("start", "start")
        except self.machine.jpype.JException as error:
            raise ProviderUnreachable(f"the broker does not start: {self._recipe.at} raised {error}") from error

    def stop(self) -> None:
        """Stop the broker."""
        if self._recipe.objects:
            try:
                self._do("stop", "stop")
            finally:
                self._recipe.objects.clear()

    def _do(self, key: str, default: str) -> None:
        """Run a recipe, or call the method of the object that the setting names."""
        steps = self.settings.get(key, default if "class" in self.settings else ())
        if isinstance(steps, str):
            steps = [{"call": steps, "on": BROKER}]
        self._recipe.run(steps, key)

    def create(self, kind: str, name: str) -> None:
        """Create a destination by its recipe, if there is one."""
        self._administer("create", kind, name)

    def drop(self, kind: str, name: str) -> None:
        """Remove a destination by its recipe, if there is one."""
        self._administer("drop", kind, name)

    def _administer(self, key: str, kind: str, name: str) -> None:
        steps = self.settings.get(key, ())
        if isinstance(steps, Mapping):
            steps = steps.get(kind, ())
        self._recipe.apart().run(steps, key, kind=kind, name=name)

    def _write_files(self) -> None:
        for name, content in self.settings.get("files", {}).items():
            file = self.work_dir / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(filled(self._template(name, content), self.placeholders, known_only=True), encoding="utf-8")

    def _template(self, name: str, content: Any) -> str:
        if isinstance(content, str):
            return content
        if not isinstance(content, Mapping) or set(content) != {"template"}:
            raise AdapterError(f'adapter.settings.broker.files."{name}": expected text, or {{ template = "FILE" }}')
        template = Path(self.surroundings.get("profile", ".")) / str(content["template"])
        try:
            return template.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise AdapterError(f'adapter.settings.broker.files."{name}": {template} cannot be read: {error}') from None
