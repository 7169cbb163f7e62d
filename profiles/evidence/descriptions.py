"""What do exceptions say of the error?  descriptions.py PROVIDER

getMessage of an exception describes the error (10.2).
"""

from brokers import api, connect, end, tell
from jpype import JClass

session, queue = connect()


def described(call):
    try:
        call()
    except JClass(api("JMSException")) as error:
        return bool(error.getMessage() and str(error.getMessage()).strip())
    return None


read = session.createBytesMessage()
read.writeByte(1)
read.reset()
read.readByte()
stream = session.createStreamMessage()
stream.reset()
closed = session.createBrowser(queue)
closed.close()
tell("reading past the end of a bytes message is described", lambda: described(read.readInt), "true", "bytes")
tell("reading past the end of a stream message is described", lambda: described(stream.readInt), "true", "stream")
tell("writing a bytes message in reading is described", lambda: described(lambda: read.writeInt(1)), "true", "write")
end()
