"""Can a context be used by a thread after another has used it?  context_threads.py PROVIDER

Its session, and so a context, is for one thread at a time, whichever that is (2.14, 6.2.5): only use at the same time is excluded.
"""

from brokers import connect, context, end, tell, together
from jpype import JClass

connect()
shared = context()
print("the first thread made", shared.createTextMessage("x").getText())


def second():
    # Java's own threads have one; those of Python have none.
    JClass("java.lang.Thread").currentThread().setContextClassLoader(JClass("java.lang.ClassLoader").getSystemClassLoader())
    tell("the second thread made", lambda: shared.createTextMessage("y").getText(), "y")


together(second)
end()
