"""A messaging provider in one process, persisted in SQLite: the kit's answer to "what should a provider do here?".

Imports `tck.api`, the standard library, lark and sqlite-utils; knows nothing of the kit around it.
`reference_provider.adapter.open_provider` is the way in.
"""

from __future__ import annotations
