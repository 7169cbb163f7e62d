"""clearProperties removes JMSXGroupID and JMSXGroupSeq too (3.5.7)."""

from brokers import connect, end, tell

session, queue = connect()
message = session.createTextMessage("x")
message.setStringProperty("JMSXGroupID", "group")
message.setIntProperty("JMSXGroupSeq", 7)
message.clearProperties()
tell("JMSXGroupID after clearProperties", lambda: message.propertyExists("JMSXGroupID"), "false")
tell("JMSXGroupSeq after clearProperties", lambda: message.propertyExists("JMSXGroupSeq"), "false")
end()
