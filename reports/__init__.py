"""Reports: HTML pages, exports and command output, made from run bundles.

Everything here needs only a bundle and the catalogue, never a provider. May import `tck.record`,
`tck.catalogue` and `tck.check`; imported by the command line only.
"""
