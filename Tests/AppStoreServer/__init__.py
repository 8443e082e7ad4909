"""A local App Store for tests: certificates, customers, receipts, notifications, and the HTTP that goes with them."""
