"""One request and one answer, apart from sockets."""
import dataclasses
import json


@dataclasses.dataclass
class Request:
    """`environment` is "Production", "Sandbox" or None; `query` has lists; `body` is bytes; `notes` go into the request log."""

    method: str
    path: str
    query: dict
    headers: dict
    body: bytes
    environment: str | None = None
    route: str | None = None
    argument: str | None = None
    notes: dict = dataclasses.field(default_factory=dict)

    def json(self):
        """Raises ValueError unless the body is a JSON object."""
        value = json.loads(self.body or b"{}")
        if not isinstance(value, dict):
            raise ValueError("the body is not an object")
        return value

    def first(self, name):
        """The first value of a query parameter, or None."""
        return self.query.get(name, [None])[0]


@dataclasses.dataclass
class Answer:
    """`value` is JSON, or a text for other kinds of content."""

    status: int
    value: object = None
    headers: dict = dataclasses.field(default_factory=dict)

    def encoded(self):
        """(headers, body)."""
        if isinstance(self.value, str):
            return {"Content-Type": "text/plain; charset=utf-8", **self.headers}, self.value.encode()
        return {"Content-Type": "application/json", **self.headers}, json.dumps(self.value).encode()


class Refusal(Exception):
    """Ends a route with an answer."""

    def __init__(self, answer):
        super().__init__(answer)
        self.answer = answer


def error(code, message):
    """An error of the App Store Server API; its HTTP status is how the code begins."""
    return Refusal(Answer(code // 10000, {"errorCode": code, "errorMessage": message}))
