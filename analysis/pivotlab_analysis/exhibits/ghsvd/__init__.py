"""The generalized hyperbolic singular value decomposition: figures and tables of the accuracy of every eigenvalue."""
