"""Iterators of the provider (Java's Enumeration), with each element recorded and wrapped."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any, Self

from tck.adapters.recording.facts import freeze, message_facts
from tck.adapters.recording.log import INVOKE, OK, Recording
from tck.adapters.recording.shapes import Flow, Form, Member

NEXT = Member("Enumeration.next_element", "next_element", Form.CALL, (), Flow.VALUE, changes_body=False)


class End(Enum):
    """In place of a value: the iterator ended."""

    END = "end"


END = End.END


class RecordedIterator(Iterator[Any]):
    """The wrapper of an iterator of the provider."""

    __slots__ = ("number_", "parent_", "raw_", "recorder_")
    kind = "enumeration"

    def __init__(self, raw: Iterator[Any], recorder: Recording, parent: object, number: int) -> None:
        self.raw_ = raw
        self.recorder_ = recorder
        self.parent_ = parent
        self.number_ = number

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:  # noqa: ANN401 - an element of any kind
        r = self.recorder_
        seq = r.next()
        r.add((seq, r.now(), r.here.name, INVOKE, self, NEXT, (), None))
        try:
            value = next(self.raw_)
        except StopIteration:
            r.add((r.next(), r.now(), r.here.name, OK, self, NEXT, seq, END, None))
            raise
        except BaseException as error:
            r.fail(seq, self, NEXT, error)
            raise
        facts = message_facts(r, value)
        wrapped = r.wrap(value, self.parent_)
        r.add((r.next(), r.now(), r.here.name, OK, self, NEXT, seq, freeze(r, wrapped), facts))
        return wrapped

    def __repr__(self) -> str:
        return f"<recorded {self.recorder_.label(self)}>"
