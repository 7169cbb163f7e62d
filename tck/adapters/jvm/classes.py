"""Java classes for the suite's own types, written as class files, so that a provider sees distinct types with
inheritance.

Each is serializable and holds the object's state as a Java value; one flag makes it refuse deserialization, for
Python types that refuse it. The files have a version that every Java reads.
"""

from __future__ import annotations

import struct
from typing import Final

PACKAGE: Final = "tck.objects"
_OBJECT: Final = "java/lang/Object"
_STREAM: Final = "java/io/ObjectInputStream"
_REFUSAL: Final = "java/io/InvalidObjectException"
_VERSION: Final = 49
"""Class files of Java 5, the last version whose branches need no stack maps."""
_PUBLIC, _PRIVATE, _SUPER = 0x0001, 0x0002, 0x0020


class _Pool:
    """The constants of a class file."""

    def __init__(self) -> None:
        self._entries: dict[bytes, int] = {}

    def _add(self, entry: bytes) -> int:
        return self._entries.setdefault(entry, len(self._entries) + 1)

    def utf8(self, text: str) -> int:
        content = text.encode()
        return self._add(struct.pack(">BH", 1, len(content)) + content)

    def type(self, name: str) -> int:
        return self._add(struct.pack(">BH", 7, self.utf8(name)))

    def _member(self, tag: int, owner: str, name: str, descriptor: str) -> int:
        both = self._add(struct.pack(">BHH", 12, self.utf8(name), self.utf8(descriptor)))
        return self._add(struct.pack(">BHH", tag, self.type(owner), both))

    def field(self, owner: str, name: str, descriptor: str) -> bytes:
        return struct.pack(">H", self._member(9, owner, name, descriptor))

    def method(self, owner: str, name: str, descriptor: str) -> bytes:
        return struct.pack(">H", self._member(10, owner, name, descriptor))

    def content(self) -> bytes:
        return struct.pack(">H", len(self._entries) + 1) + b"".join(self._entries)


def class_file(name: str, parent: str | None) -> bytes:
    """Write the class file of a type.

    Args:
        name: The class's name, with slashes.
        parent: The class of the nearest registered parent, which holds the state; None if there is none.
    """
    pool = _Pool()
    above = parent or _OBJECT
    head = struct.pack(">HHH", _PUBLIC | _SUPER, pool.type(name), pool.type(above))
    interfaces = struct.pack(">HH", 1, pool.type("java/io/Serializable"))
    constructor = b"\x2a\xb7" + pool.method(above, "<init>", "()V") + b"\xb1"
    methods = [_method(pool, _PUBLIC, "<init>", "()V", constructor)]
    fields: list[bytes] = []
    if parent is None:
        fields = [_field(pool, "state", f"L{_OBJECT};"), _field(pool, "broken", "Z")]
        methods.append(_method(pool, _PRIVATE, "readObject", f"(L{_STREAM};)V", _reading(pool, name)))
    body = [interfaces, _counted(fields), _counted(methods), b"\x00\x00"]
    return struct.pack(">IHH", 0xCAFEBABE, 0, _VERSION) + pool.content() + head + b"".join(body)


def _counted(parts: list[bytes]) -> bytes:
    return struct.pack(">H", len(parts)) + b"".join(parts)


def _field(pool: _Pool, name: str, descriptor: str) -> bytes:
    return struct.pack(">HHHH", _PUBLIC, pool.utf8(name), pool.utf8(descriptor), 0)


def _method(pool: _Pool, access: int, name: str, descriptor: str, code: bytes) -> bytes:
    attribute = struct.pack(">HHI", 3, 2, len(code)) + code + b"\x00\x00\x00\x00"
    head = struct.pack(">HHHH", access, pool.utf8(name), pool.utf8(descriptor), 1)
    return head + struct.pack(">HI", pool.utf8("Code"), len(attribute)) + attribute


def _reading(pool: _Pool, name: str) -> bytes:
    """Write ``in.defaultReadObject(); if (broken) throw new InvalidObjectException(null);``."""
    return b"".join(
        [
            b"\x2b\xb6",
            pool.method(_STREAM, "defaultReadObject", "()V"),
            b"\x2a\xb4",
            pool.field(name, "broken", "Z"),
            b"\x99\x00\x0c\xbb",
            struct.pack(">H", pool.type(_REFUSAL)),
            b"\x59\x01\xb7",
            pool.method(_REFUSAL, "<init>", "(Ljava/lang/String;)V"),
            b"\xbf\xb1",
        ]
    )
