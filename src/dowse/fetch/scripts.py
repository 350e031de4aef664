"""What is run inside a page. It runs in a world of its own, where the page's scripts can neither see nor change it."""

READ = """
(limit) => {
  const components = [];
  const search = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) { components.push(element.shadowRoot); search(element.shadowRoot); }
    }
  };
  // What a frame of the same origin shows goes right behind it, hidden, with its addresses made absolute.
  for (const frame of document.querySelectorAll('iframe, frame')) {
    const inner = frame.contentDocument;
    if (!inner || !inner.body || !inner.body.firstElementChild) continue;
    for (const link of inner.querySelectorAll('a[href], area[href]')) link.setAttribute('href', link.href);
    const copy = document.createElement('div');
    copy.hidden = true;
    copy.dataset.frame = inner.URL;
    copy.innerHTML = inner.body.innerHTML;
    frame.after(copy);
  }
  search(document);
  const root = document.documentElement;
  const attributes = root.cloneNode(false).outerHTML;
  const end = attributes.lastIndexOf('</');
  const inside = components.length ? root.getHTML({shadowRoots: components}) : root.innerHTML;
  const kind = document.doctype ? new XMLSerializer().serializeToString(document.doctype) : '';
  const html = kind + attributes.slice(0, end) + inside + attributes.slice(end);
  return html.length > limit ? html.length : html;
}
"""
"""The document as it stands, components and frames included; a number, its size, where it is larger than the limit."""

SEE = """
() => {
  const links = [], lines = [];
  const search = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) search(element.shadowRoot);
      else if (element.localName === 'a' && element.href && element.href.startsWith('http'))
        links.push([element.href, element.textContent.trim().slice(0, 200)]);
    }
  };
  search(document);
  for (const line of document.body ? document.body.innerText.split('\\n') : [])
    if (line.trim()) lines.push(line.trim());
  return {links: links.slice(0, 5000), lines: lines.slice(0, 5000)};
}
"""
"""What the page shows now: its links with their words, and its lines of text."""

SCROLL = """
() => {
  const root = document.scrollingElement || document.documentElement;
  let height = root.scrollHeight;
  root.scrollTop = height;
  for (const element of document.querySelectorAll('*')) {
    if (element.scrollHeight > element.clientHeight + 50 && element.clientHeight > 100) {
      const way = getComputedStyle(element).overflowY;
      if (way !== 'auto' && way !== 'scroll') continue;
      element.scrollTop = element.scrollHeight;
      height += element.scrollHeight;
    }
  }
  return height + document.getElementsByTagName('*').length;
}
"""
"""Scroll everything to its end; the number changes when something was added."""

CLICKABLE = r"""
() => {
  const wanted = 'button, summary, [role=button], [role=tab], [role=menuitem], [role=option], [onclick], ' +
    '[aria-expanded], a:not([href]), a[href^="#"], a[href^="javascript:"]';
  const harmful = /\b(log ?out|sign ?out|delete|remove|buy|order|pay|checkout|unsubscribe|print)\b/i;
  const place = (element) => {
    const parts = [];
    for (; element && element !== document.documentElement; element = element.parentElement) {
      const alike = element.parentElement
        ? [...element.parentElement.children].filter(other => other.localName === element.localName) : [element];
      const turn = alike.length > 1 ? `:nth-of-type(${alike.indexOf(element) + 1})` : '';
      parts.unshift(element.id && /^[\w-]+$/.test(element.id) ? `#${element.id}` : element.localName + turn);
      if (element.id && /^[\w-]+$/.test(element.id)) break;
    }
    return parts.join(' > ');
  };
  const found = [];
  for (const element of document.querySelectorAll('body *')) {
    const hasHand = (other) => getComputedStyle(other).cursor === 'pointer';
    const isOne = element.matches(wanted) || (hasHand(element) && !hasHand(element.parentElement)
      && !element.closest('a[href], button, label, summary'));
    const sends = (element.type === 'submit' && element.form) || element.type === 'reset';
    if (!isOne || sends || !element.getClientRects().length) continue;
    const label = (element.innerText || element.ariaLabel || element.title || '').trim().slice(0, 60);
    if (!harmful.test(label)) found.push([place(element), label]);
    if (found.length >= 200) break;
  }
  return found;
}
"""
"""What looks as if it could be clicked on and leads nowhere else: where it is, and its words."""
