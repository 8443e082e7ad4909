"""What the acceptance tests share: a running service, a client that checks answers against the contract, and other checks."""
