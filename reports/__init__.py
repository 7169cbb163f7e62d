"""Turn run bundles into answers: pages, exports, and what the command line prints.

Everything here works from a bundle and the catalogue alone and never touches a provider. May import `tck.record`,
`tck.catalogue` and `tck.check`; imported by the command line only.
"""
