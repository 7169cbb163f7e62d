"""Fault points: the named places where a saboteur may change the provider's behaviour.

A fault point is a public function or method that every message, transaction or connection passes, and costs nothing without a
fault. A saboteur binds to its name (`patch.at(fault_points.ROUTED, lambda original, *call: original(*call)[:1])`); its fault gets
the original function, then the arguments of the call. Owner, attribute, order of arguments and meaning of the result are stable;
if a function is renamed, only its row here changes. Methods of the messaging API are stable anyway: a fault replaces them directly.

Those of connection consumers are in `client.application_server.fault_points`. The provider must not import this module.
"""

from __future__ import annotations

from typing import Final

from reference_provider import selector
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalDestination, Subscription
from reference_provider.broker.redelivery import Redelivery
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client import consumer_factory, producers, simplified
from reference_provider.client.application_server import fault_points as of_application_servers
from reference_provider.client.completions import Completions
from reference_provider.client.connection_factories import Factory
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.dispatch import Dispatcher
from reference_provider.client.producers import ReferenceProducer
from reference_provider.client.receivers import Receiver
from reference_provider.client.session_state import SessionState
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.simplified import ReferenceJMSProducer
from reference_provider.client.temporary_destinations import TemporaryDestinations
from reference_provider.client.xa.resource import ReferenceXAResource
from reference_provider.fault_point import FaultPoint
from reference_provider.server import Server

# --- sending ----------------------------------------------------------------------------------------------------------

SEND_PREPARED: Final = FaultPoint(
    ReferenceProducer,
    "prepare",
    "each send: headers are written to the sender's message and its contents are copied",
    "the producer, the sender's message, the destination, the Options of the send",
    "the physical destination and the StoredMessage",
)
HEADERS_COMPUTED: Final = FaultPoint(
    ReferenceProducer,
    "stamp_for",
    "within each send: the values of the headers are computed",
    "the producer, the physical destination, the Options of the send",
    "the Stamp with the values",
)
HEADERS_WRITTEN: Final = FaultPoint(
    producers,
    "write_headers",
    "within each send: the headers are set on the sender's message",
    "the sender's message, the Stamp with the values",
)
PRODUCER_APPLIED: Final = FaultPoint(
    ReferenceJMSProducer,
    "overlay",
    "each send of a JMSProducer: its properties and headers are set on the message",
    "the JMSProducer, the message",
)
SEND_SUBMITTED: Final = FaultPoint(
    ReferenceSession,
    "submit",
    "each prepared send: it joins the open transaction or takes effect at once",
    "the session, the physical destination, the StoredMessage",
)
ROUTED: Final = FaultPoint(
    Broker,
    "route",
    "a send takes effect (for a topic once more within the commit): who gets the message, its number, whether it is stored",
    "the broker, the physical destination, the StoredMessage",
    "the delivery queues it goes to",
)
SUBSCRIPTION_MATCHED: Final = FaultPoint(
    Subscription,
    "wants",
    "a topic routes a message, with fewer than ten selecting subscriptions: once for each subscription",
    "the Subscription, the StoredMessage",
    "whether the subscription gets the message",
)
STORED: Final = FaultPoint(
    PhysicalDestination,
    "stores",
    "within routing: whether a message has to survive the process",
    "the physical destination, the StoredMessage, the delivery queues it goes to",
    "whether it gets a row in the file",
)
FILE_WRITTEN: Final = FaultPoint(
    Broker,
    "commit",
    "anything is written to the file: a send, an acknowledgement, a transaction, a subscription, a branch",
    "the broker, the unit (`statements()`, then `after()` makes the effect visible in memory)",
)
ARRIVED: Final = FaultPoint(
    Broker,
    "admit",
    "a sent message reaches one delivery queue, to be delivered at once or when it is due",
    "the broker, the delivery queue, the StoredMessage",
)
OFFERED: Final = FaultPoint(
    Broker,
    "offer",
    "a message is due, at its arrival or later, under the broker lock: its delivery queue has it from now on, if it lives",
    "the broker, the delivery queue, the StoredMessage",
)
EXPIRY_CHECKED: Final = FaultPoint(
    Broker,
    "is_expired",
    "a message with a time to live is about to be delivered, shown by a browser or counted",
    "the broker, the StoredMessage",
    "whether its time is over",
)
SENT_ASYNCHRONOUSLY: Final = FaultPoint(
    ReferenceProducer,
    "send_later",
    "each asynchronous send, of any API: the message is prepared and submitted, its callback is queued",
    "the ReferenceProducer, the sender's message, the destination, the Options, the listener, the producer of the client",
)
COMPLETION_QUEUED: Final = FaultPoint(
    Completions,
    "add",
    "an asynchronous send has been made or has failed: its callback is queued",
    "the Completions of the session, the Completion (sender, listener, message, error)",
)
COMPLETIONS_AWAITED: Final = FaultPoint(
    Completions,
    "wait_until_done",
    "close, commit and rollback wait for the callbacks of asynchronous sends",
    "the Completions of the session, the producer that is closed (none: the callbacks of all)",
)
COMPLETION_CALLED: Final = FaultPoint(
    Completions,
    "call_listener",
    "an asynchronous send is complete: its listener is called",
    "the Completions of the session, the Completion (listener, message, error)",
)

