"""Start a broker and connect to it, through JPype alone: what the programs beside this one need. See README.md."""

import atexit
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import tomllib
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import jpype
from jpype import JArray, JClass, JProxy, JString

ARTEMIS = "org.apache.activemq.artemis."
ACTIVEMQ = "org.apache.activemq."
OPENMQ = "com.sun.messaging."
stops, links, kills, made, judged, folders, failures, places, heuristics = [], [], [], [], [], [], [], [], []


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


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
    if secured:
        users, roles = JClass(ARTEMIS + "core.config.impl.SecurityConfiguration")(), JClass("java.util.HashSet")()
        for name, password in {**secured, "anybody": "anybody"}.items():
            users.addUser(name, password)
            users.addRole(name, "role")
        users.setDefaultUser("anybody")
        roles.add(JClass(ARTEMIS + "core.security.Role")("role", *[True] * 12))
        server.setSecurityEnabled(True).putSecurityRoles("#", roles)
        login = ARTEMIS + "spi.core.security.jaas.InVMLoginModule"
        broker.setSecurityManager(JClass(ARTEMIS + "spi.core.security.ActiveMQJAASSecurityManager")(login, users))
    broker.start()
    stops.append(broker.stop)
    lost = JClass(ARTEMIS + "api.core.ActiveMQNotConnectedException")("severed")
    links.append(lambda: [each.fail(lost) for each in list(broker.getActiveMQServer().getRemotingService().getConnections())])

    class Plugin:
        def __getattr__(self, name):
            return lambda *_: None

        def beforeSend(self, *_):
            if pending:
                pending.pop()
                raise JClass(ARTEMIS + "api.core.ActiveMQIOErrorException")("the store failed")

    def fail(_):
        if not registered:
            registered.append(JProxy(ARTEMIS + "core.server.plugin.ActiveMQServerMessagePlugin", inst=Plugin()))
            broker.getActiveMQServer().registerBrokerPlugin(registered[0])
        pending.append(1)

    pending, registered = [], []
    failures.append(fail)
    places.append(lambda: [str(each) for each in broker.getActiveMQServer().getPostOffice().getAddresses()])
    base64 = JClass(ARTEMIS + "core.transaction.impl.XidImpl").toBase64String
    heuristics.append(lambda xid: broker.getActiveMQServer().getActiveMQServerControl().commitPreparedTransaction(base64(xid)))
    return JClass(ARTEMIS + "jms.client.ActiveMQJMSConnectionFactory")(url("vm://0"))


def artemis_from_amqp(folder):
    global second
    port = free_port()
    artemis(folder, f"tcp://127.0.0.1:{port}?protocols=CORE,AMQP")
    second = JClass("org.apache.qpid.jms.JmsConnectionFactory")(f"amqp://127.0.0.1:{port}")
    return JClass(ARTEMIS + "jms.client.ActiveMQJMSConnectionFactory")(f"tcp://127.0.0.1:{port}")


def qpid_from_core(folder):
    global second
    core = artemis_from_amqp(folder)
    first, second = second, core
    return first


def qpid(folder):
    port = free_port()
    artemis(folder, f"tcp://127.0.0.1:{port}?protocols=AMQP")
    return JClass("org.apache.qpid.jms.JmsConnectionFactory")(url(f"amqp://127.0.0.1:{port}"))


def activemq5_on_artemis(folder):
    port = free_port()
    artemis(folder, f"tcp://127.0.0.1:{port}?protocols=OPENWIRE")
    return JClass(ACTIVEMQ + "ActiveMQConnectionFactory")(url(f"tcp://127.0.0.1:{port}"))


def qpid_jms11(folder):
    """Start the broker of qpid in a process of its own: its jars clash with the client's. That takes the kit."""
    port = free_port()
    process([sys.executable, "-m", "tck.adapters.jvm.host", "qpid", str(port), str(folder or fresh())], "READY")
    return JClass("org.apache.qpid.jms.JmsConnectionFactory")(f"amqp://127.0.0.1:{port}")


def process(command, ready, folder=None):
    """Start a broker in a process of its own, which ends with its input, and wait until it prints that it is ready."""
    broker = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603 - of ours
    while ready not in broker.stdout.readline():
        if broker.poll() is not None:
            raise SystemExit("the broker did not start")
    threading.Thread(target=broker.stdout.read, daemon=True).start()
    stops.extend((broker.wait, broker.stdin.close))
    kills.append(broker.kill)


