"""Does acknowledge() work after a send of its session that the broker refused?  failed_acknowledge.py PROVIDER [SETTINGS]

The send has raised its exception already (7.2); acknowledge() settles what was received (6.2.10). Artemis
tells of an acknowledgement that failed with SETTINGS such as `blockOnAcknowledge=true`.
"""

from contextlib import suppress

import brokers
import jpype
from brokers import asked, connect, connection, end, fail_next_send, tell, texts

session, queue = connect()
if asked():
    brokers.factory = type(brokers.factory)(f"vm://0?{asked()[0]}")
session.createProducer(queue).send(session.createTextMessage("x"))
mine = connection().createSession(False, 2)
message = mine.createConsumer(queue).receive(5000)
elsewhere = mine.createQueue("elsewhere")
fail_next_send(elsewhere)
with suppress(jpype.JException):
    mine.createProducer(elsewhere).send(mine.createTextMessage("refused"))
tell("acknowledge()", message.acknowledge, "null", "exception")
mine.close()
tell("redelivered", lambda: list(texts(session.createConsumer(queue))), "[]", "again")
end()
