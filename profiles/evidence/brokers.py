"""Start a broker and connect to it, through JPype alone: what the programs beside this one need. See README.md."""

import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import jpype
from jpype import JArray, JClass, JProxy, JString

ARTEMIS = "org.apache.activemq.artemis."
ACTIVEMQ = "org.apache.activemq."
OPENMQ = "com.sun.messaging."
stops = []


def artemis(folder, acceptor="vm://0"):
    server = JClass(ARTEMIS + "core.config.impl.ConfigurationImpl")()
    server.setPersistenceEnabled(folder is not None).setSecurityEnabled(False).setJMXManagementEnabled(False)
    server.setMaxDiskUsage(-1)
    server.addAcceptorConfiguration("in", acceptor)
    if folder is not None:
        server.setJournalType(JClass(ARTEMIS + "core.server.JournalType").NIO)
        for kind in ("Journal", "Bindings", "LargeMessages", "Paging"):
            getattr(server, f"set{kind}Directory")(str(folder / kind))
    broker = JClass(ARTEMIS + "core.server.embedded.EmbeddedActiveMQ")().setConfiguration(server)
    broker.start()
    stops.append(broker.stop)
    return JClass(ARTEMIS + "jms.client.ActiveMQJMSConnectionFactory")("vm://0")


def qpid(folder):
    artemis(folder, "tcp://127.0.0.1:5672?protocols=AMQP")
    return JClass("org.apache.qpid.jms.JmsConnectionFactory")("amqp://127.0.0.1:5672")


def activemq(folder):
    broker = JClass(ACTIVEMQ + "broker.BrokerService")()
    broker.setBrokerName("b")
    broker.setUseJmx(False)
    broker.setUseShutdownHook(False)
    broker.setPersistent(folder is not None)
    if folder is not None:
        broker.setDataDirectory(str(folder))
        store = JClass(ACTIVEMQ + "store.kahadb.KahaDBPersistenceAdapter")()
        store.setDirectory(JClass("java.io.File")(str(folder / "kahadb")))
        broker.setPersistenceAdapter(store)
    broker.start()
    broker.waitUntilStarted()
    stops.extend((broker.waitUntilStopped, broker.stop))
    return JClass(ACTIVEMQ + "ActiveMQConnectionFactory")("vm://b?create=false")


def openmq(folder):
    class Events:
        def brokerEvent(self, event): ...
        def exitRequested(self, event, thrown):
            return False

    home = Path(next(jar for jar in os.environ["CLASSPATH"].split(os.pathsep) if jar.endswith("imq.jar"))).parents[1]
    broker = JClass(OPENMQ + "jmq.jmsclient.runtime.ClientRuntime").getRuntime().createBrokerInstance()
    where = ["-imqhome", str(home), "-libhome", str(home / "lib"), "-varhome", str(folder or tempfile.mkdtemp()), "-name", "b", "-silent"]
    settings = broker.parseArgs(JArray(JString)(where))
    for name in ("imq.portmapper.bind", "imq.jmx.enabled"):
        settings.setProperty(name, "false")
    settings.setProperty("imq.service.activelist", "")
    broker.init(settings, JProxy(OPENMQ + "jmq.jmsservice.BrokerEventListener", inst=Events()))
    try:
        broker.start()
    except jpype.JException:  # a call reached the broker before as it was shut down; only the first start fails over that
        broker.stop()
        broker.shutdown()
        return openmq(folder)
    stops.extend((broker.shutdown, broker.stop))
    factory = JClass(OPENMQ + "ConnectionFactory")()
    factory.setProperty("imqAddressList", "mq://localhost/direct")
    return factory


factory = kept = None


def connect(keep=False):
    """Start the broker that the first argument names; gives a session of a started connection, and a queue.

    With `keep` it keeps its messages in files, and `restart` can be called.
    """
    global kept
    trusted = "-Dorg.apache.activemq.SERIALIZABLE_PACKAGES=*"  # classes in object messages, for ActiveMQ
    quiet = "-Dimq.silent=true"  # OpenMQ's client prints the stack of each connection that fails
    jpype.startJVM("-Dslf4j.internal.verbosity=ERROR", trusted, quiet, convertStrings=False)
    kept = Path(tempfile.mkdtemp()) if keep else None
    start()
    session = connection().createSession(False, 1)
    return session, session.createQueue("evidence")


def start():
    global factory
    factory = globals()[sys.argv[1].removesuffix("5")](kept)


def restart():
    """Stop the broker in good order and start it again on what it has kept; connections from before are gone."""
    while stops:
        stops.pop()()
    start()


def connection(client=None):
    """Give one more connection, started."""
    made = factory.createConnection()
    if client:
        made.setClientID(client)
    made.start()
    return made


def listening(call):
    """Give a message listener that calls something with each message."""
    return JProxy("jakarta.jms.MessageListener", dict={"onMessage": call})


def texts(consumer):
    """Give the texts of all messages that come, until none comes for a second."""
    while (message := consumer.receive(1000)) is not None:
        yield str(message.getText())


def together(*calls):
    """Call each in a thread of its own, and wait for all; raises what one of them raised."""
    with ThreadPoolExecutor(len(calls)) as pool:
        for each in [pool.submit(call) for call in calls]:
            each.result()


@contextmanager
def beside(*calls):
    """Call each in a thread of its own while the block runs, and wait until each has ended or failed."""
    with ThreadPoolExecutor(len(calls)) as pool:
        for call in calls:
            pool.submit(call)
        yield


def context():
    """Give a context, after `connect`."""
    return factory.createContext()


def tell(what, call):
    """Print what a call gives, or the exception it raises."""
    try:
        result = call()
    except jpype.JException as error:
        result = f"{error.getClass().getName()}: {error.getMessage()}"
    print(f"{what}: {result}", flush=True)


def end():
    """Leave without waiting for the broker's threads."""
    os._exit(0)