# --- receiving --------------------------------------------------------------------------------------------------------

MESSAGE_AWAITED: Final = FaultPoint(
    ReferenceConsumer,
    "next_delivery",
    "a synchronous receive waits for its message",
    "the consumer, the timeout in milliseconds (None: no limit)",
    "the Delivery, or None if there is no message within the timeout",
)
MESSAGE_TAKEN: Final = FaultPoint(
    Receiver,
    "take",
    "a consumer looks for a message that is there already, under the broker lock",
    "the Receiver",
    "the Delivery, or None if there is no message",
)
HANDED_OVER: Final = FaultPoint(
    SessionState,
    "open_delivery",
    "a message goes to a consumer, taken or handed to the one that waits, under the broker lock",
    "the SessionState, the consumer, the delivery queue, the StoredMessage",
    "the Delivery",
)
MESSAGE_MADE: Final = FaultPoint(
    ReferenceSession,
    "message_of",
    "a client is about to get a message, by receive, listener or browser",
    "the session, the Delivery",
    "the message object",
)
BODY_RECEIVED: Final = FaultPoint(
    ReferenceConsumer,
    "hand_out_body",
    "receiveBody has a message: its body is read, and it is acknowledged as the mode demands",
    "the consumer, the Delivery, the function that reads the body of a message",
    "the body",
)
LISTENER_CALLED: Final = FaultPoint(
    Dispatcher,
    "call_listener",
    "a message listener of a consumer is called, on the session's thread",
    "the Dispatcher, the listener, the Delivery",
    "whether the listener raised",
)
LISTENER_ADDED: Final = FaultPoint(
    Dispatcher,
    "add",
    "a listener is set on a consumer: the session's thread serves it from now on, under the broker lock",
    "the Dispatcher, the consumer",
)
LISTENER_ABANDONED: Final = FaultPoint(
    Dispatcher,
    "abandon",
    "a link is lost while a listener may run, which goes on without the session",
    "the Dispatcher",
    "the delivery to be redelivered, if a listener had one that the mode would have acknowledged",
)

# --- acknowledging ----------------------------------------------------------------------------------------------------

SETTLED: Final = FaultPoint(
    SessionState,
    "settle",
    "a client has a message: it is acknowledged if the mode is AUTO_ACKNOWLEDGE or DUPS_OK_ACKNOWLEDGE",
    "the SessionState, the Delivery",
)
MESSAGE_ACKNOWLEDGED: Final = FaultPoint(
    ReferenceSession,
    "acknowledge_from_message",
    "a client calls acknowledge() of a message or a context, in any mode",
    "the session",
)
ACKNOWLEDGED: Final = FaultPoint(
    ReferenceSession,
    "acknowledge_all",
    "a client acknowledges in CLIENT_ACKNOWLEDGE: all that the session has consumed",
    "the session",
)
REMOVED: Final = FaultPoint(
    Delivery,
    "remove_from_queue",
    "an acknowledgement has taken effect, in any mode, under the broker lock: the message leaves its delivery queue",
    "the Delivery",
)
REDELIVERED: Final = FaultPoint(
    Redelivery,
    "redeliver",
    "messages that were not acknowledged go back: recover, rollback, close, a broken link, a listener that raised",
    "the Redelivery, the deliveries in the order they were made",
)

