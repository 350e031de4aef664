"""Pages that try to send something in every way a browser has, each to an address of its own under one prefix."""

from __future__ import annotations

import json

_BEHIND_A_PAGE = ("prefetch", "prerender", "preload", "modulepreload", "stylesheet", "icon", "manifest", "preconnect",
                  "dns-prefetch", "compression-dictionary", "expect")  # fmt: skip


def ways_out(base: str) -> dict[str, str]:
    """Markup by kind; what it asks for begins with `base`/no/, which nobody may have."""
    there, socket, host = f"{base}/no/", f"{base.replace('http', 'ws', 1)}/no/", base.split("/")[2]
    return {
        "requests": _script(
            f"fetch('{there}fetch', {{mode: 'no-cors'}})",
            f"fetch('{there}kept', {{mode: 'no-cors', keepalive: true, method: 'POST', body: 'x'}})",
            f"fetchLater('{there}later', {{activateAfter: 0}})",
            f"fetchLater('{there}at-last')",
            f"const x = new XMLHttpRequest(); x.open('GET', '{there}xhr'); x.send()",
            f"new EventSource('{there}events')",
            f"navigator.sendBeacon('{there}beacon', 'x')",
            f"caches.open('x').then(cache => cache.add('{there}cache'))",
            f"import('{there}module')",
            f"addEventListener('pagehide', () => {{ navigator.sendBeacon('{there}leaving');"
            f"fetch('{there}left', {{keepalive: true, mode: 'no-cors'}}) }})",
        ),
        "sockets": _script(
            f"new WebSocket('{socket}socket')",
            f"new WebSocketStream('{socket}stream')",
            _worker("Worker", f"new WebSocket('{socket}socket-of-a-worker')"),
            f"new WebTransport('https://{host}/no/transport')",
            f"const peer = new RTCPeerConnection({{iceServers: [{{urls: 'stun:{host}'}}, {{urls: ['turn:{host}',"
            f"'turn:{host}?transport=tcp'], username: 'a', credential: 'b'}}]}}); peer.createDataChannel('x');"
            "peer.createOffer().then(offer => peer.setLocalDescription(offer))",
        ),
        "workers": _script(
            _worker("Worker", f"fetch('{there}worker', {{mode: 'no-cors'}}); importScripts('{there}imported')"),
            _worker("Worker", f"import('{there}module-of-a-worker')", "{type: 'module'}"),
            _worker("Worker", _worker("Worker", f"fetch('{there}nested', {{mode: 'no-cors'}})")),
            f"new Worker('data:text/javascript,' + encodeURIComponent(`fetch('{there}data-worker')`))",
            "new Worker('/no/worker-script')",
            "new SharedWorker('/no/shared-script')",
            _worker("SharedWorker", f"fetch('{there}shared', {{mode: 'no-cors'}}); new WebSocket('{socket}shared')"),
            "navigator.serviceWorker.register('/no/service-worker')",
            "CSS.paintWorklet.addModule('/no/paint')",
            "new OfflineAudioContext(1, 1, 44100).audioWorklet.addModule('/no/audio')",
        ),
        "speculation": "".join(
            f"<script type=speculationrules>{json.dumps({act: [rule]})}</script>"
            for act, rule in (
                ("prefetch", {"source": "list", "urls": ["/no/prefetched"], "eagerness": "immediate"}),
                ("prerender", {"source": "list", "urls": ["/no/prerendered"], "eagerness": "immediate"}),
                ("prefetch", {"source": "document", "where": {"href_matches": "/*"}, "eagerness": "immediate"}),
            )
        )
        + "<a href=/no/by-document>x</a>"
        + "".join(f"<link rel={rel} as=script href='{there}link-{rel}'>" for rel in _BEHIND_A_PAGE),
        "for the eye": f"<img src='{there}img'><img srcset='{there}img2 2x'><input type=image src='{there}input'>"
        f"<video src='{there}video' poster='{there}poster' autoplay><track default src='{there}track'></video>"
        f"<svg><image href='{there}svg'/><use href='{there}use#a'/></svg><object data='{there}object'></object>"
        f"<embed src='{there}embed'><style>@import '{there}css'; @font-face {{font-family: x; src: url({there}font)}}"
        f"body {{background: url({there}background); font-family: x}}</style>words",
        "frames": f"<iframe src=/ok/frame></iframe><iframe sandbox=allow-scripts src=/ok/frame></iframe>"
        f"<iframe credentialless src=/ok/frame></iframe><object data=/ok/frame type=text/html></object>"
        f'<iframe srcdoc="{_frame(there, "srcdoc")}"></iframe><iframe src="data:text/html,{_frame(there, "data")}">'
        f'</iframe><iframe sandbox=allow-scripts srcdoc="{_frame(there, "sandbox")}"></iframe>'
        f"<iframe src='{there}frame'></iframe><iframe id=blank></iframe>"
        + _script(f"blank.contentDocument.body.innerHTML = `<img src='{there}blank'>`"),
        "reports": f"<meta http-equiv=content-security-policy content=\"img-src 'none'; report-uri {there}report\">"
        f"<img src=/x.png><a id=a href='#x' ping='{there}ping'>x</a>" + _script("a.click()"),
        "windows": f"<iframe name=t></iframe><form id=f action='{there}form' method=post target=t></form>"
        f"<a id=a download href='{there}download'>x</a>"
        + _script(
            f"open('{there}window')", "f.submit()", "a.click()", f"setTimeout(() => location = '{there}on', 100)"
        ),
        "the browser's own": f"<img attributionsrc='{there}attribution' src='data:,'><fencedframe></fencedframe>"
        + _script(
            f"navigator.credentials.get({{identity: {{providers: [{{configURL: '{there}known', clientId: '1'}}]}}}})",
            f"new PaymentRequest([{{supportedMethods: '{there}payment'}}], {{total: {{label: 'x', amount:"
            "{currency: 'USD', value: '1'}}}).canMakePayment()",
            f"navigator.joinAdInterestGroup({{owner: location.origin, name: 'x', lifetimeMs: 1e6,"
            f"biddingLogicURL: '{there}bid'}}, 1000)",
            "sharedStorage.worklet.addModule('/no/storage')",
            f"document.querySelector('fencedframe').config = new FencedFrameConfig('{there}fenced')",
        ),
    }


def _script(*statements: str) -> str:
    """Each statement for itself, so that one that is not known does not keep the rest from being tried."""
    texts = (json.dumps(statement).replace("</", "<\\/") for statement in statements)
    tries = (f"try {{ Promise.resolve((0, eval)({text})).catch(() => 0) }} catch (e) {{}}" for text in texts)
    return "".join(f"<script>{one}</script>" for one in tries)


def _worker(kind: str, text: str, options: str = "{}") -> str:
    return f"new {kind}(URL.createObjectURL(new Blob([{json.dumps(text)}], {{type: 'text/javascript'}})), {options})"


def _frame(there: str, name: str) -> str:
    fetching = f"fetch('{there}{name}-fetch',{{mode:'no-cors'}})"
    return f"<img src='{there}{name}-image'><link rel=stylesheet href='{there}{name}-css'><script>{fetching}</script>"
