"""An application server for connection consumers: a pool of server sessions, for the programs of chapter 11."""

import threading
from queue import Empty, SimpleQueue

from brokers import api, connection, listening
from jpype import JClass, JProxy


def server(work, sessions=1, mode=1, where=None):
    """Give an application server: its connection, and a pool whose sessions call `work(session, message)`, on threads of their own.

    The pool blocks while it is empty, at most ten seconds. With mode 0 the sessions are transacted.
    """
    where, free = where or connection(), SimpleQueue()

    class Server:
        def __init__(self):
            self.session = where.createSession(mode == 0, mode)
            self.session.setMessageListener(listening(lambda message: work(self.session, message)))
            self.proxy = JProxy(api("ServerSession"), inst=self)
            free.put(self)

        def getSession(self):
            return self.session

        def start(self):
            threading.Thread(target=self.run, daemon=True).start()

        def run(self):
            self.session.run()
            free.put(self)

    class Pool:
        def getServerSession(self):
            try:
                return free.get(timeout=10).proxy
            except Empty:
                raise JClass(api("JMSException"))("the pool is empty") from None

    for _ in range(sessions):
        Server()
    return where, JProxy(api("ServerSessionPool"), inst=Pool())
