"""The table of all named states: each pattern with the words that fill it. Imports nothing of ours."""

from __future__ import annotations

from itertools import product
from typing import Final

MODES: Final = ("auto", "client", "dups_ok", "transacted")
APIS: Final = ("classic", "simplified", "queue", "topic")
ENDS: Final = ("queue", "plain", "shared", "durable", "shared_durable")
NAMED: Final = ("shared", "durable", "shared_durable")
DURABLE: Final = ("durable", "shared_durable")
KINDS: Final = ("text", "bytes", "map", "stream", "object", "message")
DOES: Final = ("take", "throw", "acknowledge", "commit", "change", "change and throw")
FAILURES: Final = ("restart", "kill", "sever")
BACK: Final = ("rollback", "recover", "close", *FAILURES)
WAYS: Final = ("receive", "drain", "listener", "browse")
CLASSES: Final = (
    "arithmetic", "between", "boolean", "connective", "header", "identifier", "in", "like", "null", "number", "text",
)  # fmt: skip
SETTINGS: Final = ("mode", "priority", "ttl", "delay", "disable_id", "disable_time")
NAMES: Final = (
    "a dot",
    "begins as another",
    "a blank",
    "differs in case only",
    "letters beyond ASCII",
    "beyond Latin",
    "a wildcard",
    "long",
    "long, alike in its beginning",
)
PRESCRIBED: Final = ("mode", "priority", "ttl", "delay")
HEADERS: Final = ("type", "correlation", "correlation_native", "reply_to", "preset")
SECOND: Final = (
    "connect", "session", "start", "stop", "producer", "message", "send", "consumer", "receive", "drain", "acknowledge", "commit", "rollback",
    "recover", "temporary", "unsubscribe", "close", "listen",
)  # fmt: skip
TOGETHER: Final = (
    "of one connection", "of two connections", "send", "receive", "consumer", "acknowledge", "commit", "rollback", "recover", "close", "stop", "to one queue",
)  # fmt: skip
"""What two threads do at the same time."""

