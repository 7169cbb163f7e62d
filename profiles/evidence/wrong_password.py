"""Is a connection refused with wrong credentials?  wrong_password.py PROVIDER wrong|empty

createConnection raises JMSSecurityException, if the broker does not know the user or the password is another (6.1.1). The broker knows
one user, and clients without credentials.
"""

import brokers
from brokers import api, asked, connect, end, tell
from jpype import JClass

brokers.secured = {"user": "right"}
connect()


def refused(result):
    return isinstance(result, JClass(api("JMSSecurityException")))


password = "" if asked() == ["empty"] else "wrong"
tell("createConnection() with the right password", lambda: brokers.factory.createConnection("user", "right").getClass().getSimpleName())
tell(f'createConnection() with the password "{password}"', lambda: brokers.factory.createConnection("user", password), refused)
end()