# --- transactions and sessions ----------------------------------------------------------------------------------------

COMMIT: Final = FaultPoint(ReferenceSession, "commit", "a client commits", "the session")
ROLLBACK: Final = FaultPoint(
    ReferenceSession,
    "roll_back",
    "a transaction is undone: rollback, a failed commit, the end of a session",
    "the session, the Work of the transaction (`sends`, `acks`)",
)
SESSION_CHECKED: Final = FaultPoint(
    ReferenceSession,
    "check_open",
    "most calls on a session, its producers, consumers and browsers: raises IllegalStateException if it is closed",
    "the session",
)
CALLS_AWAITED: Final = FaultPoint(
    ReferenceSession,
    "wait_until_idle",
    "a session is stopped or closed, by itself or with its connection: it waits for running listeners and receive calls",
    "the session",
)
SESSION_ENDED: Final = FaultPoint(
    ReferenceSession,
    "drop_unfinished",
    "a session is closed or loses its link: the transaction and what is not acknowledged are undone",
    "the session",
)

# --- connections ------------------------------------------------------------------------------------------------------

CONNECTION_OPENED: Final = FaultPoint(
    Factory,
    "connect",
    "a connection factory makes a connection, for any API",
    "the factory, the class of connections, the user name and password, if given",
    "the connection",
)
SESSION_MODE_CHOSEN: Final = FaultPoint(
    ReferenceConnection,
    "session_mode",
    "a session or context is made: its mode follows from the arguments",
    "the connection, `transacted` and the mode, each OMITTED where the call has no such argument",
    "the mode",
)
SESSION_OPENED: Final = FaultPoint(
    ReferenceConnection, "add_session", "a session is made, for any API", "the connection, the session", "the session"
)
CONNECTION_STARTED: Final = FaultPoint(ReferenceConnection, "start", "a connection is started", "the connection")
CONNECTION_STOPPED: Final = FaultPoint(ReferenceConnection, "stop", "a connection is stopped", "the connection")
CONNECTION_CLOSED: Final = FaultPoint(ReferenceConnection, "close", "a connection is closed", "the connection")
CONNECTION_CHECKED: Final = FaultPoint(
    ReferenceConnection,
    "check_open",
    "most calls on a connection: raises IllegalStateException if it is closed",
    "the connection",
)
LINK_LOST: Final = FaultPoint(ReferenceConnection, "sever", "the link of a connection breaks", "the connection, why")
PROVIDER_RESTARTED: Final = FaultPoint(
    Server, "restart", "the provider stops in good order and opens again on the same file", "the Server"
)
PROVIDER_KILLED: Final = FaultPoint(Server, "kill", "the provider loses all memory and opens again", "the Server")

# --- consumers --------------------------------------------------------------------------------------------------------

