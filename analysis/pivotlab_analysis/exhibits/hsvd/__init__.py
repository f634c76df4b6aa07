"""The singular value decomposition: figures and tables of the accuracy of every singular value, and of times."""
