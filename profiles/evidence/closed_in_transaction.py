"""Does a consumer that is closed within a transaction get more messages?  closed_in_transaction.py PROVIDER

Its listener is not to be called after `close` has returned (8.2.2? see the catalogue: nothing-after-close).
"""

import threading
import time

from brokers import connect, connection, end, tell
from jpype import JImplements, JOverride

AMOUNT = 500
session, queue = connect()
producer = session.createProducer(queue)
for number in range(AMOUNT):
    producer.send(session.createTextMessage(str(number)))
link = connection()
mine = link.createSession(True, 0)
consumer = mine.createConsumer(queue)
