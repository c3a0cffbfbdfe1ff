"""Staged functions beside ones written by hand for the same backend, and beside AutoGraph's."""
