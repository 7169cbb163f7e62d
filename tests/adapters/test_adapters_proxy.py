"""The TCP proxy that plays a network's failures: plain sockets on both sides of it."""

import contextlib
import socket

import pytest

from tck.adapters.proxy import Proxy, Side


class Both:
    """A proxy, what listens behind it, and pairs of connected ends."""

    def __init__(self, stack):
        self.stack = stack
        self.behind = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        self.proxy = stack.enter_context(contextlib.closing(Proxy(*self.behind.getsockname())))

    def client(self):
        client = self.stack.enter_context(socket.create_connection(("127.0.0.1", self.proxy.port), 10))
        return client, client.getsockname()[1]

    def link(self, client=None):
        """Connect; gives the client's end, the broker's end and the link's name."""
        client, port = client or self.client()
        self.behind.settimeout(10)
        broker = self.stack.enter_context(self.behind.accept()[0])
        broker.settimeout(10)
        return client, broker, port


@pytest.fixture
def both():
    with contextlib.ExitStack() as stack:
        yield Both(stack)


def reads(end, count):
    taken = b""
    while len(taken) < count and (more := end.recv(count - len(taken))):
        taken += more
    return taken


def silent(end):
    """Whether nothing has arrived. A stalled proxy has not sent what it keeps, whenever one looks."""
    end.setblocking(False)
    with pytest.raises(BlockingIOError):
        end.recv(1)
    end.settimeout(10)
    return True


def is_reset(*ends):
    for end in ends:
        with pytest.raises(ConnectionResetError):
            end.recv(1)
    return True


def test_bytes_go_both_ways_until_the_sides_end(both):
    (client, broker, port), (other, _, other_port) = both.link(), both.link()
    assert both.proxy.links() == (port, other_port)
    client.sendall(b"last")
    client.shutdown(socket.SHUT_WR)
    assert reads(broker, 99) == b"last", "then the end"
    broker.sendall(b"answer")
    broker.shutdown(socket.SHUT_WR)
    assert reads(client, 99) == b"answer"
    assert both.proxy.links() == (other_port,)
    assert silent(other)


def test_more_than_sockets_take_at_once_is_kept_while_a_link_is_stalled(both):
    client, broker, port = both.link()
    much, sent = bytes(range(256)) * 40_000, 0
    both.proxy.stall(port)
    broker.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while sent < len(much):
            sent += broker.send(much[sent:])
    assert silent(client)
    both.proxy.resume(port)
    assert reads(client, sent) == much[:sent]
    assert sent > 1 << 16


def test_a_cut_resets_both_sides_of_one_link_or_of_all(both):
    (client, broker, port), (other, beyond, _) = both.link(), both.link()
    both.proxy.cut(port)
    assert is_reset(client, broker)
    other.sendall(b"x")
    assert reads(beyond, 1) == b"x", "the other link is whole"
    beyond.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
    beyond.close()
    assert is_reset(other), "as a side that resets resets the other"
    third = both.link()[:2]
    both.proxy.cut()
    both.proxy.cut(port)
    assert is_reset(*third)


def test_a_new_link_waits_until_all_are_resumed(both):
    both.proxy.stall()
    client, port = both.client()
    client.sendall(b"early")
    both.behind.setblocking(False)
    assert both.proxy.links() == ()
    with pytest.raises(BlockingIOError):
        both.behind.accept()
    both.proxy.resume()
    assert reads(both.link((client, port))[1], 5) == b"early"
    assert both.proxy.links() == (port,)


def test_one_direction_stalls_and_a_half_open_link_is_noticed_when_it_is_resumed(both):
    client, broker, port = both.link()
    both.proxy.stall(port, Side.BROKER)
    broker.sendall(b"unheard")
    client.sendall(b"heard")
    assert reads(broker, 5) == b"heard"
    assert silent(client)
    both.proxy.half_open(port, Side.BROKER)
    assert is_reset(broker)
    client.sendall(b"into the dark")
    assert silent(client)
    both.proxy.resume(port)
    assert is_reset(client)


def test_nobody_listens_behind_it_or_it_is_closed(both):
    client, _, _ = both.link()
    both.behind.close()
    with pytest.raises(ConnectionResetError):
        both.client()[0].recv(1)
    both.proxy.close()
    both.proxy.close()
    assert is_reset(client)
    with pytest.raises(RuntimeError, match="the proxy is closed"):
        both.proxy.links()
