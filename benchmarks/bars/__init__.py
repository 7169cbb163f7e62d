"""Bars: figures that the project promises about itself, mostly as ratios of two sides measured in one run.

A module below this package exposes `BARS`, a sequence of `Bar`; `registry` finds every such module.
"""
