"""What the acceptance tests share: a running service, a client that checks the contract, crypto of other people's."""
