"""The kit of faults of bridges: the names that a module writes with, `from faults.interworking.kit import *`."""

from faults.interworking.declaring import *
from faults.kit.declaring import Fault
from reference_bridge import acknowledging
from reference_bridge.applications import Awaiting
from reference_bridge.bridges import ReferenceBridge
from reference_bridge.channel.acknowledged import Heard, Kept, Side
from reference_bridge.channel.consumers import *
from reference_bridge.channel.event_queue import Given
from reference_bridge.channel.filtering import EtclFilters, mapped
from reference_bridge.channel.proxies import StandInProxy
from reference_bridge.channel.settings import RELIABILITIES, Settings
from reference_bridge.channel.suppliers import *
from reference_bridge.channel.transacted import Stored, Taken
from reference_bridge.etcl import Filter, MappingFilter
from reference_bridge.polling import PulledToJms
from reference_bridge.pulled import Buffered
from reference_bridge.reliable import Repetitions, Series, number_of, with_number
from reference_bridge.transacting import Transacting
from reference_bridge.values import inside, is_basic
from tck import api as jms
from tck.interworking import *
from tck.interworking.acknowledgment import *
from tck.interworking.bridge import *
from tck.interworking.channel import ClientType
from tck.interworking.clients import StructuredPullConsumer, StructuredPushConsumer
from tck.interworking.coordinator import Point, TransactionService
from tck.interworking.filters import InvalidGrammar
from tck.interworking.qos import *
from tck.interworking.transactions import *
