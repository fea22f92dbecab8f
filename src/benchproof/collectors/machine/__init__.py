"""What collectors tell about the machine: what it is, what state it is in, what it can do at most.

Only the standard library is needed. Whatever a platform does not tell is left out, never 0.
"""
