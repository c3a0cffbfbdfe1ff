"""The language server: LSP in, questions to `pullback.ide`, LSP out.

One short module a feature; `server.py` lists what is registered, `convert.py` holds all work on
positions, `documents.py` what the client has open.
"""
