"""Branches of distributed transactions, as a transaction manager makes them, for the programs of 11.3.5."""

import sys
import time
from itertools import count

import brokers
import jpype
from brokers import ACTIVEMQ, ARTEMIS, OPENMQ, connect, made, url
from jpype import JArray, JByte, JClass, JProxy

NOFLAGS, JOIN, RESUME, SUSPEND, SUCCESS, FAIL = 0, 0x200000, 0x8000000, 0x2000000, 0x4000000, 0x20000000
CODES = {-9: "XAER_OUTSIDE", -8: "XAER_DUPID", -7: "XAER_RMFAIL", -6: "XAER_PROTO", -5: "XAER_INVAL", -4: "XAER_NOTA", -3: "XAER_RMERR", 4: "XA_RETRY"}
RUN = f"evidence {time.monotonic_ns()}".encode()  # programs share a broker, and one may leave branches behind
numbers = count(1)
ordinary, _ = connect()


def identifier():
    number, one = next(numbers), JArray(JByte)([1])
    whole = JArray(JByte)([*RUN, number >> 7, number & 127])
    parts = {"getFormatId": lambda: 7, "getGlobalTransactionId": lambda: whole, "getBranchQualifier": lambda: one}
    return JProxy("javax.transaction.xa.Xid", dict=parts)


def factory():
    if sys.argv[1].startswith("activemq"):
        return JClass(ACTIVEMQ + "ActiveMQXAConnectionFactory")(brokers.factory.getBrokerURL())
    if sys.argv[1] == "artemis":
        return JClass(ARTEMIS + "jms.client.ActiveMQXAConnectionFactory")(url("vm://0"))
    xa = JClass(OPENMQ + "XAConnectionFactory")()
    xa.setProperty("imqAddressList", brokers.factory.getProperty("imqAddressList"))
    return xa


def side():
    """Give an XA session of a connection of its own, and its resource."""
    xa = factory().createXAConnection()
    made.append(xa)
    xa.start()
    session = xa.createXASession()
    return session, session.getXAResource()


def code(call):
    """Give what a call returned, or the name of the code that it was refused with."""
    try:
        return f"returned {call()}"
    except jpype.JException as error:
        number = getattr(error, "errorCode", None)
        return type(error).__name__ if number is None else "a code of a rollback" if 100 <= number <= 107 else CODES.get(int(number), f"the code {number}")


def fresh():
    return ordinary.createQueue(f"branches.{next(numbers)}")


def put(queue, *texts, of=ordinary):
    for text in texts:
        of.createProducer(queue).send(of.createTextMessage(text))


def bodies(consumer, wait=1000, most=10):
    came = []
    while len(came) < most and (message := consumer.receive(wait)) is not None:
        came.append(str(message.getText()))
    return came


def sent(session, resource, queue, text="sent"):
    """Send a text in a branch of its own, which is ended."""
    xid = identifier()
    resource.start(xid, NOFLAGS)
    put(queue, text, of=session)
    resource.end(xid, SUCCESS)
    return xid