_PATTERNS: Final[tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]] = (
    ("receive {} {}", (ENDS, MODES)),
    ("receive through {} {}", (APIS, MODES)),
    ("receive kind {} from {}", (KINDS, ("queue", "topic"))),
    ("receive {}", (("timeout", "no_wait", "forever", "nothing", "no_wait nothing", "through two consumers", "while stopped", "without body"),)),
    ("receive_body {}", (("string", "bytes", "dict", "serializable", "object", "char_sequence", "comparable", "wrong type", "nothing"),)),
    ("listener {} {}", (DOES, ENDS)),
    ("listener in {} {}", (APIS, MODES)),
    ("listener kind {}", (KINDS,)),
    ("listener {}", (("on a started connection", "on a stopped connection", "taken away", "gets three", "again after throw"),)),
    ("again after {} by {}", (BACK, WAYS)),
    ("again {} {}", (ENDS, BACK)),
    ("again to another consumer after {}", (BACK,)),
    ("again kind {}", (KINDS,)),
    ("again twice after {}", (("rollback", "recover", "close"),)),
    ("compete {} {}", (("queue", "shared", "shared_durable"), ("two sessions", "one session", "listener", "after rollback"))),
    ("{} with {}", (FAILURES, (
        "persistent waiting", "non-persistent waiting", "settled", "in hand", "unsent", "durable", "shared_durable", "listener", "browser",
        "temporary", "delayed", "expiring", "priorities", "contended",
    ))),
    ("{} with {} waiting", (("restart", "kill"), KINDS)),
    ("after {} from {}", (FAILURES, ("queue", "durable", "shared_durable"))),
    ("temporary {} {}", (("queue", "topic"), ("made", "received from", "deleted", "reply to", "transacted", "listener", "refused", "closed"))),
    ("{} {}", (("commit", "rollback"), (
        "nothing", "sends", "receives", "sends and receives", "to two destinations", "to queue and topic", "from two", "many",
    ))),
    ("close {} {}", (("consumer", "session", "connection"), ("in hand", "unsent", "listening", "twice", "waiting"))),
    ("close {}", (("producer", "browser"),)),
    ("select {} by {}", (CLASSES, ("queue consumer", "topic consumer", "named subscription", "browser", "select"))),
    ("noLocal {} {}", (("plain", "durable"), ("own", "other"))),
    ("browse {}", (("nothing", "some", "while consumed", "by selector", "after expiry", "priorities", "second enumeration", "next", "next stale",
                    "after receive", "transacted"),)),
    ("browse kind {}", (KINDS,)),
    ("send on {}", (KINDS,)),
    ("send twice {}", (KINDS,)),
    ("change after send {}", (KINDS,)),
    ("change after receive {}", (KINDS,)),
    ("foreign {}", (KINDS,)),
    ("look {}", (("sent", "received", "spoil", "changed", "after spoil"),)),
    ("drain unread {}", (KINDS,)),
    ("sent with {}", (("vast ttl", "large body", "huge body"),)),
    ("sent with {} {}", (SETTINGS, ("classic", "simplified"))),
    ("received with {}", (HEADERS,)),
    ("{} {} {}", (("expired", "delayed"), ("queue", "topic"), ("at once", "transacted"))),
    ("{}", (("expired and delayed", "expired in durable", "delayed in durable", "delayed to listener", "delayed and priority"),)),
    ("async {} {}", (APIS, MODES)),
    ("send_body {}", (("string", "bytes", "dict", "serializable", "null"),)),
    ("priorities {}", (("queue", "topic"),)),
    ("resume {} {}", (DURABLE, ("same", "other selector", "other topic", "in hand", "after failure", "twice"))),
    ("unsubscribe {}", (("with messages", "without", "unknown", "and again"),)),
    ("subscription {}", (("two clients", "two names", "two of a topic", "missed before"),)),
    ("start after {}", (("receive", "send", "listen"),)),
    ("name {}", (NAMES,)),
    ("names {}", (("of queues", "of topics", "twins"),)),
    ("metadata {}", (APIS,)),
    ("exception listener {}", (APIS,)),
    ("problems broken {}", (APIS,)),
    ("problems {}", (("whole", "of the second listener", "without a listener", "closed", "after a refusal"),)),
    ("second thread {}", (SECOND,)),
    ("together {}", (TOGETHER,)),
    ("request {}", (("queue", "topic", "preset reply-to"),)),
    ("refused {}", (("send", "consumer", "browser", "session", "message", "commit", "rollback", "recover", "acknowledge", "unsubscribe", "receive",
                     "listen", "property", "write", "producer", "temporary", "branch"),)),
    ("acknowledge {}", (("message", "context", "older", "after send on", "two ends"),)),
    ("recover {}", (("nothing", "one", "two ends", "after acknowledge"),)),
    ("pool of {}", (ENDS,)),
    ("pool through {}", (("classic", "queue", "topic"),)),
    ("pool in {}", (MODES,)),
    ("pool {}", (("selects", "of many", "on a stopped connection", "with a backlog", "acknowledges", "commits", "takes only", "closed",
                  "again elsewhere", "then a consumer", "after failure"),)),
    ("branch through {}", (APIS,)),
    ("branch {}", (("start", "end", "suspend", "resume", "prepare", "commit", "one_phase", "rollback", "prepared rollback", "recover", "join", "fail", "undo",
                    "sends", "receives", "both", "elsewhere", "after failure"),)),
    ("wait for {} {}", (ENDS, ("message", "nothing"))),
    ("wait in {} {}", (APIS, MODES)),
    ("wait {}", (("expiring", "selected", "transacted send", "in the same program twice", "again"),)),
    ("wait while stopped {}", (ENDS,)),
    ("wait {}", (("for the second", "through a stop", "until a commit through a stop"),)),
    ("flood {}", (("queue", "topic", "transacted", "deep", "deeper"),)),
    ("failed commit {}", ((
        "of sends", "of receives", "of sends and receives", "twice", *(f"in {each}" for each in APIS),
    ),)),
    ("again after failed commit by {}", (WAYS,)),
    ("{}", (("send after failed send", "commit after failed commit"),)),
    ("failed send {} {}", (APIS, ("sync", "async"))),
    ("failed send {}", (("twice",),)),
    ("prescribed {} {}", (PRESCRIBED, ("queue", "topic", "over producer"))),
    ("prescribed {} of zero", (("priority", "ttl", "delay"),)),
    ("prescribed {}", (("over send", "transacted", "durable", "again after restart"),)),
    ("made exception {}", (("checked", "runtime", "without reason"),)),
    ("made exception {} {}", (("checked", "runtime"), ("linked", "with code"))),
    ("provoked exception {}", (APIS,)),
    ("equal {}", (("correlation", "type", "group", "text", "correlation and identifier"),)),
)  # fmt: skip


def _all() -> frozenset[str]:
    return frozenset(pattern.format(*words) for pattern, choices in _PATTERNS for words in product(*choices))


_IMPOSSIBLE: Final = frozenset(
    {
        *(f"again plain {cause}" for cause in ("close", *FAILURES)),
        *(f"again shared {cause}" for cause in ("restart", "kill")),
        "close consumer unsent",
    }
)
"""States of the patterns that no program meets: a subscription that is not durable ends with its consumers."""

STATES: Final[frozenset[str]] = _all() - _IMPOSSIBLE
"""All named states that a program can meet."""
