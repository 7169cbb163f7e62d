"""Faults of the reference bridge and of its channel: what goes in or comes out, or what they do while they run, is changed.

| module | faults |
|---|---|
| `ack_...`, `txn_...`, `c2j`, `j2c`, `running`, ... | broad ones: each breaks its row wherever the row applies |
| `nearly_right` | narrow ones, by subject: they break their rows under one circumstance only |
| `unnoticed` | narrow ones that no case notices yet, each with a witness that sees it, in the world of `witnessing` |
| `dummies` | bridges and channels that do nothing |
| `declaring`, `kit` | how they are written |

`tck detect interworking` runs them.
"""

from collections.abc import Callable

from faults.finding import load_bridges
from faults.interworking import dummies
from faults.interworking.declaring import opening
from tck.interworking import Converter
from tck.interworking.bridge import BridgeFactory
from tck.interworking.channel import ChannelFactory


def __getattr__(name: str) -> Callable[..., Converter | BridgeFactory | ChannelFactory]:
    """Return what makes the converter with a fault, or, with `_factory` or `_channels` behind its name, the factory of bridges or
    of channels with it; profiles of bridges name them. Names have underscores: `iw_2_4_1_11` for the fault of a row,
    `bridge_late` for a narrow one, `raising` and `inert` for the dummies, which have the channels of the kit without transactions.
    """
    if name in ("raising", "inert", "raising_factory", "inert_factory"):
        found = getattr(dummies, name)
    elif name in ("raising_channels", "inert_channels"):
        found = dummies.plain_channels
    elif name.startswith(("iw_", "bridge_")):
        load_bridges()
        found = opening(name)
    else:
        found = None
    if found is None:
        raise AttributeError(f"module {__name__} has no fault {name}")
    return found
