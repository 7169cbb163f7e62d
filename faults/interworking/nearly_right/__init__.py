"""Bridges and channels that are nearly right, by subject: each fails under one circumstance only, as real ones do."""
