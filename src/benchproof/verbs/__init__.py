"""One module per verb of the command line; each is also one step of the DAG."""
