"""What a program needs to drive the foreign bridge: Artemis over TCP, JacORB's service, the bridge, and clients of both sides."""

import sys
import threading
import time
from pathlib import Path

from tck import api
from tck.adapters import corba
from tck.adapters.corba.jacorb import Service
from tck.adapters.corba.orb import orb
from tck.adapters.opening import open_provider
from tck.profile import load_profile, profiles_directory

broker = orb()  # before the stubs

import CosNotification as N  # noqa: E402
import CosNotifyChannelAdmin as C  # noqa: E402
import omniORB  # noqa: E402
import TimeBase  # noqa: E402, F401 - for cases
from omniORB import CORBA  # noqa: E402

BRIDGE = profiles_directory() / "evidence" / "bridge"
sys.path.append(str(BRIDGE))
from foreign import ForeignBridge  # noqa: E402

omniORB.importIDL(str(Path(corba.__file__).with_name("bridge_admin.idl")))
import CosBridgeAdmin as B  # noqa: E402


def event(name="e", *, header=None, data=None, body=None):
    optional, fields = [[N.Property(*each) for each in (given or {}).items()] for given in (header, data)]
    fixed = N.FixedEventHeader(N.EventType("domain", "type"), name)
    return N.StructuredEvent(N.EventHeader(fixed, optional), fields, body or CORBA.Any(CORBA.TC_string, name))


def soon(call, seconds=20.0):
    """Call until the result is true."""
    end, pause = time.monotonic() + seconds, threading.Event()
    while not (result := call()):
        assert time.monotonic() < end, "it did not happen in time"
        pause.wait(0.02)
    return result


def raises(kind, call, *arguments):
    try:
        call(*arguments)
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__}")


class World:
    """A broker, a notification service and the bridge; each case has a channel and a queue of its own."""

    def __init__(self, folder):
        self.provider = open_provider(load_profile(str(BRIDGE / "artemis.toml")), folder)
        [address] = self.provider.connection_factory().java_.getServerLocator().getStaticTransportConfigurations()
        self.service = Service()
        self.foreign = ForeignBridge(self.service.ior, f"tcp://127.0.0.1:{address.getParams().get('port')}")
        self.bridges = broker.string_to_object(self.foreign.ior)._narrow(B.BridgeFactory)
        self.channels = broker.string_to_object(self.service.ior)._narrow(C.EventChannelFactory)
        self.connect()
        self.number = 0

    def connect(self):
        connection = self.provider.connection_factory().create_connection()
        connection.start()
        self.session = connection.create_session(transacted=False, session_mode=api.Session.AUTO_ACKNOWLEDGE)

    def begin(self):
        """Make a channel and a queue, and clients of the channel."""
        self.number += 1
        self.name = f"q{self.number}"
        self.queue = self.provider.create_queue(self.name)
        self.channel, self.channel_id = self.channels.create_channel([], [])
        suppliers, consumers = self.channel._get_default_supplier_admin(), self.channel._get_default_consumer_admin()
        pushed = suppliers.obtain_notification_push_consumer(C.STRUCTURED_EVENT)[0]
        self.pushed = pushed._narrow(C.StructuredProxyPushConsumer)
        self.pushed.connect_structured_push_supplier(None)
        pulled = consumers.obtain_notification_pull_supplier(C.STRUCTURED_EVENT)[0]
        self.pulled = pulled._narrow(C.StructuredProxyPullSupplier)
        self.pulled.set_qos([N.Property("OrderPolicy", CORBA.Any(CORBA.TC_short, 1))])
        self.pulled.connect_structured_pull_consumer(None)

    def end(self, role, style=B.PUSH, kind=B.STRUCTURED_EVENT, channel=None):
        connector = B.ExternalEndpointConnector(kind, self.channel_id if channel is None else channel)
        return B.ExternalEndpoint(role, connector, style, kind)

    def jms(self, role, name=None, style=B.PUSH, kind=B.QUEUE, factory=""):
        to = B.JMSDestination(kind, self.name if name is None else name, factory)
        return B.ExternalEndpoint(role, B.ExternalEndpointConnector(B.JMS_MESSAGE, to), style, B.JMS_MESSAGE)

    def started(self, source, sink):
        """Make a bridge and start it."""
        bridge = self.bridges.create_bridge(source, sink)[0]
        bridge.start_bridge()
        return bridge

    def take(self):
        """Pull the next event of the channel."""
        seen = []

        def pulled():
            event, there = self.pulled.try_pull_structured_event()
            seen.extend([event] if there else [])
            return there

        soon(pulled)
        return seen[0]

    def close(self):
        """End everything; return the exit code of the bridge."""
        code = self.foreign.stop()
        self.service.stop()
        self.provider.close()
        return code
