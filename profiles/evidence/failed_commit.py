"""What does a commit say that ends in a rollback, and what of the next one?  failed_commit.py PROVIDER

The broker fails at a message of the transaction, which is not persistent, so that its send does not wait. Its commit has to raise
TransactionRolledBackException (10.3); the work after it is of another transaction (6.2.7).
"""

from brokers import connect, connection, end, fail_next_send, tell, texts

session, queue = connect()
transacted = connection().createSession(True, 0)
producer = transacted.createProducer(queue)
producer.setDeliveryMode(1)
consumer = session.createConsumer(queue)

fail_next_send(queue)
producer.send(transacted.createTextMessage("failed"))
tell("commit() after a send that the broker refused", transacted.commit, "TransactionRolledBackException", "exception")
producer.send(transacted.createTextMessage("after"))
tell("the next commit()", transacted.commit, "null", "next")
transacted.rollback()
tell("received", lambda: list(texts(consumer)), "['after']", "next")
end()
