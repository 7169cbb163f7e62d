"""Does closing one of two shared consumers return?  shared_hang.py PROVIDER

Two connections share a subscription; messages are waiting at both when one of them closes (8.3.2).
"""

import threading
import time

from brokers import connect, end, tell
from jpype import JClass

session, _ = connect()
factory = JClass("com.sun.messaging.ConnectionFactory")()
factory.setProperty("imqAddressList", "mq://localhost/direct")
connections = [factory.createConnection() for _ in range(2)]
for connection in connections:
    connection.createSession(False, 1).createSharedConsumer(session.createTopic("evidence"), "name")
    connection.start()
producer = session.createProducer(session.createTopic("evidence"))
for _ in range(2):
    producer.send(session.createMessage())
closing = threading.Thread(target=connections[0].close, daemon=True)
closing.start()
closing.join(5)
used = time.process_time()
time.sleep(1)
tell("close() has returned after 5 s", lambda: not closing.is_alive(), "true")
tell("processor time in the second after that", lambda: round(time.process_time() - used, 1))
end()
