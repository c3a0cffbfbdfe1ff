"""Passes from ir to ir that make a derivative shorter and faster, and change none of its values.

May not know: rules, gast, source text, NumPy.
"""
