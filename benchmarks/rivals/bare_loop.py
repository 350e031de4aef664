"""The limit: the parts dowse is made of (libcurl, turbohtml, url-py, a set) in the shortest loop.

No store, no ledger, no robots.txt, no politeness, no retries, no anchor texts: what is left is what a page must cost.
"""

from __future__ import annotations

import sys

import pycurl
import turbohtml
import url as rust_url

CONNECTIONS = 64


def crawl(start: str) -> int:
    """Fetch all pages of a site; the answer is their number."""
    origin = start[: start.index("/", 8) + 1]
    waiting, seen, pages = [start], {start}, 0
    multi = pycurl.CurlMulti()
    multi.setopt(pycurl.M_MAXCONNECTS, CONNECTIONS)
    idle = [_handle() for _ in range(CONNECTIONS)]
    under_way = 0
    while waiting or under_way:
        while waiting and idle:
            handle = idle.pop()
            handle.address, handle.body = waiting.pop(), []
            handle.setopt(pycurl.URL, handle.address)
            handle.setopt(pycurl.WRITEFUNCTION, handle.body.append)
            multi.add_handle(handle)
            under_way += 1
        multi.perform()
        _, ended, failed = multi.info_read(CONNECTIONS)
        if not ended and not failed:
            multi.select(1.0)
            continue
        for handle in (*ended, *(failure[0] for failure in failed)):
            multi.remove_handle(handle)
            idle.append(handle)
            under_way -= 1
        for handle in ended:
            found, is_page = _links(handle)
            pages += is_page
            for target in found:
                if target not in seen and target.startswith(origin):
                    seen.add(target)
                    waiting.append(target)
    return pages


def _handle() -> pycurl.Curl:
    handle = pycurl.Curl()
    handle.setopt(pycurl.NOSIGNAL, 1)
    handle.setopt(pycurl.BUFFERSIZE, 256 * 1024)
    handle.setopt(pycurl.ACCEPT_ENCODING, "")
    return handle


def _links(handle: pycurl.Curl) -> tuple[list[str], bool]:
    """Where a page leads to, and whether it was one."""
    status = handle.getinfo(pycurl.RESPONSE_CODE)
    if 300 <= status < 400:
        return [handle.getinfo(pycurl.REDIRECT_URL)], False
    if status != 200 or not (handle.getinfo(pycurl.CONTENT_TYPE) or "").startswith("text/html"):
        return [], False
    tree = turbohtml.parse(b"".join(handle.body), detect_encoding=True, positions=False)
    address = handle.address
    join = rust_url.URL.parse(address).join
    base = tree.select("base[href]")
    if base:
        join = join(base[0].attr("href")).join
    found = []
    hrefs = {element.attr("href").partition("#")[0] for element in tree.select('a[href]:not([href^="#"])')}
    for href in hrefs:
        try:
            found.append(str(join(href)))
        except rust_url.URLError:
            continue
    return found, True


if __name__ == "__main__":
    print(crawl(sys.argv[1]))
