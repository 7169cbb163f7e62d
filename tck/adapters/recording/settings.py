"""The settings of an object, from the call that made it, for reports and checks.

session, context             transacted, session_mode (0 to 3, as given or by default)
producer, browser            destination
consumer, connection-consumer  destination, selector, no_local, durable, shared, subscription (its name)
"""

from __future__ import annotations

from collections.abc import Mapping

_TRANSACTED, _AUTO = 0, 1
_NAMES = ("name", "shared_subscription_name", "subscription_name")


def settings_of(kind: str, made_by: str, args: Mapping[str, object]) -> dict[str, object]:
    """Return the settings of an object.

    Args:
        kind: Its kind, the first part of its label.
        made_by: Python name of the member that made it.
        args: The rendered arguments.
    """
    if kind in ("session", "context"):
        return _session(made_by, args)
    if kind not in ("producer", "consumer", "browser", "connection-consumer"):
        return {}
    settings: dict[str, object] = {"destination": _first(args, ("destination", "queue", "topic"))}
    if kind == "producer":
        return settings
    settings["selector"] = args.get("message_selector")
    if kind != "browser":
        settings["no_local"] = args.get("no_local", False)
        settings["durable"] = "durable" in made_by
        settings["shared"] = "shared" in made_by
        settings["subscription"] = _first(args, _NAMES)
    return settings


def _session(made_by: str, args: Mapping[str, object]) -> dict[str, object]:
    mode = args.get("session_mode", args.get("acknowledge_mode", _AUTO))
    transacted = bool(args.get("transacted", mode == _TRANSACTED)) or "xa" in made_by
    return {"transacted": transacted, "session_mode": _TRANSACTED if transacted else mode}


def _first(args: Mapping[str, object], names: tuple[str, ...]) -> object:
    return next((args[name] for name in names if name in args), None)
