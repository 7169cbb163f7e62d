"""Compressed blocks of a bundle: Zstandard frames, one after the other, which any tool for .zst files reads as one text.

A block of lines is a frame of its own, so that a reader finds it by its place in the file and reads nothing else.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

SUFFIX: Final = ".zst"
FAST: Final = 1
"""The level of a worker's own files, which are written while cases run and read once."""
SMALL: Final = 6
"""The level of the files of a run that ended: a fifth smaller than the fastest, at a hundredth of the run's time."""


def pack(content: bytes, level: int = FAST) -> bytes:
    """Compress a block; nothing remains nothing."""
    return zstd.compress(content, level) if content else b""


def unpack(content: bytes, *, torn: bool = False) -> bytes:
    """Return the text of frames that follow each other.

    Args:
        content: the frames.
        torn: Return what can be read of a last frame that is cut or no frame at all.

    Raises:
        ValueError: A frame is cut or damaged.
    """
    found = []
    while content:
        reader = zstd.ZstdDecompressor()
        try:
            found.append(reader.decompress(content))
        except zstd.ZstdError as error:
            if torn:
                break
            raise ValueError(f"damaged compressed data ({error})") from None
        if not reader.eof:
            if torn:
                break
            raise ValueError("compressed data that is cut")
        content = reader.unused_data
    return b"".join(found)


def whole(content: bytes) -> int:
    """Return the number of bytes that whole frames at the beginning take."""
    end = 0
    while end < len(content):
        try:
            end += zstd.get_frame_size(memoryview(content)[end:])
        except zstd.ZstdError:
            break
    return end


def cut_torn_tail(path: Path) -> int:
    """Cut a last frame without an end off a file; return the remaining size in bytes."""
    size = whole(path.read_bytes())
    with path.open("r+b") as file:
        file.truncate(size)
    return size
