"""What faults reach for in the provider and in the API, and the one place that knows where it lives."""

from reference_provider import fault_points, messages
from reference_provider.broker import broker as broker_module
from reference_provider.broker import message_rows, recovery, stored_message, subscriptions
from reference_provider.broker import subscriptions as of_subscriptions
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.delivery_queue import DeliveryQueue, PriorityLevel, Taker
from reference_provider.broker.fanout import Fanout, SelectorPredicate
from reference_provider.broker.physical_destinations import (
    NO_OVERRIDE,
    Override,
    PhysicalDestination,
    PhysicalQueue,
    PhysicalTopic,
    Predicate,
    StoredDeliveryQueue,
    Subscription,
)
from reference_provider.broker.redelivery import Redelivery
from reference_provider.broker.schedule import Schedule
from reference_provider.broker.stored_message import Stamp, StoredMessage
from reference_provider.broker.subscriptions import Key, Subscriptions, Terms, deletion_statements
from reference_provider.broker.transactions import DeliveryMarks, SingleAcknowledgement, SingleSend, Work
from reference_provider.broker.xa_branches import Branch, Branches, State
from reference_provider.client import consumer_factory, producers
from reference_provider.client.application_server import fault_points as asf_points
from reference_provider.client.application_server import fault_points as server_points
from reference_provider.client.application_server.connection_consumers import ReferenceConnectionConsumer
from reference_provider.client.application_server.server_session import ServerSessionRunner
from reference_provider.client.browsers import BrowsedMessages, ReferenceBrowser
from reference_provider.client.completions import Completion, Completions
from reference_provider.client.connection_factories import (
    Factory,
    Parameters,
    ReferenceConnectionFactory,
    ReferenceQueueConnectionFactory,
    ReferenceTopicConnectionFactory,
    ReferenceXAConnectionFactory,
    ReferenceXAQueueConnectionFactory,
    ReferenceXATopicConnectionFactory,
)
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.consumer_factory import ConsumerFactory, selector_text
from reference_provider.client.consumers import ReferenceConsumer, ReferenceReceiver, ReferenceSubscriber
from reference_provider.client.context import ReferenceContext, SharedConnection
from reference_provider.client.dispatch import Dispatcher, ListeningConsumer
from reference_provider.client.domain_specific import (
    ReferencePublisher,
    ReferenceQueueConnection,
    ReferenceQueueSession,
    ReferenceSender,
    ReferenceTopicConnection,
    ReferenceTopicSession,
)
from reference_provider.client.metadata import PROVIDER_VERSION, ReferenceMetaData
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.receivers import Receiver
from reference_provider.client.requestors import ReferenceQueueRequestor, ReferenceTopicRequestor, answered
from reference_provider.client.session_factories import SessionConnection, SessionFactories
from reference_provider.client.session_state import SessionState
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.simplified import PropertyNames, ReferenceJMSConsumer, ReferenceJMSProducer, unchecked
from reference_provider.client.temporary_destinations import TemporaryDestinations
from reference_provider.client.xa.objects import (
    ReferenceXAConnection,
    ReferenceXAContext,
    ReferenceXAQueueConnection,
    ReferenceXAQueueSession,
    ReferenceXASession,
    ReferenceXATopicConnection,
    ReferenceXATopicSession,
)
from reference_provider.client.xa.resource import ReferenceXAResource
from reference_provider.clock import VirtualClock, Waiter
from reference_provider.destinations import (
    ReferenceDestination,
    ReferenceQueue,
    ReferenceTemporaryQueue,
    ReferenceTemporaryTopic,
    ReferenceTopic,
    destination_of,
)
from reference_provider.fault_point import FaultPoint
from reference_provider.java import numbers, utf
from reference_provider.java.numbers import wrap
from reference_provider.messages import (
    JMSX_PROPERTIES,
    Body,
    MessageModel,
    PropertyValue,
    codec,
    conversions,
    create,
    send_properties,
    snapshots,
    values,
)
from reference_provider.messages import create as create_message
from reference_provider.messages.bytes_message import BYTES_TYPES, UNSIGNED_SHORT, ReferenceBytesMessage
from reference_provider.messages.conversions import NULL, Conversion, Target
from reference_provider.messages.jmsx import receipt_properties
from reference_provider.messages.map_message import ReferenceMapMessage
from reference_provider.messages.message import ReferenceMessage
from reference_provider.messages.model import Snapshot
from reference_provider.messages.object_message import ANY, ReferenceObjectMessage
from reference_provider.messages.selection import MODE_NAMES
from reference_provider.messages.snapshots import OWN
from reference_provider.messages.stream_message import ReferenceStreamMessage
from reference_provider.messages.text_message import ReferenceTextMessage
from reference_provider.naming import Naming
from reference_provider.provider import ReferenceProvider
from reference_provider.selector import compiler, literals, operations, walker
from reference_provider.selector.errors import invalid
from reference_provider.selector.literals import pattern
from reference_provider.selector.nodes import (
    And,
    Arithmetic,
    Between,
    Comparison,
    Condition,
    Flag,
    Identifier,
    In,
    IsNull,
    Like,
    Not,
    NumberLiteral,
    Operand,
    Or,
    Outside,
    TextLiteral,
    TruthLiteral,
    parts,
)
from reference_provider.selector.operations import Value
from reference_provider.selector.parser import parse
from reference_provider.selector.selector import Selector
from reference_provider.selector.values import FALSE, NUMBERS, TRUE, Single, Truth, Wide, selector_value
from reference_provider.selector.walker import UnlikeTypes, View, Walker, WalkerOf10, family
from reference_provider.server import Server
from reference_provider.store import Statement, Unit
from tck import api
from tck.api import *

del partial  # noqa: F821 - what adapters decorate classes with; in faults the name is that of functools

__all__ = [name for name in dir() if not name.startswith("_")]
