"""A JMSContext with several consumers can be closed (6.1.8)."""

from brokers import connect, context, end, tell

_, queue = connect()
for number in (1, 2, 12):
    opened = context()
    for _ in range(number):
        opened.createConsumer(queue)
    tell(f"closing a context with {number} consumers", opened.close, "null")
end()
