"""Faults in 6.1.1: authentication."""

from faults.kit import *


@saboteur("6.1.1-1", "after a refusal the next valid credentials are refused too")
def _(patch):
    refused = []

    def connect(original, factory, kind, user, password):
        if refused and user is not OMITTED:
            refused.clear()
            raise JMSSecurityException("the account is locked")
        try:
            return original(factory, kind, user, password)
        except JMSSecurityException:
            refused.append(user)
            raise

    patch.at(fault_points.CONNECTION_OPENED, connect)


@saboteur("6.1.1-2", "a connection without credentials acts as the user who connected last")
def _(patch):
    users = []

    def connect(original, factory, kind, user, password):
        made = original(factory, kind, user, password)
        if isinstance(user, str):
            users.append(user)
        elif users:
            made.user = users[-1]
            made.send_properties = send_properties(user=made.user, application=made.identity)
        return made

    patch.at(fault_points.CONNECTION_OPENED, connect)


@saboteur("6.1.1-3", "an empty password is refused with a plain JMSException where a connection is created")
def _(patch):
    def connect(original, factory, kind, user, password):
        try:
            return original(factory, kind, user, password)
        except JMSSecurityException:
            if password == "":
                raise JMSException("no password") from None
            raise

    def create(original, factory, **options):
        if options.get("password") == "":
            options["password"] = None
        return original(factory, **options)

    patch.at(fault_points.CONNECTION_OPENED, connect)
    patch.around(ReferenceConnectionFactory, "create_context", create)


@saboteur(
    "6.1.1-4",
    "createContext with credentials and CLIENT_ACKNOWLEDGE does not look at the password",
    collateral={"6.1-5": "it tries each mode"},
    around=(ReferenceConnectionFactory, "create_context"),
)
def _(original, factory, **options):
    if options.get("session_mode") == Session.CLIENT_ACKNOWLEDGE:
        options = {"session_mode": Session.CLIENT_ACKNOWLEDGE}
    return original(factory, **options)
