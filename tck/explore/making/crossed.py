"""The program of a crossing: what its circumstances ask for, in the order of a message's life; then the usual ending."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tck.explore.making.crossing import Crossing
from tck.explore.making.draft import Draft
from tck.explore.making.moves_receiving import BODIES
from tck.explore.making.stage import browse, connect, consumer, domain_of, listen, owner_of, receive, root, settle
from tck.programs.program import Json
from tck.programs.state.objects import Consumer, Session

TAKEN: Final = 3
"""So many messages are taken before the event, at most."""
_TERMS: Final[Mapping[str, Mapping[str, Json]]] = {
    "non-persistent": {"mode": 1}, "time to live": {"ttl": 2}, "delay": {"delay": 1}, "delay and time to live": {"delay": 1, "ttl": 3},
}  # fmt: skip
_DOES: Final[Mapping[str, tuple[str, ...]]] = {"client": ("take", "acknowledge"), "transacted": ("take", "commit")}
_PRIORITIES: Final = (4, 9, 0)


def play(draft: Draft, crossing: Crossing) -> None:
    """Make the program of a crossing, but for its ending; steps that the specification leaves open are left out."""
    _Play(draft, crossing).play()


class _Play:
    """A crossing under way: its place, the session and the consumer that receive, the producer, and what was taken."""

    def __init__(self, draft: Draft, crossing: Crossing) -> None:
        self.draft, self.crossing, self.at = draft, crossing, crossing.circumstances
        self.kind = self.at["end"]
        self.domain = domain_of(self.kind)
        self.interface = self.domain if self.at["api"] == "domain-specific" else self.at["api"]
        self.of = self._place()
        self.owner = owner_of(draft, self.kind)
        self.on: Session | None = None
        self.found: Consumer | None = None
        self.through: str | None = None
        self.sender: Session | None = None
        self.browser: str | None = None
        self.sent: list[str] = []
        self.got: list[str] = []

    def _place(self) -> str:
        name = self.draft.fresh(self.domain[0])
        self.draft.do(self.domain, name)
        return name

    def play(self) -> None:
        """Play it."""
        self.on = connect(self.draft, self.interface, self.at["mode"], self.owner)
        self._lives_before()
        later = self.at["opened"] == "after"
        if not later or self.kind in {"durable", "shared_durable"}:
            self._opens()
        if later and self.found is not None:
            self.draft.do("close", on=self.found.name)
            self.found = None
        company = self._keeps_company()
        self._sends(int(self.at["count"]))
        if self.at["terms"].startswith("delay"):
            self.draft.do("advance", units=1)
        if self.found is None:
            self._opens()
        self._takes(min(TAKEN, int(self.at["count"])))
        rival = company if self.at["company"] == "rival" else None
        if rival is not None:
            receive(self.draft, rival)
        if self.on is not None:
            self._happens(self.on)
        self._takes(1)
        if rival is not None and rival.session.state == "open":
            self.draft.do("rollback" if rival.session.mode == "transacted" else "recover", on=rival.session.name)
        self._drains(self.found)
        self._drains(company)
        if self.on is not None and not self.on.running:
            settle(self.draft, self.on)

    # -- before ----------------------------------------------------------------------------------------------------

    def _lives_before(self) -> None:
        """Have an object of before that is used and closed, or unsubscribed, in the place of the later one."""
        draft, life = self.draft, self.at["life"]
        if self.on is None or life == "first":
            return
        if life == "destination object":
            draft.do(self.domain, on=self.on.name, of=self.of)
            return
        on = self.on if life in {"consumer", "subscription"} else self._another(self.on)
        found = on and consumer(draft, on, self.kind, self.of)
        if not on or not found:
            return
        self._sends(1)
        receive(draft, found)
        settle(draft, on)
        draft.do("close", on=found.name)
        if self.kind in {"durable", "shared_durable"} and life != "consumer":
            draft.do("unsubscribe", on=on.name, name="sub")
        if life == "session":
            draft.do("close", on=on.name)
        elif life == "connection":
            draft.do("close", on=root(self.on))
            self._connects()
        self.sender = self.through = None

    def _another(self, on: Session) -> Session | None:
        """Return another session of a connection."""
        name = self.draft.made("session", "s", on=root(on), mode=self.at["mode"])
        return None if name is None else self.draft.rules.sessions[name]

    def _connects(self) -> None:
        self.on = connect(self.draft, self.interface, self.at["mode"], self.owner)
        self.found = None

    def _opens(self) -> None:
        """Open what receives."""
        draft, way, on = self.draft, self.at["way"], self.on
        if on is None or on.state != "open":
            return
        if way == "server session":
            named: dict[str, Json] = {} if self.kind in {"queue", "plain"} else {"kind": self.kind, "name": "sub"}
            does = {"client": "acknowledge", "transacted": "commit"}.get(on.mode, "take")
            name = draft.made(
                "pool", "k", on=on.connection.name, session=on.name, of=self.of, does=does, most=2, **named
            )
            self.found = None if name is None else draft.rules.consumers[name]
        elif way == "browser" and not self.sent:
            self.browser = browse(draft, self.of)
        else:
            self.found = consumer(draft, on, self.kind, self.of)
            if self.found is not None and way == "listener":
                listen(draft, self.found, draft.one(_DOES.get(on.mode, ("take", "throw"))))
            elif self.found is not None and way == "waiting":
                draft.do("await", on=self.found.name)

    def _keeps_company(self) -> Consumer | None:
        """Make a second object beside the one that receives."""
        draft, company, on = self.draft, self.at["company"], self.on
        if on is None or company == "none":
            return None
        if company == "browser":
            name = browse(draft, self.of)
            if name is not None:
                draft.made("enumerate", "e", on=name)
            return None
        beside = on
        if company in {"session", "rival"}:
            beside = self._another(on) or on
        elif company == "connection":
            beside = connect(draft, self.interface, self.at["mode"]) or on
        if company == "rival":
            return consumer(draft, beside, self.kind, self.of)
        if company == "subscription":
            kind = "shared" if self.kind == "plain" else self.kind
            name = draft.made("consumer", "k", on=beside.name, of=self.of, kind=kind, name="two")
            return None if name is None else draft.rules.consumers[name]
        return consumer(
            draft,
            beside,
            "queue" if self.kind == "queue" else "plain",
            self._place() if self.kind == "queue" else self.of,
        )

    # -- sending ---------------------------------------------------------------------------------------------------

    def _sends(self, count: int) -> None:
        """Send messages in the way of the crossing: those that were chosen, then plain ones."""
        draft, sending = self.draft, self.at["sending"]
        if self.sender is None:
            self.sender = self._sending_session()
        on = self.sender
        if on is None or on.running:
            return
        bound = not on.connection.simplified and sending != "unbound"
        if self.through is None:
            self.through = draft.made("producer", "p", on=on.name, **({"to": self.of} if bound else {}))
            for what, value in _TERMS.get(self.at["terms"], {}).items():
                if self.through and (sending != "arguments" or what == "delay"):
                    draft.do("set", on=self.through, what=what, value=value)
        if self.through is None:
            return
        if sending == "rolled back first":
            self._send(on, 0, {} if bound else {"to": self.of})
            draft.do("rollback", on=on.name)
        for number in range(count):
            self._send(on, number, {} if bound else {"to": self.of})
        if on.mode == "transacted":
            draft.do("commit", on=on.name)

    def _sending_session(self) -> Session | None:
        match self.at["sending"]:
            case "same session":
                return self.on
            case "transacted" | "rolled back first":
                return connect(self.draft, self.interface, "transacted")
            case _:
                return connect(self.draft, self.interface, "auto")

    def _send(self, on: Session, number: int, to: dict[str, Json]) -> None:
        draft, sending = self.draft, self.at["sending"]
        if self.at["terms"] == "priorities" and self.through is not None:
            draft.do("set", on=self.through, what="priority", value=_PRIORITIES[number % len(_PRIORITIES)])
        chosen = self.crossing.messages
        plain: dict[str, Json] = {"kind": "text", "body": ["string", f"text {number}"]}
        args = {**chosen[number]} if number < len(chosen) else plain
        if sending == "body" and args["kind"] == "text":
            draft.do("send_body", on=self.through, to=self.of, body=args["body"], type="string")
            return
        args["properties"] = [["n", "int", draft.contents.tag()], *args.get("properties", ())]
        name = draft.made("message", "m", on=None if sending == "foreign" else on.name, **args)
        options: dict[str, Json] = {"asynchronous": {"async": True}, "publish": {"publish": True}}.get(sending, {})
        if sending == "arguments":
            terms = _TERMS.get(self.at["terms"], {})
            options = {"mode": terms.get("mode", 2), "priority": 4, "ttl": terms.get("ttl", 0)}
        if name is not None and draft.do("send", on=self.through, message=name, **to, **options) is not None:
            self.sent.append(name)

    # -- receiving -------------------------------------------------------------------------------------------------

    def _takes(self, count: int) -> None:
        """Receive in the way of the crossing."""
        draft, found, way = self.draft, self.found, self.at["way"]
        looks = way == "browser" and self.kind == "queue"
        if looks and (self.browser is None or draft.do("browse", on=self.browser) is None):
            self.browser = browse(draft, self.of)
        if found is None or found.state != "open":
            return
        if way in {"listener", "server session"} and found.session.running:
            draft.do("advance", units=0)
            return
        for number in range(count):
            name = draft.fresh("m")
            if way == "waiting" and number == 0 and found.name in found.session.waiting:
                seen = draft.do("collect", name, on=found.name)
            elif way == "body":
                seen = draft.do("receive_body", on=found.name, type=draft.one(BODIES))
            else:
                seen = draft.do("receive", name, on=found.name, **({"how": "no_wait"} if way == "no wait" else {}))
            got = (seen.get("ok") or {}).get("got") if seen is not None else None
            if not got:
                return
            if name in draft.rules.messages:
                self.got.append(name)

    def _drains(self, found: Consumer | None) -> None:
        if found is not None and found.state == "open" and not found.session.running:
            self.draft.do("drain", on=found.name)

    # -- what happens in between -----------------------------------------------------------------------------------

    def _happens(self, on: Session) -> None:
        draft, event = self.draft, self.at["event"]
        match event:
            case "given back" | "given back twice":
                for _ in range(1 + event.endswith("twice")):
                    draft.do("rollback" if on.mode == "transacted" else "recover", on=on.name)
                    self._takes(1)
            case (
                "consumer closed"
                | "session closed"
                | "connection closed"
                | "restart"
                | "kill"
                | "sever"
                | "unsubscribed"
            ):
                self._loses(on, event)
            case "stopped":
                draft.do("stop", on=root(on))
                self._sends(1)
                self._takes(1)
                draft.do("start", on=root(on))
            case "sent on" | "changed":
                self._sends_on(on)
            case "sent again" if self.sent and self.through is not None and self.sender is not None:
                to: dict[str, Json] = {"to": self.of} if draft.rules.producers[self.through].destination is None else {}
                draft.do("send", on=self.through, message=self.sent[0], **to)
                if self.sender.mode == "transacted":
                    draft.do("commit", on=self.sender.name)
            case "time passed":
                draft.do("advance", units=2)
            case "refused call":
                draft.do("recover" if on.mode == "transacted" else "commit", on=on.name)
                draft.do("consumer", draft.fresh("z"), on=on.name, of=self.of, selector="a = = 1")
            case _:
                pass

    def _loses(self, on: Session, event: str) -> None:
        """Close or lose what receives, and open it again."""
        draft, self.browser = self.draft, None
        if event in {"restart", "kill", "sever"}:
            draft.do(event, **({"on": root(on)} if event == "sever" else {}))
        elif self.found is not None:
            draft.do("close", on={"session closed": on.name, "connection closed": root(on)}.get(event, self.found.name))
        if event == "unsubscribed":
            draft.do("unsubscribe", on=on.name, name="sub")
        if on.connection.state != "open":
            self._connects()
        elif on.state != "open":
            self.on = self._another(on)
        if self.sender is not None and self.sender.state != "open":
            self.sender = self.through = None
        self._opens()
        if event == "unsubscribed":
            self._sends(1)

    def _sends_on(self, on: Session) -> None:
        """Send a message on that was received, changed before if the crossing says so."""
        draft = self.draft
        if not self.got:
            return
        name = self.got[0]
        if self.at["event"] == "changed":
            draft.do("clear_properties", on=name)
            draft.do("property", on=name, name="a", type="int", value=1)
            draft.do("clear_body", on=name)
            kind = draft.rules.messages[name].kind
            if kind != "message":
                draft.do("write", on=name, body=draft.contents.body(kind))
            draft.do("look", on=name, received=True)
        to = self._place()
        bound: dict[str, Json] = {} if on.connection.simplified else {"to": to}
        beside = self._another(on) if self.domain == "topic" else None
        other = None if beside is None else consumer(draft, beside, "plain", to)
        through = draft.made("producer", "p", on=on.name, **bound)
        if through is not None:
            draft.do("send", on=through, message=name, **({"to": to} if on.connection.simplified else {}))
            if on.mode == "transacted":
                draft.do("commit", on=on.name)
        self._drains(other)
