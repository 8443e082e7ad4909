"""The OpenAPI document as a page: complete, and with nothing in it that runs or comes from elsewhere."""
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
def answer(instance):
    return instance.client(token="").get("/docs")


@pytest.fixture(scope="module")
def page(answer):
    page = Page(answer.text)
    assert page.open == []
    return page


def test_it_lists_every_operation_field_and_code(instance, page):
    document = instance.client().contract.document
    text = " ".join(page.texts)
    assert f"API {document['info']['version']}" in re.sub(r"\s+", " ", text)
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert operation["operationId"] in page.ids and f"{method.upper()} {path}" in text
            for code in ("401", "403") if "x-roles" in operation else ():
                assert code in text
    for name in ("SignatureRequest", "OfferToSign", "EligibilityAnswer", "Subscription", "HistoryReport"):
        for field in document["components"]["schemas"][name]["properties"]:
            assert field in page.texts, f"{name}.{field}"
    for code in document["components"]["schemas"]["Problem"]["properties"]["code"]["x-codes"]:
        assert f"code-{code}" in page.ids


def test_every_code_has_a_status_and_a_meaning(answer):
    codes = answer.text.split('id="codes"')[1]
    rows = re.findall(r"<tr>(.+?)</tr>", codes)
    assert len(rows) > 40
    for row in rows:
        assert re.search(r'<td class="type">[45]\d\d', row), row
        assert re.search(r"<td><p>[^<]{5,}|<td><p><code>", row), row


def test_nothing_in_it_runs_or_comes_from_elsewhere(answer, page):
    policy = answer.headers["content-security-policy"]
    assert "script-src" not in policy and "unsafe" not in policy and "default-src 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert not page.tags & {"script", "link", "img", "iframe", "object", "embed", "form"}
    assert page.handlers == []
    assert "@import" not in answer.text and "url(" not in answer.text


def test_every_link_leads_somewhere(instance, page):
    assert len(set(page.ids)) == len(page.ids)
    assert len(page.links) > 50
    client = instance.client(token="")
    for link in set(page.links):
        if link.startswith("#"):
            assert link[1:] in page.ids, link
        else:
            assert client.get(link).status_code == 200


def test_the_root_leads_to_the_documents_and_the_console(instance):
    client = instance.client()
    page = client.request("GET", "/")
    assert page.status_code == 200 and page.headers["content-type"] == "text/html; charset=utf-8"
    links = re.findall(r'href="([^"]+)"', page.text)
    assert links == ["/docs", "/console/"] and "script" not in page.text
    for link in links:
        # The console is in no contract.
        assert httpx.get(instance.url + link, follow_redirects=True, timeout=PATIENCE).status_code == 200
