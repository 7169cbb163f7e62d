"""A tiny provider in memory, written straight on the abstract types: queues and topics, text and bytes messages,
synchronous and listener delivery, one connection consumer, a context. Members it does not need refuse.
"""

from __future__ import annotations

import abc
import itertools
import queue
import threading
from collections import defaultdict

from tck import api

IDS = itertools.count(1)


def complete(cls):
    """Fill every abstract member that `cls` leaves open with one that refuses."""

    def refuse(name):
        def member(self, *args, **kwargs):
            raise api.UnsupportedOperationException(f"the toy has no {name}")

        return member

    for name in sorted(cls.__abstractmethods__):
        is_property = isinstance(getattr(cls, name), property)
        setattr(cls, name, property(refuse(name), refuse(name)) if is_property else refuse(name))
    return abc.update_abstractmethods(cls)


class Named:
    def __init__(self, name):
        self.name = name
        self.messages = queue.SimpleQueue()
        self.listeners = []

    def __eq__(self, other):
        return isinstance(other, Named) and other.name == self.name

    def __hash__(self):
        return hash(self.name)

    def __str__(self):
        return f"toy:{self.name}"

    queue_name = topic_name = property(lambda self: self.name)


class ToyQueue(Named, api.Queue): ...


class ToyTopic(Named, api.Topic): ...


@complete
class ToyMessage(api.Message):
    jms_message_id = jms_correlation_id = jms_type = jms_reply_to = jms_destination = None
    jms_timestamp = jms_expiration = jms_delivery_time = 0
    jms_delivery_mode, jms_priority, jms_redelivered = 2, 4, False

    def __init__(self):
        self.properties = {}
        self.acknowledged = 0

    def set_object_property(self, name, value):
        self.properties[name] = value

    set_int_property = set_object_property

    def get_object_property(self, name):
        return self.properties.get(name)

    get_int_property = get_object_property

    def get_property_names(self):
        return iter(self.properties)

    def acknowledge(self):
        self.acknowledged += 1

    def copy(self):
        other = type(self)()
        other.__dict__.update(self.__dict__, properties=dict(self.properties))
        return other


@complete
class ToyText(ToyMessage, api.TextMessage):
    text = None


@complete
class ToyBytes(ToyMessage, api.BytesMessage):
    def __init__(self):
        super().__init__()
        self.content, self.position, self.readable = b"", 0, False

    def write_bytes(self, value, offset=api.OMITTED, length=api.OMITTED):
        self.content += bytes(value)

    def reset(self):
        self.position, self.readable = 0, True

    @property
    def body_length(self):
        return len(self.content)

    def read_bytes(self, buffer, length=api.OMITTED):
        if not self.readable:
            raise api.MessageNotReadableException("write-only")
        part = self.content[self.position : self.position + len(buffer)]
        buffer[: len(part)] = part
        self.position += len(part)
        return len(part) or -1


@complete
class ToyProducer(api.MessageProducer):
    def __init__(self, clock, destination):
        self.clock, self._destination = clock, destination

    @property
    def destination(self):
        return self._destination

    def send(self, message, *, destination=api.OMITTED, delivery_mode=api.OMITTED, priority=api.OMITTED,
             time_to_live=api.OMITTED, completion_listener=api.OMITTED):  # fmt: skip
        target = self._destination if destination is api.OMITTED else destination
        if target is None:
            raise api.InvalidDestinationException("no destination", "TOY-1", ValueError("none"))
        message.jms_message_id, message.jms_destination = f"ID:{next(IDS)}", target
        message.jms_timestamp = self.clock.now()
        if priority is not api.OMITTED:
            message.jms_priority = priority
        sent = message.copy() if isinstance(message, ToyMessage) else message
        if isinstance(sent, ToyBytes):
            sent.reset()
        if target.listeners:
            for listener in target.listeners:
                thread = threading.Thread(target=listener.on_message, args=(sent,), name="toy-delivery")
                thread.start()
                thread.join(10)
        else:
            target.messages.put(sent)
        if completion_listener is not api.OMITTED and completion_listener is not None:
            completion_listener.on_completion(message)

    def close(self): ...


@complete
class ToyConsumer(api.MessageConsumer):
    def __init__(self, destination):
        self.destination = destination
        self.listener = None

    def receive(self, timeout=api.OMITTED):
        try:
            return self.destination.messages.get(timeout=5 if timeout is api.OMITTED else timeout / 1000)
        except queue.Empty:
            return None

    def receive_no_wait(self):
        return self.receive(0)

    @property
    def message_listener(self):
        return self.listener

    @message_listener.setter
    def message_listener(self, listener):
        self.listener = listener
        self.destination.listeners.append(listener)

    def close(self): ...


@complete
class ToyBrowser(api.QueueBrowser):
    def __init__(self, destination):
        self.destination = destination

    def get_enumeration(self):
        found = []
        while not self.destination.messages.empty():
            found.append(self.destination.messages.get())
        for message in found:
            self.destination.messages.put(message)
        return iter(found)


