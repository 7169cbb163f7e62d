"""Exports of a run: JUnit XML, JSON, Markdown, a badge, Allure results, text for the terminal.

Each writer takes an open bundle, a target and the catalogue, and is independent of the others.
"""
