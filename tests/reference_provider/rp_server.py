"""An application server of the tests: one server session in a pool."""

from rp_support import Keeping

from tck.api import ServerSession, ServerSessionPool, Session


class Server(ServerSession):
    """A server session with a thread for each start."""

    def __init__(self, pool, session):
        self.pool = pool
        self._session = session

    @property
    def session(self):
        """Give the session."""
        self.pool.calls.append("session")
        return self._session

    def start(self):
        """Run the session on a thread."""
        self.pool.calls.append("start")

        def run():
            before = len(self.pool.texts)
            self._session.run()
            self.pool.batches.append(len(self.pool.texts) - before)
            self.pool.give(self)

        self.pool.clock.spawn(run, "server")


class Pool(ServerSessionPool):
    """A pool of one server session; blocks while it is out."""

    def __init__(self, provider, connection, mode=Session.AUTO_ACKNOWLEDGE, then=None, expected=0):
        self.clock = provider.clock
        self.calls, self.texts, self.batches = [], [], []
        self.done = self.clock.event()
        self.back = self.clock.event()
        self.back.set()
        session = connection.create_session(session_mode=mode)

        def work(message):
            self.texts.append(message.text)
            if then is not None:
                then(message, session)
            if len(self.texts) == expected:
                self.done.set()

        session.message_listener = Keeping(work)
        self.server = Server(self, session)
        self.held = False

    def get_server_session(self):
        """Take the one there is."""
        self.calls.append("get")
        self.back.wait(None)
        self.back = self.clock.event()
        return self.server

    def give(self, server):
        """Put it back."""
        assert server is self.server
        if not self.held:
            self.back.set()