@complete
class ToySession(api.Session):
    def __init__(self, provider, connection):
        self.provider, self.connection = provider, connection
        self.loaded = []
        self.listener = None

    def create_text_message(self, text=api.OMITTED):
        message = ToyText()
        message.text = None if text is api.OMITTED else text
        return message

    def create_bytes_message(self):
        return ToyBytes()

    def create_producer(self, destination):
        return ToyProducer(self.provider.clock, destination)

    def create_consumer(self, destination, message_selector=api.OMITTED, no_local=api.OMITTED):
        if message_selector not in (api.OMITTED, None, "true"):
            raise api.InvalidSelectorException(f"bad selector {message_selector}")
        return ToyConsumer(destination)

    def create_durable_consumer(self, topic, name, message_selector=api.OMITTED, no_local=api.OMITTED):
        return ToyConsumer(topic)

    def create_browser(self, queue, message_selector=api.OMITTED):
        return ToyBrowser(queue)

    def create_queue(self, queue_name):
        return self.provider.queues[queue_name]

    @property
    def message_listener(self):
        return self.listener

    @message_listener.setter
    def message_listener(self, listener):
        self.listener = listener

    def run(self):
        for message in self.loaded:
            self.listener.on_message(message)

    def close(self): ...


class ToyMetaData(api.ConnectionMetaData):
    jms_version, jms_major_version, jms_minor_version, jms_provider_name = "3.1", 3, 1, "toy"
    provider_version, provider_major_version, provider_minor_version = "1", 1, 0

    def get_jmsx_property_names(self):
        return iter(["JMSXGroupID"])


@complete
class ToyConnection(api.Connection):
    client_id = None
    exception_listener = None

    def __init__(self, provider):
        self.provider = provider
        self.severed = False

    def create_session(self, *, transacted=api.OMITTED, session_mode=api.OMITTED):
        return ToySession(self.provider, self)

    @property
    def meta_data(self):
        return ToyMetaData()

    def create_connection_consumer(self, destination, message_selector, session_pool, max_messages):
        server_session = session_pool.get_server_session()
        session = server_session.session
        assert isinstance(session, ToySession), "the provider must get its own session back"
        while not destination.messages.empty():
            session.loaded.append(destination.messages.get())
        server_session.start()
        return ToyConnectionConsumer(session_pool)

    def start(self): ...
    def stop(self): ...
    def close(self): ...


@complete
class ToyConnectionConsumer(api.ConnectionConsumer):
    def __init__(self, pool):
        self.pool = pool

    @property
    def server_session_pool(self):
        return self.pool

    def close(self): ...


@complete
class ToyJMSProducer(api.JMSProducer):
    def __init__(self, provider):
        self.provider, self.listener = provider, None

    def set_async(self, completion_listener):
        self.listener = completion_listener
        return self

    def get_async(self):
        return self.listener

    def send(self, destination, body, *, body_type=api.OMITTED):
        message = body
        if not isinstance(body, api.Message):
            message = ToyText()
            message.text = body
        ToyProducer(self.provider.clock, destination).send(message)
        return self


@complete
class ToyJMSConsumer(api.JMSConsumer):
    def __init__(self, destination):
        self.consumer = ToyConsumer(destination)

    def receive_body(self, body_type, timeout=api.OMITTED):
        message = self.receive(timeout)
        return message and message.text

    def receive(self, timeout=api.OMITTED):
        return self.consumer.receive(timeout)

    def close(self): ...


@complete
class ToyContext(api.JMSContext):
    def __init__(self, provider):
        self.provider = provider

    def create_producer(self):
        return ToyJMSProducer(self.provider)

    def create_consumer(self, destination, message_selector=api.OMITTED, no_local=api.OMITTED):
        return ToyJMSConsumer(destination)

    def create_text_message(self, text=api.OMITTED):
        return ToySession(self.provider, None).create_text_message(text)

    def close(self): ...


class ToyFactory(api.ConnectionFactory):
    def __init__(self, provider):
        self.provider = provider

    def create_connection(self, user_name=api.OMITTED, password=api.OMITTED):
        return ToyConnection(self.provider)

    def create_context(self, *, user_name=api.OMITTED, password=api.OMITTED, session_mode=api.OMITTED):
        return ToyContext(self.provider)


class ToyProvider(api.Provider):
    def __init__(self):
        self.queues = defaultdict()
        self.topics = {}
        self.severed = None
        self.asked = {}
        self.factory = ToyFactory(self)

    hooks = frozenset({api.Hook.SEVER, api.Hook.ADMINISTER})

    def info(self):
        return api.ProviderInfo("Toy", "1", "us", "3.1")

    def connection_factory(self):
        return self.factory

    def create_queue(self, name):
        return self.queues.setdefault(name, ToyQueue(name))

    def create_topic(self, name):
        return self.topics.setdefault(name, ToyTopic(name))

    def drop(self, destination):
        (self.queues if isinstance(destination, api.Queue) else self.topics).pop(destination.name, None)

    def sever(self, connection):
        connection.severed = True

    def administer(self, action, **arguments):
        self.asked = arguments
        return arguments.get("destination")

    def close(self): ...


class Collect(api.MessageListener):
    def __init__(self, then=None):
        self.messages = []
        self.then = then

    def on_message(self, message):
        self.messages.append(message)
        if self.then:
            raise self.then
