"""What happened to a subscription, in the words of both kinds of notification."""
import dataclasses


@dataclasses.dataclass
class Event:
    """`kind` and `subtype` are version 2's; `kind_v1` is None where version 1 says nothing. `at` is ms;
    `cancelled` is the transaction whose money, or a part of it, went back."""

    kind: str
    subtype: str | None
    kind_v1: str | None
    at: int
    transaction: dict
    cancelled: dict | None = None
