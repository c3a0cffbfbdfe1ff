"""Text as the user wrote it: positions, edits, error-tolerant parsing, comments, digests, workspace modules.

May not know: the IR's meaning, analyses, rules, NumPy.
"""
