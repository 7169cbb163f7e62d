"""getMessageSelector() returns the selector that was given, and nothing of noLocal (3.8.1.1, 8.1).  selector_told.py PROVIDER

case=no-local  of a consumer with noLocal; case=browser  of a browser with a selector by a header
"""

from brokers import connect, end, tell

session, queue = connect()
topic = session.createTopic("evidence.told")
text = "i IS NOT NULL"
tell("of a consumer with noLocal", lambda: session.createConsumer(topic, text, True).getMessageSelector(), text, "no-local")
header = "JMSPriority > 4"
tell("of a browser", lambda: session.createBrowser(queue, header).getMessageSelector(), header, "browser")
end()