PLAIN_CONSUMER_OPENED: Final = FaultPoint(
    ReferenceSession,
    "open_plain",
    "a consumer is made, of a queue, or of a topic with a subscription that ends with it",
    "the session, the destination, the selector, noLocal",
    "the Receiver",
)
CONSUMER_ADDED: Final = FaultPoint(
    ReferenceSession, "add_consumer", "a consumer was made, for any API", "the session, the consumer", "the consumer"
)
SUBSCRIPTION_NAMED: Final = FaultPoint(
    consumer_factory,
    "checked_name",
    "a consumer of a named subscription is made: its name is checked",
    "the name",
    "the name",
)
SUBSCRIPTION_OPENED: Final = FaultPoint(
    ConsumerFactory,
    "open_receiver",
    "a consumer is made, of a queue or of any kind of subscription, under the broker lock",
    "the ConsumerFactory, the physical destination, the selector, its predicate for a queue, the Subscription for a topic",
    "the Receiver",
)
SUBSCRIPTION_STORED: Final = FaultPoint(
    ConsumerFactory,
    "open_stored",
    "a durable consumer is made: the subscription is created, replaced or found",
    "the ConsumerFactory, the topic, the key (client identifier, name), the selector, the noLocal identity or None; "
    "`shared` by keyword",
    "the Receiver",
)
SUBSCRIPTION_DELETED: Final = FaultPoint(
    ConsumerFactory, "unsubscribe", "a client deletes a durable subscription", "the ConsumerFactory, the name"
)
CONSUMER_CLOSED: Final = FaultPoint(
    ReferenceConsumer,
    "detach",
    "a consumer is closed, by itself or with its session, under the broker lock",
    "the consumer",
)
SELECTOR_COMPILED: Final = FaultPoint(
    selector,
    "compile_selector",
    "a consumer, subscription or browser is made with a selector that is not empty",
    "the text, the version of the specification",
    "the Selector, or None if it selects all",
)

VALUES_SELECTED: Final = FaultPoint(
    StoredMessage,
    "selection",
    "a selector is evaluated for a message",
    "the StoredMessage",
    "the values by the names of headers and properties",
)

# --- temporary destinations -------------------------------------------------------------------------------------------

NAME_MADE: Final = FaultPoint(
    Broker,
    "unique_name",
    "a temporary destination, a connection or a transaction needs a name that no other has",
    "the broker, how the name begins",
    "the name",
)
TEMPORARY_CHECKED: Final = FaultPoint(
    TemporaryDestinations,
    "check_consumable",
    "a consumer is made of any destination: raises InvalidDestinationException for another connection's temporary one",
    "the TemporaryDestinations of the connection, the physical destination",
)
TEMPORARY_DELETED: Final = FaultPoint(
    TemporaryDestinations,
    "delete",
    "a client deletes a temporary destination",
    "the TemporaryDestinations of its connection, the destination",
)
TEMPORARY_SWEPT: Final = FaultPoint(
    TemporaryDestinations,
    "sweep",
    "temporary destinations that the client has let go of without deleting them are deleted",
    "the TemporaryDestinations of the connection",
)

# --- exceptions -------------------------------------------------------------------------------------------------------

EXCEPTION_TRANSLATED: Final = FaultPoint(
    simplified,
    "as_runtime",
    "the simplified API raises: a checked exception becomes an unchecked one",
    "the JMSException",
    "the JMSRuntimeException",
)
EXCEPTION_REPORTED: Final = FaultPoint(
    ReferenceConnection,
    "report_loss",
    "a link is lost: the exception listener is called on another thread",
    "the connection, why",
)

# --- distributed transactions -----------------------------------------------------------------------------------------

XA_START: Final = FaultPoint(ReferenceXAResource, "start", "XAResource.start", "the resource, the xid, the flags")
XA_END: Final = FaultPoint(ReferenceXAResource, "end", "XAResource.end", "the resource, the xid, the flags")
XA_PREPARE: Final = FaultPoint(
    ReferenceXAResource, "prepare", "XAResource.prepare", "the resource, the xid", "the vote: XA_OK or XA_RDONLY"
)
XA_COMMIT: Final = FaultPoint(
    ReferenceXAResource, "commit", "XAResource.commit", "the resource, the xid, whether in one phase"
)
XA_ROLLBACK: Final = FaultPoint(ReferenceXAResource, "rollback", "XAResource.rollback", "the resource, the xid")
XA_FORGET: Final = FaultPoint(ReferenceXAResource, "forget", "XAResource.forget", "the resource, the xid")
XA_RECOVER: Final = FaultPoint(
    ReferenceXAResource, "recover", "XAResource.recover", "the resource, the flags", "the xids in doubt"
)

FAULT_POINTS: Final = {
    name: point for name, point in (globals() | vars(of_application_servers)).items() if isinstance(point, FaultPoint)
}
"""All fault points by name, those of application servers included."""
