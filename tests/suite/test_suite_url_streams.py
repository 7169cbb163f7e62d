"""The `jms://` streams: a stream that nobody closed is collected without a call to the provider."""

from __future__ import annotations

import gc
from typing import Any

import pytest

from tck.suite.support.applications.url_streams import UrlReader, UrlWriter


class _Recorder:
    """A client, and a sender, that notes what is called."""

    def __init__(self) -> None:
        self.called: list[str] = []

    def sender(self, _destination: object) -> _Recorder:
        return self

    def set(self, **_options: object) -> _Recorder:
        return self

    def close_session(self) -> None:
        self.called.append("close_session")


def _writer(client: Any) -> UrlWriter:
    return UrlWriter(client, client, {})


def _reader(client: Any) -> UrlReader:
    return UrlReader(client, client, 0)


@pytest.mark.parametrize("make", [_writer, _reader])
def test_a_collected_stream_closes_no_session(make: Any) -> None:
    client = _Recorder()
    stream = make(client)
    stream.itself = stream
    del stream
    gc.collect()
    assert client.called == []


@pytest.mark.parametrize("make", [_writer, _reader])
def test_a_closed_stream_closes_its_session_once(make: Any) -> None:
    client = _Recorder()
    with make(client) as stream:
        pass
    stream.close()
    assert client.called == ["close_session"]
