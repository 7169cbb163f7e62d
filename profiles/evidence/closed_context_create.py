"""What do calls of a closed context raise (6.1.8, 6.2.15)?  closed_context_create.py PROVIDER

case=create    createTextMessage()
case=metadata  getMetaData()
"""

from brokers import connect, context, end, tell

connect()
closed = context()
closed.close()
tell("createTextMessage() of a closed context", lambda: closed.createTextMessage("x"), "IllegalStateRuntimeException", "create")
tell("getMetaData() of a closed context", closed.getMetaData, "IllegalStateRuntimeException", "metadata")
end()
