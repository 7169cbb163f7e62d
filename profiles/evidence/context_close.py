"""A JMSContext with many consumers can be closed (6.1.8)."""

from brokers import connect, context, end, tell

_, queue = connect()
opened = context()
for _ in range(12):
    opened.createConsumer(queue)
tell("closing a context with twelve consumers", opened.close, "null")
end()
