"""What does a closed context raise at createTextMessage() (6.2.15)?  closed_context_create.py PROVIDER"""

from brokers import connect, context, end, tell

connect()
closed = context()
closed.close()
tell("createTextMessage() of a closed context", lambda: closed.createTextMessage("x"), "IllegalStateRuntimeException")
end()
