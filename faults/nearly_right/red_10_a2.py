"""Red round 10, second part: faults in exceptions, written without sight of the suite."""

from faults.kit import *


@of_round(10)(
    "text-cut-off-in-its-middle-is-read",
    "readUTF returns the rest of the bytes where fewer are left than the length before them says",
    "10.3-28",
    around=(ReferenceBytesMessage, "read_utf"),
)
def _(original, message):
    try:
        return original(message)
    except MessageEOFException:
        left = message.body_length - message._position - 2
        if left <= 0:
            raise
        text = utf.decode(message._ahead(2, left))
        message._position += 2 + left
        return text


@of_round(10)(
    "entry-with-too-large-a-number-is-of-wrong-format",
    "a map entry whose text is a whole number too large for the type raises MessageFormatException, not NumberFormatException",
    "10.3-38",
    around=(ReferenceMapMessage, "get_byte", "get_short", "get_int", "get_long"),
)
def _(original, message, name):
    try:
        return original(message, name)
    except NumberFormatException as error:
        text = message.get_object(name)
        if isinstance(text, str) and text.lstrip("-").isdigit():
            raise MessageFormatException(str(error)) from error
        raise


@of_round(10)(
    "failed-commit-of-receipts-alone-returns",
    "commit returns normally although it ended in a rollback, if the transaction has received and not sent",
    "10.3-48",
    "10.3-49",
    at=fault_points.COMMIT,
)
def _(original, session):
    work = session.state.work
    try:
        original(session)
    except TransactionRolledBackException:
        if work.sends or not work.acks:
            raise


@of_round(10)(
    "empty-password-passes-for-no-credentials",
    "a user who gives an empty password is let in, as if without credentials",
    "10.3-15",
    "10.3-16",
    "10.3-17",
    around=(Server, "authenticate"),
)
def _(original, server, user, password):
    original(server, None if password == "" else user, password)