def rabbitmq(folder):
    """Start the server by the command of its profile."""
    profile = tomllib.loads((Path(__file__).parents[1] / "providers" / "rabbitmq.toml").read_text(encoding="utf-8"))
    table, port = profile["adapter"]["settings"]["broker"], free_port()
    words = {"port": port, **{name: free_port() for name in table["ports"]}}
    process([part.format(**words) for part in table["command"]], table["ready"], folder or fresh())
    found = JClass("com.rabbitmq.jms.admin.RMQConnectionFactory")()
    found.setUri(table["url"].format(port=port))
    return found


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
    if secured:
        users = JClass("java.util.ArrayList")()
        for name, password in secured.items():
            users.add(JClass(ACTIVEMQ + "security.AuthenticationUser")(name, password, "group"))
        plugin = JClass(ACTIVEMQ + "security.SimpleAuthenticationPlugin")(users)
        plugin.setAnonymousAccessAllowed(True)
        broker.setPlugins([plugin])
    broker.start()
    broker.waitUntilStarted()
    stops.extend((broker.waitUntilStopped, broker.stop))
    lost = JClass("java.io.IOException")("severed")
    links.append(lambda: [each.serviceException(lost) for each in broker.getBroker().getClients()])

    class Interceptor:
        def intercept(self, exchange, message):
            if pending:
                pending.pop()
                raise JClass("java.lang.IllegalStateException")("refused")
            registry().injectMessage(exchange, message)

    def registry():
        return JClass(ACTIVEMQ + "broker.inteceptor.MessageInterceptorRegistry").getInstance().get(broker)

    def fail(destination):
        if destination not in pending_at:
            pending_at.append(destination)
            registry().addMessageInterceptor(destination, JProxy(ACTIVEMQ + "broker.inteceptor.MessageInterceptor", inst=Interceptor()))
        pending.append(1)

    pending, pending_at = [], []
    failures.append(fail)
    return JClass(ACTIVEMQ + "ActiveMQConnectionFactory")(url("vm://b?create=false"))


def openmq(folder, direct=False):
    class Events:
        def brokerEvent(self, event): ...
        def exitRequested(self, event, thrown):
            return False

    home = Path(next(jar for jar in os.environ["CLASSPATH"].split(os.pathsep) if jar.endswith("imq.jar"))).parents[1]
    broker = JClass(OPENMQ + "jmq.jmsclient.runtime.ClientRuntime").getRuntime().createBrokerInstance()
    where = ["-imqhome", str(home), "-libhome", str(home / "lib"), "-varhome", str(folder or fresh()), "-name", "b", "-silent"]
    port = free_port()
    settings = broker.parseArgs(JArray(JString)([*where, "-port", str(port)]))
    sockets = {"imq.portmapper.bind": "false", "imq.service.activelist": ""} if direct else {"imq.service.activelist": "jms", "imq.hostname": "127.0.0.1"}
    for name, value in {"imq.jmx.enabled": "false", "imq.cluster.port": "0", **sockets}.items():
        settings.setProperty(name, value)
    broker.init(settings, JProxy(OPENMQ + "jmq.jmsservice.BrokerEventListener", inst=Events()))
    try:
        broker.start()
    except jpype.JException:  # a call reached the broker before as it was shut down; only the first start fails over that
        broker.stop()
        broker.shutdown()
        return openmq(folder, direct)
    stops.extend((broker.shutdown, broker.stop))
    factory = JClass(OPENMQ + "ConnectionFactory")()
    factory.setProperty("imqAddressList", "mq://localhost/direct" if direct else f"mq://127.0.0.1:{port}/jms")
    return factory


def openmq_direct(folder):
    return openmq(folder, direct=True)


def sqs(_):
    """Start ElasticMQ, with queues by the names that `connect` gives."""
    port = free_port()
    limits = getattr(JClass("org.elasticmq.RelaxedSQSLimits$"), "MODULE$")
    builder = JClass("org.elasticmq.rest.sqs.SQSRestServerBuilder").withInterface("127.0.0.1").withPort(port).withSQSLimits(limits)
    stops.append(builder.start().stopAndWait)
    address = {"endpointUrl": f"http://127.0.0.1:{port}", "region": "elasticmq", "accessKeyId": "x", "secretAccessKey": "x"}
    JClass("java.lang.System").getProperties().putAll({f"aws.{key}": value for key, value in address.items()})
    client = JClass("software.amazon.awssdk.services.sqs.SqsClient").create()
    for number in range(40):
        client.createQueue(JClass("software.amazon.awssdk.services.sqs.model.CreateQueueRequest").builder().queueName(f"queue-{number}").build())
    waits = JClass("com.amazon.sqs.javamessaging.SQSMessageConsumerPrefetch").class_.getDeclaredField("WAIT_TIME_SECONDS")
    waits.setAccessible(True)
    waits.setInt(None, 1)  # so long a close waits, by default 20 seconds
    configuration = JClass("com.amazon.sqs.javamessaging.ProviderConfiguration")().withNumberOfMessagesToPrefetch(0)
    return JClass("com.amazon.sqs.javamessaging.SQSConnectionFactory")(configuration, client)


def settings():
    """Give the settings of the client that the words `with:KEY=VALUE` name."""
    return [each[5:] for each in sys.argv if each.startswith("with:")]


