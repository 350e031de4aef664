"""What is run inside a page, in the world of fetch/isolated_world.py, which has `honest` for documents of frames."""

READ = """
(limit) => {
  const components = [];
  const search = (root) => {
    for (const element of root.querySelectorAll('*')) {
      // A field of a form can have the name of what is asked for here.
      const inside = element.shadowRoot;
      if (inside instanceof ShadowRoot) { components.push(inside); search(inside); }
    }
  };
  const copies = [];
  // What a frame of the same origin shows goes right behind it, hidden, with its addresses made absolute.
  for (const frame of document.querySelectorAll('iframe, frame')) {
    if (!frame.contentDocument) continue;
    const inner = honest(frame.contentDocument);
    if (!inner.body || !inner.body.firstElementChild) continue;
    for (const link of inner.querySelectorAll('a[href], area[href]')) link.setAttribute('href', link.href);
    const copy = document.createElement('div');
    copy.hidden = true;
    copy.dataset.frame = inner.URL;
    copy.innerHTML = inner.body.innerHTML;
    frame.after(copy);
    copies.push(copy);
  }
  search(document);
  const root = document.documentElement;
  const attributes = root.cloneNode(false).outerHTML;
  const end = attributes.lastIndexOf('</');
  const inside = components.length ? root.getHTML({shadowRoots: components}) : root.innerHTML;
  const kind = document.doctype ? new XMLSerializer().serializeToString(document.doctype) : '';
  const html = kind + attributes.slice(0, end) + inside + attributes.slice(end);
  // The page may be read again in its next state.
  for (const copy of copies) copy.remove();
  return html.length > limit ? html.length : html;
}
"""
"""The document as it stands, components and frames included; a number, its size, where it is larger than the limit."""

SEE = """
() => {
  const links = [], lines = [];
  const search = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (links.length >= 5000) return;
      if (element.shadowRoot instanceof ShadowRoot) search(element.shadowRoot);
      const href = element.localName === 'a' ? element.href : '';
      if (typeof href === 'string' && href.startsWith('http') && href.length < 8192)
        links.push([href, element.textContent.trim().slice(0, 200)]);
    }
  };
  search(document);
  const text = document.body ? document.body.innerText.slice(0, 1000000) : '';
  for (const line of text.split('\\n')) if (line.trim() && lines.length < 5000) lines.push(line.trim());
  return {links, lines};
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

MARK_CONTROLS = """
([mark, isWanted]) => {
  let place = 0;
  const search = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot instanceof ShadowRoot) search(element.shadowRoot);
      const isControl = ['input', 'select', 'textarea', 'button'].includes(element.localName);
      if (isWanted && isControl) Element.prototype.setAttribute.call(element, mark, ++place);
      else if (isControl) Element.prototype.removeAttribute.call(element, mark);
    }
  };
  search(document);
}
"""
"""Give each control a number of its own in an attribute, or take it away."""

CLICKABLE = r"""
() => {
  const wanted = 'button, summary, [role=button], [role=tab], [role=menuitem], [role=option], [onclick], ' +
    '[aria-expanded], a:not([href]), a[href^="#"], a[href^="javascript:"]';
  const harmful = new RegExp('\\b(log ?out|sign ?out|delete|destroy|remove|erase|discard|clear|empty|trash|buy|order|' +
    'pay|checkout|unsubscribe|print)\\b', 'i');
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
    const opens = element.matches('summary, [role=tab], [aria-expanded], [aria-selected], [aria-pressed]');
    // A button without words has its name elsewhere.
    const name = label || `${element.className} ${element.id} ${element.getAttribute('name') || ''}`;
    if (!harmful.test(name)) found.push([place(element), label, opens]);
    if (found.length >= 200) break;
  }
  return found;
}
"""
"""What looks as if it could be clicked on and leads nowhere else: where it is, its words, and whether it only opens
and closes something."""
