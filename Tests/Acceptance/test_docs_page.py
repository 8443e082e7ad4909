"""The OpenAPI document as pages: complete, and with nothing in them that runs or comes from elsewhere."""
import html.parser
import re

import httpx
import pytest

from harness.waiting import PATIENCE


class Page(html.parser.HTMLParser):
    """What a page has of elements, attributes and places."""

    def __init__(self, source):
        super().__init__()
        self.tags, self.links, self.ids, self.handlers, self.texts = set(), [], [], [], []
        self.open = []
        self.feed(source)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        if tag not in ("meta", "br"):
            self.open.append(tag)
        for name, value in attributes:
            if name == "href":
                self.links.append(value)
            elif name == "id":
                self.ids.append(value)
            elif name.startswith("on") or name in ("src", "style"):
                self.handlers.append((tag, name, value))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] != ["style"]:
            self.texts.append(data)


@pytest.fixture(scope="module")
def answers(instance):
    """The answers with all pages, by their paths."""
    client = instance.client(token="")
    operations = [each["operationId"] for methods in client.contract.document["paths"].values() for each in methods.values()]
    return {path: client.get(path) for path in ["/", "/docs", "/docs/codes", *(f"/docs/{each}" for each in operations)]}


@pytest.fixture(scope="module")
def pages(answers):
    pages = {path: Page(answer.text) for path, answer in answers.items()}
    assert all(page.open == [] for page in pages.values())
    return pages


def test_each_operation_has_a_page_with_its_fields_and_codes(instance, pages):
    document = instance.client().contract.document
    index = " ".join(pages["/docs"].texts)
    assert f"API {document['info']['version']}" in re.sub(r"\s+", " ", index)
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            name = operation["operationId"]
            text = " ".join(pages[f"/docs/{name}"].texts)
            assert f"{method.upper()} {path}" in index and name in pages["/docs"].ids
            assert path in text and operation["summary"] in text
            for code in ("401", "403") if "x-roles" in operation else ():
                assert code in text
    for name, page in (("SignatureRequest", "signOffers"), ("OfferToSign", "signOffers"), ("EligibilityAnswer", "checkEligibility"),
                       ("Subscription", "checkEligibility"), ("HistoryReport", "addTransactions")):
        for field in document["components"]["schemas"][name]["properties"]:
            assert field in pages[f"/docs/{page}"].texts, f"{name}.{field}"
    for code in document["components"]["schemas"]["Problem"]["properties"]["code"]["x-codes"]:
        assert f"code-{code}" in pages["/docs/codes"].ids


def test_no_page_is_long(answers):
    assert max(len(answer.content) for answer in answers.values()) < 128 << 10


def test_every_code_has_a_status_and_a_meaning(answers):
    rows = re.findall(r"<tr>(.+?)</tr>", answers["/docs/codes"].text)
    assert len(rows) > 40
    for row in rows:
        assert re.search(r'<td class="type">[45]\d\d', row), row
        assert re.search(r"<td><p>[^<]{5,}|<td><p><code>", row), row


def test_nothing_in_them_runs_or_comes_from_elsewhere(answers, pages):
    for path, page in pages.items():
        policy = answers[path].headers["content-security-policy"]
        assert "script-src" not in policy and "unsafe" not in policy and "default-src 'none'" in policy
        assert answers[path].headers["x-content-type-options"] == "nosniff"
        assert not page.tags & {"script", "link", "img", "iframe", "object", "embed", "form"}
        assert page.handlers == []
        assert "@import" not in answers[path].text and "url(" not in answers[path].text


def test_every_link_leads_somewhere(instance, pages):
    links = set()
    for page in pages.values():
        assert len(set(page.ids)) == len(page.ids)
        links |= set(page.links)
    assert len(links) > 100
    for link in links:
        path, _, anchor = link.partition("#")
        if anchor:
            assert anchor in pages[path].ids, link
        elif path not in pages:
            # The console is in no contract.
            assert httpx.get(instance.url + path, follow_redirects=True, timeout=PATIENCE).status_code == 200, link


def test_a_page_that_there_is_not_is_not_found(instance):
    answer = instance.client(token="").get("/docs/nothing")
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")


def test_the_root_leads_to_the_documents_and_the_console(instance):
    client = instance.client()
    page = client.request("GET", "/")
    assert page.status_code == 200 and page.headers["content-type"] == "text/html; charset=utf-8"
    links = re.findall(r'href="([^"]+)"', page.text)
    assert links == ["/docs", "/console/"] and "<script" not in page.text
    for link in links:
        # The console is in no contract.
        assert httpx.get(instance.url + link, follow_redirects=True, timeout=PATIENCE).status_code == 200
