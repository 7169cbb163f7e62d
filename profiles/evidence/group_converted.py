"""The text of JMSXGroupID that is no number raises NumberFormatException when it is read as one (3.5.4)."""

from brokers import connect, end, tell

session, queue = connect()
message = session.createTextMessage("x")
message.setStringProperty("JMSXGroupID", "group")
tell("JMSXGroupID as float", lambda: message.getFloatProperty("JMSXGroupID"), "NumberFormatException")
end()
