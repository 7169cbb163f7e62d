"""Facts about a class, found once per process: its wrapper classes, its label, its kind of message."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from tck import api
from tck.adapters.recording.shapes import CALLBACKS, types_of
from tck.adapters.recording.source import Inward, Outward, inward_class, outward_class

_LABELS: tuple[tuple[type, str], ...] = (
    (api.Provider, "provider"),
    (api.TemporaryQueue, "temporary-queue"),
    (api.TemporaryTopic, "temporary-topic"),
    (api.Queue, "queue"),
    (api.Topic, "topic"),
    (api.Destination, "destination"),
    (api.Message, "message"),
    (api.JMSContext, "context"),
    (api.Session, "session"),
    (api.Connection, "connection"),
    (api.MessageProducer, "producer"),
    (api.JMSProducer, "producer"),
    (api.MessageConsumer, "consumer"),
    (api.JMSConsumer, "consumer"),
    (api.QueueBrowser, "browser"),
    (api.ConnectionFactory, "factory"),
    (api.XAConnectionFactory, "factory"),
    (api.ConnectionMetaData, "meta-data"),
    (api.ConnectionConsumer, "connection-consumer"),
    (api.XAResource, "resource"),
    (api.QueueRequestor, "requestor"),
    (api.TopicRequestor, "requestor"),
    (api.ServerSessionPool, "pool"),
    (api.ServerSession, "server-session"),
    (api.CompletionListener, "completion-listener"),
    (api.ExceptionListener, "exception-listener"),
    (api.MessageListener, "listener"),
)
_MESSAGES: tuple[tuple[type, str], ...] = (
    (api.TextMessage, "text"),
    (api.BytesMessage, "bytes"),
    (api.MapMessage, "map"),
    (api.StreamMessage, "stream"),
    (api.ObjectMessage, "object"),
    (api.Message, "message"),
)
DESTINATIONS = frozenset({"queue", "topic", "temporary-queue", "temporary-topic", "destination"})


@dataclass(frozen=True, slots=True, eq=False)
class TypeInfo:
    """How objects of one class are recorded."""

    kind: str
    message_kind: str | None
    outward: type[Outward] | None
    inward: type[Inward] | None
    plain: bool
    """Neither an API object nor a wrapper nor a sequence that may hold some: passed on unchanged."""


class _Infos(dict[type, TypeInfo]):
    """The facts about each class, made on first use; a class never changes its API types."""

    def __missing__(self, kind: type) -> TypeInfo:
        return self.setdefault(kind, _make(kind))


INFOS = _Infos()


def _make(kind: Any) -> TypeInfo:  # noqa: ANN401 - a class; typed so, it may be the key of a cache
    types = () if issubclass(kind, (Outward, Inward)) else types_of(kind)
    callbacks = tuple(each for each in types if each in CALLBACKS)
    given = tuple(each for each in types if each not in CALLBACKS)
    label = next((label for each, label in _LABELS if issubclass(kind, each)), "object")
    plain = not types and not issubclass(kind, (Outward, Inward, list, tuple))
    return TypeInfo(
        kind=label,
        message_kind=next((name for each, name in _MESSAGES if issubclass(kind, each)), None),
        outward=_outward(given, label) if given else None,
        inward=_inward(callbacks, label) if callbacks else None,
        plain=plain,
    )


@cache
def _outward(types: tuple[type, ...], label: str) -> type[Outward]:
    return outward_class(types, label)


@cache
def _inward(types: tuple[type, ...], label: str) -> type[Inward]:
    return inward_class(types, label)
