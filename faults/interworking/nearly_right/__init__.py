"""Bridges and channels that are nearly right: each fails under one circumstance only, as real ones do.

A saboteur breaks its row wherever the row applies; these keep all rows most of the time. Each `red_...` module holds a red round: faults
written by somebody who had not seen the suite. `tck detect` runs those that the suite notices; docs/strength.md lists the others.
"""

from collections.abc import Callable

from faults.interworking.nearly_right.registry import NearlyRightBridge, all_nearly_right_bridges, nearly_right
from tck.interworking import Converter
from tck.interworking.bridge import BridgeFactory
from tck.interworking.channel import ChannelFactory

__all__ = ["NearlyRightBridge", "all_nearly_right_bridges", "nearly_right"]


def __getattr__(name: str) -> Callable[..., Converter | BridgeFactory | ChannelFactory]:
    """Return what makes the converter with a fault, by its name with underscores, `bridge_late`, or, with `_factory` or `_channels`
    behind that, the factory of bridges or of channels with it; profiles of bridges name them.
    """
    words = name.removesuffix("_factory").removesuffix("_channels").replace("_", "-")
    every = (
        {**all_nearly_right_bridges(), **all_nearly_right_bridges(noticed=False)} if words.startswith("bridge-") else {}
    )
    if words not in every:
        raise AttributeError(f"module {__name__} has no fault {name}")
    opens = every[words].opens
    if name.endswith("_channels"):
        return opens.open_channels
    return opens.open_factory if name.endswith("_factory") else opens.open
