"""Faults of the reference bridge, one for each row on interworking: each breaks its row wherever the row applies.

`tck detect interworking` runs them. A fault changes what goes into the converter or what comes out of it.
"""

from collections.abc import Callable

from faults.interworking.plain import plain_channels
from faults.interworking.registry import (
    BridgeSaboteur,
    all_bridge_saboteurs,
    inert,
    inert_factory,
    raising,
    raising_factory,
)
from tck.interworking import Converter
from tck.interworking.bridge import BridgeFactory
from tck.interworking.channel import ChannelFactory

__all__ = ["BridgeSaboteur", "all_bridge_saboteurs", "inert", "inert_factory", "raising", "raising_factory"]


def __getattr__(name: str) -> Callable[..., Converter | BridgeFactory | ChannelFactory]:
    """Return what makes the converter with the fault of a row, by its id as a name, `iw_2_4_1_11`, or, with `_factory` or
    `_channels` behind that, the factory of bridges or of channels with it; profiles of bridges name them. The dummies have the
    channels of the kit, without transactions.
    """
    parts = name.removesuffix("_factory").removesuffix("_channels").split("_")
    row = f"iw-{'.'.join(parts[1:-1])}-{parts[-1]}"
    found = all_bridge_saboteurs().get(row) if parts[0] == "iw" else None
    if name in ("raising_channels", "inert_channels"):
        return plain_channels
    if found is None:
        raise AttributeError(f"module {__name__} has no fault {name}")
    if name.endswith("_channels"):
        return found.open_channels
    return found.open_factory if name.endswith("_factory") else found.open