def url(address):
    """Give the address with these settings behind it, as clients of Artemis, ActiveMQ and Qpid JMS take them."""
    return address + "".join(("&" if number or "?" in address else "?") + each for number, each in enumerate(settings()))


factory = second = kept = secured = None
"""With `secured`, a table of passwords by user, the broker knows these, and clients without credentials."""
spoilt, given, queues = False, [], count(1)


def connect(keep=False):
    """Start the broker that the first argument names; gives a session of a started connection, and a queue.

    With `keep` it keeps its messages in files, and `restart` can be called.
    """
    global kept, given
    before, given = given, settings()
    if jpype.isJVMStarted():  # by the program before this one, in run.py
        if keep or kept or spoilt or secured or before != given:
            kept = fresh() if keep else None
            restart()
        return (session := connection().createSession(False, 1)), session.createQueue(fresh_name())
    trusted = "-Dorg.apache.activemq.SERIALIZABLE_PACKAGES=*"  # classes in object messages, for ActiveMQ
    quiet = "-Dimq.silent=true"  # OpenMQ's client prints the stack of each connection that fails
    opened = [f"--add-opens=java.base/{each}=ALL-UNNAMED" for each in ("java.nio", "sun.nio.ch")]  # for the network library of qpid-jms11
    jpype.startJVM("-Dslf4j.internal.verbosity=ERROR", trusted, quiet, *opened, convertStrings=False)
    kept = fresh() if keep else None
    start()
    return (session := connection().createSession(False, 1)), session.createQueue(fresh_name())


def fresh_name():
    """Give the name of a queue that no program of this process has had."""
    return f"queue{'-' if sys.argv[1] == 'sqs' else '.'}{next(queues)}"


def start():
    global factory
    name = sys.argv[1].replace("-", "_")
    factory = (globals().get(name) or globals()[name.partition("5")[0]])(kept)


def restart():
    """Stop the broker in good order and start it again on what it has kept; connections from before are gone."""
    while stops:
        stops.pop()()
    start()


def sever():
    """Break the broker's side of all connections, as the loss of their links does; for Artemis and ActiveMQ."""
    links[-1]()


def fail_next_send(destination):
    """Let the broker fail at the next message that is sent there, by a plugin or an interceptor; for Artemis and ActiveMQ."""
    failures[-1](destination)


def listed():
    """Give the names of what the broker holds; for Artemis."""
    return places[-1]()


def complete(xid):
    """Commit a prepared branch as an administrator; for Artemis."""
    return heuristics[-1](xid)


def connection(client=None, through=None):
    """Give one more connection, started; through another factory than the provider's, if one is given."""
    new = (through or factory).createConnection()
    made.append(new)
    if client:
        new.setClientID(client)
    new.start()
    return new


def api(name):
    """Give the full name of a type of the interfaces that the provider implements."""
    return ("javax" if sys.argv[1].startswith(("activemq5", "qpid-jms11")) else "jakarta") + f".jms.{name}"


def listening(call):
    """Give a message listener that calls something with each message."""
    return JProxy(api("MessageListener"), dict={"onMessage": call})


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


def tell(what, call, right=None, case=None):
    """Print what a call gives, or the exception it raises.

    With `right` it is an observation that decides: a text that the result has to be (the simple name of the exception that has to
    come; `true`, `false`, `null`), or a function that says whether the result is right. A program that shows several things names
    each by `case`; the last argument `case=NAME` then chooses one.
    """
    try:
        result, short = (value := call()), text_of(value)
    except jpype.JException as error:
        value, short = error, str(error.getClass().getSimpleName())
        result = f"{error.getClass().getName()}: {error.getMessage()}"
    print(f"{what}: {result}", flush=True)
    if right is not None:
        judged.append((case, short == right if isinstance(right, str) else bool(right(value)), f"{what}: {result}"))


def text_of(value):
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value)


def asked():
    """Give the arguments behind the provider, without the case and the settings."""
    return [each for each in sys.argv[2:] if not each.startswith(("case=", "with:"))]


def end():
    """Print whether the provider deviates, and leave without waiting for its threads: 1 if it does, 0 if it does right."""
    wanted = next((each[5:] for each in sys.argv if each.startswith("case=")), None)
    mine = [(right, seen) for case, right, seen in judged if wanted in {None, case}]
    wrong = [seen for right, seen in mine if not right]
    if not mine:
        print(f"there is no observation for {sys.argv}", flush=True)
        leave(2)
    seen = (wrong or [seen for _, seen in mine])[0]
    print(f"deviates: {'yes' if wrong else 'no'}  {seen}", flush=True)
    leave(1 if wrong else 0)


def leave(code):
    """End the process without waiting for its threads; a broker in another process ends with its input."""
    clear()
    os._exit(code)


def fresh():
    """Make a folder for a broker's files, which is removed when the process ends."""
    folders.append(Path(tempfile.mkdtemp()))
    return folders[-1]


@atexit.register
def clear():
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
