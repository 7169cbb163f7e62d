"""Random messages, producers' settings and values for programs. Imports the value tables and `selectors`."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from tck.explore.making import selectors
from tck.programs.program import Json
from tck.programs.state.objects import FOREVER, VAST
from tck.programs.values import (
    BODY_TYPES,
    CORRELATIONS,
    ENTRY_NAMES,
    OBJECTS,
    PROPERTY_NAMES,
    PROPERTY_TYPES,
    SIZED,
    TABLES,
    TYPES,
    Typed,
)

KINDS: Final = ("text", "text", "text", "bytes", "map", "stream", "object", "message")
MANY: Final = 45
"""So many properties, entries or items a message has now and then."""
NATIVE_BYTES: Final = ("007f80ff", "00", "61ff00" * 8)
"""Correlation identifiers in bytes."""


SIZED_SHARE: Final = 0.12
"""The share of texts that are drawn by their size."""
EQUAL: Final = 0.12
"""The share of messages that have a key of an earlier one."""
SIZES: Final = (100 * 1024, 1024 * 1024)
"""Lengths of large bodies, characters: providers store and send those in other ways."""


class Contents:
    """Draws what messages hold."""

    def __init__(self, random: Random, features: tuple[str, ...]) -> None:
        self.random = random
        self.features = features
        self.serial = 0
        self.kinds: Sequence[str] = KINDS
        self._earlier: dict[str, list[Json]] = {}
        self.sent: Sequence[str] = ()
        """Messages that were sent, by whose identifiers later ones are correlated."""
        self.property_types: Sequence[str] = PROPERTY_TYPES
        self.body_types: Sequence[str] = BODY_TYPES

    def narrow(self) -> None:
        """Drop each kind of message and each type of value with probability one half; one at least stays."""
        self.kinds = self._half(tuple(dict.fromkeys(KINDS)))
        self.property_types = self._half(PROPERTY_TYPES)
        self.body_types = self._half(BODY_TYPES)

    def _half(self, names: Sequence[str]) -> Sequence[str]:
        return [each for each in names if self.random.random() < 0.5] or [self.random.choice(names)]

    def value(self, kind: str) -> Typed:
        """Draw a value of a type from its table, now and then a text by its size."""
        sized = kind == "string" and self.random.random() < SIZED_SHARE
        return [kind, self.random.choice(SIZED if sized else TABLES[kind])[0]]

    def message(self, replies: Sequence[str], *, foreign: bool = False, kind: str | None = None) -> dict[str, Json]:
        """Draw a message, of a kind if one is wanted: the arguments of the step, without the session."""
        random = self.random
        kind = kind or random.choice(self.kinds)
        args: dict[str, Json] = {"kind": kind}
        body = self.body(kind)
        if body is not None and random.random() < 0.93:
            args["body"] = body
            if kind in {"text", "object"} and not foreign and random.random() < 0.3:
                args["direct"] = True
            elif random.random() < 0.15 and not foreign:
                args["spoil"] = True
        headers = self.headers(replies)
        if foreign:
            headers.pop("correlation_native", None)
        if headers:
            args["headers"] = headers
        properties = self.properties()
        if properties:
            args["properties"] = properties
        if not foreign:
            self._equal(args)
        return args

    def _equal(self, args: dict[str, Json]) -> None:
        """Give a message a key of an earlier one now and then, and remember those that it has."""
        if self.random.random() < EQUAL:
            self._repeat(args)
        found = {key: args.get("headers", {}).get(key) for key in ("type", "correlation")}
        if args["kind"] == "text":
            found["text"] = args.get("body")
        for key, value in found.items():
            if value is not None:
                self._earlier.setdefault(key, []).append(value)

    def _repeat(self, args: dict[str, Json]) -> None:
        """Give a message a key that an earlier one of the program has: a header, the body, or its identifier as correlation."""
        what = self.random.choice(("type", "correlation", "text", "correlation_of"))
        if what == "correlation_of":
            if self.sent:
                headers = {
                    key: each for key, each in args.get("headers", {}).items() if not key.startswith("correlation")
                }
                args["headers"] = {**headers, what: self.random.choice(list(self.sent))}
        elif self._earlier.get(what) and (what != "text" or args["kind"] == "text"):
            value = self.random.choice(self._earlier[what])
            if what == "text":
                args["body"] = value
            else:
                headers = {
                    key: each
                    for key, each in args.get("headers", {}).items()
                    if what == "type" or not key.startswith("correlation")
                }
                args["headers"] = {**headers, what: value}

    def selected(self, replies: Sequence[str]) -> dict[str, Json]:
        """Draw a message for selectors: a plain kind, some headers, the properties that they ask for."""
        headers = self.headers(replies)
        args: dict[str, Json] = {"kind": "message", "headers": headers} if headers else {"kind": "message"}
        group = [["JMSXGroupID", "string", "g"], ["JMSXGroupSeq", "int", self.random.choice((1, 2, 3))]]
        extra = group if self.random.random() < 0.2 else []
        return {**args, "properties": [["n", "int", self.tag()], *self.selectable(), *extra]}

    def body(self, kind: str) -> Json:
        """Draw a body of a kind."""
        random = self.random
        if kind == "text":
            return ["null", None] if random.random() < 0.05 else self.value("string")
        if kind == "object":
            return ["null", None] if random.random() < 0.05 else random.choice(OBJECTS)[0]
        count = MANY if random.random() < 0.04 else random.choice((0, 1, 1, 2, 3, 4))
        if kind == "map":
            names = [each for each, _ in ENTRY_NAMES] + ([f"e{each}" for each in range(MANY)] if count == MANY else [])
            return [[name, *self._entry()] for name in random.sample(names, min(count, len(names)))]
        if kind == "stream":
            return [self._entry() for _ in range(count)]
        return [self._binary() for _ in range(count)] if kind == "bytes" else None

    def _entry(self) -> list[Json]:
        random = self.random
        if random.random() < 0.12:
            return ["null", None]
        found: list[Json] = self.value(random.choice(self.body_types))
        if random.random() < 0.25:
            found.append("object")
        elif found[0] == "bytes" and len(found[1]) >= 6 and random.random() < 0.3:
            found += ["part", 1, 2]
        return found

    def _binary(self) -> list[Json]:
        random = self.random
        kind = random.choice(("boolean", "byte", "short", "int", "long", "float", "double", "char", "bytes", "utf"))
        if kind == "utf":
            return ["utf", random.choice(("text", "", "a\0b", "gr\xf6\xdfer", "\U0001f600", "\u6771", "x" * 300))]
        found: list[Json] = self.value(kind)
        if random.random() < 0.2:
            found.append("object")
        elif kind == "bytes" and len(found[1]) >= 6 and random.random() < 0.3:
            found += ["part", 1, 2]
        return found

    def headers(self, replies: Sequence[str]) -> dict[str, Json]:
        """Draw headers that the client sets, and now and then some that a send must overwrite."""
        random = self.random
        found: dict[str, Json] = {}
        if random.random() < 0.3:
            found["type"] = random.choice(TYPES)
        if random.random() < 0.25:
            found["correlation"] = random.choice(CORRELATIONS)
        elif random.random() < 0.05 and "native-correlation-id" in self.features:
            found["correlation_native"] = random.choice(NATIVE_BYTES)
        if replies and random.random() < 0.25:
            found["reply_to"] = random.choice(list(replies))
        if random.random() < 0.12:
            preset = {
                "id": "ID:preset", "timestamp": 1, "mode": 1, "priority": 9, "expiration": 1, "delivery_time": 10**15, "redelivered": True,
            }  # fmt: skip
            names = random.sample(sorted(preset), random.choice((1, 1, 2, 7)))
            found |= {name: preset[name] for name in names}
            if replies and random.random() < 0.3:
                found["destination"] = random.choice(list(replies))
        return found

    def properties(self) -> list[Json]:
        """Draw properties: a serial number mostly, some that selectors ask for, some that test the types."""
        random = self.random
        found: list[Json] = []
        if random.random() < 0.9:
            found.append(["n", "int", self.tag()])
        if random.random() < 0.45:
            found += self.selectable()
        if random.random() < 0.4:
            names = random.sample([each for each, _ in PROPERTY_NAMES], random.choice((1, 1, 2, 3)))
            found += [self.property(name) for name in names]
        if random.random() < 0.06:
            found += [["JMSXGroupID", "string", "g"], ["JMSXGroupSeq", "int", random.choice((1, 2, 3))]]
        if random.random() < 0.02:
            found += [[f"p{each}", "int", each] for each in range(MANY)]
        return found

    def tag(self) -> int:
        """Return the next serial number."""
        self.serial += 1
        return self.serial

    def property(self, name: str) -> list[Json]:
        """Draw a value for a property."""
        random = self.random
        if random.random() < 0.08:
            return [name, "null", None]
        found: list[Json] = [name, *self.value(random.choice(self.property_types))]
        if random.random() < 0.25:
            found.append("object")
        return found

    def selectable(self) -> list[Json]:
        """Draw values for the properties that selectors ask for; one is missing now and then, or null."""
        random = self.random
        choose = random.choice
        whole, real = ("byte", "short", "int", "long"), ("float", "double")
        found: list[Json] = [
            [name, choose(whole), choose([each for each in selectors.NUMBERS if each or name != "j"])]
            for name in selectors.SMALL
        ]
        found += [[name, choose(real), choose(selectors.REALS)] for name in selectors.REAL]
        found += [[name, "string", choose(selectors.TEXTS)] for name in selectors.TEXT]
        found += [[name, "boolean", random.random() < 0.5] for name in selectors.FLAG]
        found += [
            ["x", *self.value(random.choice(("int", "long", "double", "string")))],
            ["l", *self.value("long")],
            ["d", *self.value(random.choice(("float", "double")))],
            *([name, "int", choose(selectors.NUMBERS)] for name in selectors.LONG),
        ]
        kept = [each for each in found if random.random() < 0.8]
        return [[each[0], "null", None] if random.random() < 0.06 else each for each in kept]

    # -- settings --------------------------------------------------------------------------------------------------

    def options(self, *, virtual: bool, delays: bool) -> list[dict[str, Json]]:
        """Draw settings of a producer: most have none, the others one or two."""
        random = self.random
        found: list[dict[str, Json]] = []
        if random.random() < 0.45:
            found.append({"what": "mode", "value": random.choice((1, 1, 2))})
        if random.random() < 0.3:
            found.append({"what": "priority", "value": random.randrange(10)})
        timed = 0.18 if virtual else 0.05
        if random.random() < timed:
            found.append({"what": "ttl", "value": random.choice((1, 2, FOREVER, VAST))})
        if delays and random.random() < timed:
            found.append({"what": "delay", "value": random.choice((1, 1, 2))})
        if random.random() < 0.1:
            found.append({"what": random.choice(("disable_id", "disable_time")), "value": True})
        random.shuffle(found)
        return found

    def send_options(self, *, virtual: bool) -> dict[str, Json]:
        """Draw the options of one send."""
        random = self.random
        ttl = random.choice((0, 0, FOREVER, 1)) if virtual else random.choice((0, 0, 0, FOREVER))
        return {"mode": random.choice((1, 2)), "priority": random.randrange(10), "ttl": ttl}

    def producer_value(self) -> dict[str, Any]:
        """Draw a property of a JMSProducer."""
        random = self.random
        if random.random() < 0.3:
            name, kind, content = random.choice(self.selectable() or [["i", "int", 5]])
            return {"name": name, "type": kind, "value": content}
        found = self.property(random.choice(PROPERTY_NAMES)[0])
        how = {"how": "object"} if len(found) > 3 else {}
        return {"name": found[0], "type": found[1], "value": found[2], **how}
