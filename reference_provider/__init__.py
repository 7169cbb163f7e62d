"""A messaging provider in one process, persisted in SQLite: the kit's answer to "what should a provider do here?".

Imports `tck.api`, the standard library, lark and sqlite-utils. Must not know the kit around it. The entry point is
`reference_provider.adapter.open_provider`.

Rooms, each importing only those below it: `adapter`, `saboteurs`, `provider` (the SPI), `administration`, `naming`,
`client` (what clients call), `server` (what outlives a restart), `broker` (destinations, routing, transactions),
`store` (the file) and `messages`, `selector`, `java`, `destinations` and `clock`.
"""

from __future__ import annotations
