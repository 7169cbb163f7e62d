"""Programs"""
