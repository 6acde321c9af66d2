"""web_fetch against a real server on loopback: characters, limits, redirects."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from codeagent_tui.tools.tool import ToolContext
from codeagent_tui.tools.web_fetch import WebFetch
from tests.support.tools import fails, scratch_context, use

FETCH = WebFetch()
TEXT = "编码测试:提交信息用中文书写,不要混用。" * 5
PAGES: dict[str, tuple[str | None, bytes]] = {
    "/gbk-header": ("text/html; charset=gbk", f"<p>{TEXT}</p>".encode("gbk")),
    "/gbk-meta": ("text/html", f"<meta charset=gb2312><p>{TEXT}</p>".encode("gbk")),
    "/sjis-meta": ("text/html", '<meta charset="Shift_JIS"><p>日本語のページ</p>'.encode("shift_jis")),
    "/utf8-silent": ("text/html", f"<p>{TEXT}</p>".encode()),
    "/bogus": ("text/html; charset=bogus", f"<p>{TEXT}</p>".encode()),
    "/disagree": ("text/html; charset=utf-8", f"<meta charset=gbk><p>{TEXT}</p>".encode()),
    "/bom": ("text/html; charset=gbk", b"\xef\xbb\xbf" + f"<p>{TEXT}</p>".encode()),
    "/no-type": (None, f"<html><p>{TEXT}</p></html>".encode()),
    "/long": ("text/plain", b"0123456789" * 2_000),
    "/pdf": ("application/pdf", b"%PDF-1.7 \0\1"),
    "/page": (
        "text/html",
        b"<html><head><title>T [/] x</title><style>s{}</style></head><body><nav>menu</nav><main><h2>Head</h2>"
        b"<p>a <b>bold</b> <a href='/x'>link</a></p><script>evil()</script></main></body></html>",
    ),
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path.startswith("/hop/"):
            number = int(self.path.rpartition("/")[2])
            self._send(302, {"Location": f"/hop/{number - 1}" if number else "/page"}, b"")
        elif self.path == "/away":
            self._send(302, {"Location": "http://elsewhere.example.test/x"}, b"")
        elif self.path == "/204":
            self._send(204, {}, b"")
        elif self.path == "/404":
            self._send(404, {"Content-Type": "text/plain"}, b"not here")
        elif self.path == "/bomb":
            self._send(
                200, {"Content-Type": "text/plain", "Content-Encoding": "gzip"}, gzip.compress(b"0" * 50_000_000)
            )
        else:
            kind, body = PAGES[self.path]
            self._send(200, {"Content-Type": kind} if kind else {}, body)

    def _send(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except ConnectionError:
            return

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, name="pages")
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    return scratch_context(tmp_path)


@pytest.mark.parametrize(
    "page", ["/gbk-header", "/gbk-meta", "/utf8-silent", "/bogus", "/disagree", "/bom", "/no-type"]
)
async def test_t_13_the_right_characters(context: ToolContext, site: str, page: str) -> None:
    text = (await use(FETCH, context, url=site + page)).text
    assert TEXT in text and "\ufffd" not in text


async def test_t_13_shift_jis(context: ToolContext, site: str) -> None:
    assert "日本語のページ" in (await use(FETCH, context, url=site + "/sjis-meta")).text


async def test_t_13_what_is_unpacked_is_bounded(context: ToolContext, site: str) -> None:
    output = await use(FETCH, context, url=site + "/bomb", offset=4_990_000, limit=40_000)
    assert len(output.text) < 12_000 and "[partial:" in output.text


async def test_long_pages_come_in_parts(context: ToolContext, site: str) -> None:
    first = (await use(FETCH, context, url=site + "/long")).text
    assert "of 20,000; go on with offset=8000" in first
    last = (await use(FETCH, context, url=site + "/long", offset=16_000)).text
    assert "[partial" not in last
    assert "beyond its end" in await fails(FETCH, context, url=site + "/long", offset=20_000)


async def test_html_becomes_markdown_without_scripts(context: ToolContext, site: str) -> None:
    text = (await use(FETCH, context, url=site + "/page")).text
    assert "# T [/] x" in text and "## Head" in text and "**bold**" in text
    assert "evil" not in text and "menu" not in text


async def test_t_13_redirects_are_bounded_and_stay_on_the_host(context: ToolContext, site: str) -> None:
    assert "/page (200" in (await use(FETCH, context, url=site + "/hop/2")).text
    assert "redirects more than" in await fails(FETCH, context, url=site + "/hop/10")
    assert "elsewhere.example.test" in await fails(FETCH, context, url=site + "/away")


async def test_t_13_binary_and_empty_and_missing_are_named(context: ToolContext, site: str) -> None:
    assert "application/pdf" in (await use(FETCH, context, url=site + "/pdf")).text
    assert "no text" in (await use(FETCH, context, url=site + "/204")).text
    output = await use(FETCH, context, url=site + "/404")
    assert not output.ok and "404" in output.text and "not here" in output.text


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://x/y", "nonsense", "http://"])
async def test_x_06_only_http_is_fetched(context: ToolContext, url: str) -> None:
    assert "no http" in await fails(FETCH, context, url=url)


async def test_nothing_listening_is_readable(context: ToolContext) -> None:
    assert "could not be fetched" in await fails(FETCH, context, url="http://127.0.0.1:9/")
