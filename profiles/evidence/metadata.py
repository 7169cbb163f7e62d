"""Do the numbers of the provider's version agree with its text?  metadata.py PROVIDER

getProviderMajorVersion and getProviderMinorVersion are the numbers of the version that getProviderVersion returns (6.1.6).
"""

from brokers import connect, connection, end, tell

connect()
data = connection().getMetaData()
numbers = [int(part) for part in str(data.getProviderVersion()).split(".")[:2]]
tell("getProviderVersion", data.getProviderVersion)
tell("the major and the minor version", lambda: [data.getProviderMajorVersion(), data.getProviderMinorVersion()], str(numbers))
end()
