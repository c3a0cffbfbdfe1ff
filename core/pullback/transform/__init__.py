"""Derivatives: ir -> ir. The backward pass is made from the primal's statements and the facts beside them."""
