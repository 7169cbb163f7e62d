"""A rollback, or recover(), of the session leaves an enumeration alone that has shown one message of three (4.1.6-4)."""

from brokers import connect, connection, end, tell


def rest(scan):
    found = [scan.nextElement() for _ in range(3) if scan.hasMoreElements()]
    return [message and str(message.getText()) for message in found]


sender, _ = connect()
for mode, what in ((0, "rollback"), (2, "recover")):
    session = connection().createSession(mode == 0, mode)
    queue = sender.createQueue(f"browsed.{what}")
    for text in ("one", "two", "three"):
        sender.createProducer(queue).send(sender.createTextMessage(text))
    enumeration = session.createBrowser(queue).getEnumeration()
    tell(f"before {what}()", enumeration.nextElement().getText)
    session.rollback() if mode == 0 else session.recover()
    tell(f"after {what}()", lambda shown=enumeration: rest(shown), "['two', 'three']", case=what)
end()
