"""The kit of faults of bridges: the names that a module writes with, `from faults.interworking.kit import *`."""

from faults.interworking.declaring import *
from faults.kit.declaring import Fault
from reference_interworking.bridge import acknowledging, at_channel, at_jms
from reference_interworking.bridge.applications import Awaiting
from reference_interworking.bridge.bridges import ReferenceBridge
from reference_interworking.bridge.carrying import Carrier
from reference_interworking.bridge.transacting import Transacting
from reference_interworking.channel.acknowledged import Heard, Kept, Side
from reference_interworking.channel.consumers import *
from reference_interworking.channel.event_queue import Given
from reference_interworking.channel.filtering import EtclFilters, mapped
from reference_interworking.channel.proxies import StandInProxy
from reference_interworking.channel.settings import RELIABILITIES, Settings
from reference_interworking.channel.suppliers import *
from reference_interworking.channel.transacted import Stored, Taken
from reference_interworking.etcl import Filter, MappingFilter
from reference_interworking.reliable import Repetitions, Series, number_of, with_number
from reference_interworking.values import inside, is_basic
from tck import api as jms
from tck.interworking import *
from tck.interworking.acknowledgment import *
from tck.interworking.bridge import *
from tck.interworking.channel import ClientType
from tck.interworking.clients import StructuredPullConsumer, StructuredPushConsumer
from tck.interworking.filters import InvalidGrammar
from tck.interworking.qos import *
from tck.interworking.transactions import *
from tck.suite.support.interworking.coordinator import Point, TransactionService
