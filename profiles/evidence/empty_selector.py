"""An empty selector is none (3.8.1.1), so getMessageSelector gives null."""

from brokers import connect, end, tell

session, queue = connect()
tell("of a consumer, null", lambda: repr(session.createConsumer(queue, "").getMessageSelector()))
tell("of a browser, null", lambda: repr(session.createBrowser(queue, "").getMessageSelector()))
end()
