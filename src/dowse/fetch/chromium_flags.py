"""The command line of Chromium: what it is told to leave, and the one way it has to the network.

A page can send something in many ways, and a way that nobody asks about is a hole in robots.txt and in the address
guard. There are three layers, and each holds without the others:

    1. off       what asks by itself, behind a page's back, is switched off (here)
    2. the gate  a request that no tab let through is refused (fetch/browser_gate.py)
    3. the proxy a connection to a place that no request was let through to, or that the guard forbids, is refused
                 (fetch/browser_proxy.py)
"""

from __future__ import annotations

from dowse.core.job import FetchOptions

# A list given here takes the place of the driver's own, so what that has and matters for pages is in it too.
_FEATURES_OFF = (
    "IsolateOrigins", "site-per-process",
    # Which addresses may be reached is the guard's business. Chromium only guesses, from what a proxy does not tell it.
    "LocalNetworkAccessChecks", "BlockInsecurePrivateNetworkRequests",
    # pages that were left stay in memory, for a reader who goes back
    "BackForwardCache",
    # an address is what it says, and requests are let through one by one
    "HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync", "PaintHolding",
    # what a browser does for itself
    "DestroyProfileOnBrowserClose", "MediaRouter", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled",
    "PreconnectToSearch",
    # workers that outlive their page and belong to no tab
    "SharedWorker", "BackgroundFetch",
    # pages that are loaded before anybody asks for them
    "Prerender2", "FencedFrames",
    # what the browser asks for in a page's name, where no interception sees it
    "FedCm", "WebPayments", "AdInterestGroupAPI", "SharedStorageAPI", "AttributionReporting", "FetchLaterAPI",
    "DeviceBoundSessions", "SignedHTTPExchange",
    # letters to the servers that a site names, about what went wrong on it
    "Reporting", "NetworkErrorLogging",
)  # fmt: skip

# Speculation rules cannot be switched off, but of the pages that they want none may be under way.
_NO_PREFETCH = (
    "PrefetchSchedulerTesting:kPrefetchSchedulerTestingActiveSetSizeLimitForBase/0"
    "/kPrefetchSchedulerTestingActiveSetSizeLimitForBurst/0"
)
_FLAGS = (
    "--disable-gpu", "--disable-software-rasterizer",
    # frames of other sites are not loaded, so they need no process of their own
    "--disable-site-isolation-trials",
    f"--disable-features={','.join(_FEATURES_OFF)}",
    f"--enable-features={_NO_PREFETCH}",
    "--disable-shared-workers",
    # no way around the proxy: nothing is looked up or sent but through it. The first is for the headless shell.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic", "--dns-prefetch-disable",
    # one request at a time on a connection, so that the proxy sees how large an answer is
    "--disable-http2",
    "--block-new-web-contents",
    "--js-flags=--max-old-space-size=512",
)  # fmt: skip
# Where nobody looks at a page or clicks on it, it is not painted: a third less time for it.
_BLIND = "--disable-threaded-compositing"


def command_line(options: FetchOptions, proxy: int) -> list[str]:
    """What Chromium is started with; `proxy` is the port of the guarded proxy."""
    is_painted = options.images or options.step or options.explore
    way = f"socks5://127.0.0.1:{proxy}"
    # Nobody is asked about WebSockets, so they get a way that the proxy refuses: they take "socks" before the others.
    nowhere = f"socks4://127.0.0.1:{proxy}"
    # A proxy for HTTP may refuse tunnels to port 80, so it gets such requests as it would from any browser.
    plain = f"http://127.0.0.1:{proxy}" if options.proxy.startswith(("http:", "https:")) else way
    return [
        *_FLAGS,
        *(() if is_painted else (_BLIND,)),
        f"--proxy-server=http={plain};https={way};socks={nowhere}",
        "--proxy-bypass-list=<-loopback>",
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    ]
