"""Start a broker and connect to it, through JPype alone: what the programs beside this one need. See README.md."""

import os
import sys
import tempfile
from pathlib import Path

import jpype
from jpype import JArray, JClass, JProxy, JString

ARTEMIS = "org.apache.activemq.artemis."
OPENMQ = "com.sun.messaging."


def artemis(acceptor="vm://0"):
    server = JClass(ARTEMIS + "core.config.impl.ConfigurationImpl")()
    server.setPersistenceEnabled(False).setSecurityEnabled(False).setJMXManagementEnabled(False)
    server.setMaxDiskUsage(-1)
    server.addAcceptorConfiguration("in", acceptor)
    JClass(ARTEMIS + "core.server.embedded.EmbeddedActiveMQ")().setConfiguration(server).start()
    return JClass(ARTEMIS + "jms.client.ActiveMQJMSConnectionFactory")("vm://0")


def qpid():
    artemis("tcp://127.0.0.1:5672?protocols=AMQP")
    return JClass("org.apache.qpid.jms.JmsConnectionFactory")("amqp://127.0.0.1:5672")


def activemq():
    return JClass("org.apache.activemq.ActiveMQConnectionFactory")("vm://b?broker.persistent=false&broker.useJmx=false")


def openmq():
    class Events:
        def brokerEvent(self, event): ...
        def exitRequested(self, event, thrown):
            return False

    home = Path(next(jar for jar in os.environ["CLASSPATH"].split(os.pathsep) if jar.endswith("imq.jar"))).parents[1]
    broker = JClass(OPENMQ + "jmq.jmsclient.runtime.ClientRuntime").getRuntime().createBrokerInstance()
    where = ["-imqhome", str(home), "-libhome", str(home / "lib"), "-varhome", tempfile.mkdtemp(), "-name", "b", "-silent"]
    settings = broker.parseArgs(JArray(JString)(where))
    for name in ("imq.portmapper.bind", "imq.jmx.enabled"):
        settings.setProperty(name, "false")
    settings.setProperty("imq.service.activelist", "")
    broker.init(settings, JProxy(OPENMQ + "jmq.jmsservice.BrokerEventListener", inst=Events()))
    broker.start()
    factory = JClass(OPENMQ + "ConnectionFactory")()
    factory.setProperty("imqAddressList", "mq://localhost/direct")
    return factory


factory = None


def connect():
    """Start the broker that the first argument names; gives a session of a started connection, and a queue."""
    trusted = "-Dorg.apache.activemq.SERIALIZABLE_PACKAGES=*"  # classes in object messages, for ActiveMQ
    jpype.startJVM("-Dslf4j.internal.verbosity=ERROR", trusted, convertStrings=False)
    global factory
    factory = globals()[sys.argv[1].removesuffix("5")]()
    connection = factory.createConnection()
    connection.start()
    session = connection.createSession(False, 1)
    return session, session.createQueue("evidence")


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
