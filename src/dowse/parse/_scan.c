/* The tags that lead somewhere, in one pass over the bytes of a page and without a tree.

   A crawl that follows links and takes nothing else from its pages needs a few tags of each: a, area, base, iframe,
   link, meta and title. Building the tree of a page takes several times as long as finding them. This is the tokenizer
   of the HTML standard, reduced to what has an effect on those tags. It never guesses: where the standard's tree
   construction could change what a tag means (templates, frames, most of what is within svg or select), or the text of
   a link is more than what is written between tags (a script within it), the answer is None and the page is parsed.

   Everything is read through `at < end`; nothing is written but a buffer of fixed size for the text of one link. Each
   byte is looked at a bounded number of times, so the time is linear in the size of the page, whatever is in it. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <string.h>

#define MOST_TAGS 200000
#define TEXT_BYTES 1024
#define LONGEST_REFERENCE 33 /* &CounterClockwiseContourIntegral; */

typedef const unsigned char *Bytes;

typedef struct {
    Bytes start;
    Py_ssize_t length; /* -1 where there is none */
} Slice;

/* The attributes that somebody asks for. */
enum { ALT, CHARSET, CONTENT, HREF, HTTP_EQUIV, NAME, REL, SRC, TITLE, TYPE, ATTRIBUTES };

static const char *const ATTRIBUTE_NAMES[ATTRIBUTES] = {
    "alt", "charset", "content", "href", "http-equiv", "name", "rel", "src", "title", "type",
};

typedef enum {
    OTHER, /* no effect */
    INLINE, /* no effect, and its end tag does not end what it does not belong to */
    VOID,  /* no effect and no content */
    A,
    AREA,
    BASE,
    IFRAME,
    IMG,
    LINK,
    META,
    TITLE_TAG,
    SCRIPT,
    RAW, /* content without tags */
    SVG,
    DRAWN, /* has no effect within svg */
    SELECT,
    OPTION, /* has no effect within select */
    UNSURE, /* what it means is for the tree to say */
} Kind;

typedef struct {
    const char *name;
    Kind kind;
} Known;

static const Known KNOWN[] = {
    {"a", A}, {"area", AREA}, {"base", BASE}, {"iframe", IFRAME}, {"img", IMG}, {"link", LINK}, {"meta", META},
    {"title", TITLE_TAG}, {"script", SCRIPT}, {"style", RAW}, {"textarea", RAW}, {"xmp", RAW}, {"noembed", RAW},
    {"noframes", RAW}, {"svg", SVG}, {"select", SELECT}, {"option", OPTION}, {"optgroup", OPTION}, {"g", DRAWN},
    {"path", DRAWN}, {"use", DRAWN}, {"rect", DRAWN}, {"circle", DRAWN}, {"ellipse", DRAWN}, {"line", DRAWN},
    {"polyline", DRAWN}, {"polygon", DRAWN}, {"defs", DRAWN}, {"symbol", DRAWN}, {"template", UNSURE},
    {"frameset", UNSURE}, {"frame", UNSURE}, {"math", UNSURE}, {"plaintext", UNSURE}, {"image", IMG}, {"br", VOID},
    {"col", VOID}, {"embed", VOID}, {"hr", VOID}, {"input", VOID}, {"param", VOID}, {"source", VOID}, {"track", VOID},
    {"wbr", VOID}, {"basefont", VOID}, {"bgsound", VOID}, {"keygen", VOID}, {"abbr", INLINE}, {"acronym", INLINE},
    {"b", INLINE}, {"big", INLINE}, {"cite", INLINE}, {"code", INLINE},
    {"del", INLINE}, {"dfn", INLINE}, {"em", INLINE}, {"font", INLINE}, {"i", INLINE},
    {"ins", INLINE}, {"kbd", INLINE}, {"nobr", INLINE}, {"q", INLINE}, {"s", INLINE}, {"samp", INLINE},
    {"small", INLINE}, {"span", INLINE}, {"strike", INLINE}, {"strong", INLINE}, {"sub", INLINE}, {"sup", INLINE},
    {"tt", INLINE}, {"u", INLINE}, {"var", INLINE},
};

typedef struct {
    Kind kind;
    Slice name;
    Slice values[ATTRIBUTES];
    int closes_itself;
} Tag;

typedef struct {
    Bytes at, end;
    Tag tag;
    PyObject *anchors, *others, *title;
    Kind within; /* SVG, SELECT or OTHER */
    int has_base, passed_fragment, found;
    /* the link that is open, if any */
    int open, depth, gap;
    Slice href, rel, link_title, alt;
    Py_ssize_t text_length;
    unsigned char text[TEXT_BYTES];
} Scan;

typedef enum { DONE, GIVEN_UP, FAILED } End;

static const Slice NONE = {NULL, -1};

static int is_space(unsigned char c) {
    return c <= ' ' && (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f');
}

static int is_letter(unsigned char c) { return (unsigned char)((c | 32) - 'a') < 26; }

/* Whether it may be between the `&` and the `;` of a character reference. */
static int is_of_reference(unsigned char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '#'; }

static int lower(unsigned char c) { return (unsigned char)(c - 'A') < 26 ? c + 32 : c; }

static int is_word(Slice slice, const char *word) {
    for (Py_ssize_t i = 0; i < slice.length; i++)
        if (lower(slice.start[i]) != (unsigned char)word[i]) return 0; /* a word that is too short ends in 0 */
    return word[slice.length] == 0;
}

/* Kinds by first letter and length, so that names are told by a look or two; filled when the module is loaded. */
#define LONGEST_NAME 9
static unsigned char FIRST[26][LONGEST_NAME + 1], NEXT[sizeof KNOWN / sizeof *KNOWN];

static Kind kind_of(Slice name) {
    if (name.length > LONGEST_NAME) return OTHER;
    for (int i = FIRST[lower(name.start[0]) - 'a'][name.length]; i; i = NEXT[i - 1])
        if (is_word(name, KNOWN[i - 1].name)) return KNOWN[i - 1].kind;
    return OTHER;
}

static void index_names(void) {
    memset(FIRST, 0, sizeof FIRST);
    for (int i = sizeof KNOWN / sizeof *KNOWN; i > 0; i--) {
        unsigned char *first = &FIRST[KNOWN[i - 1].name[0] - 'a'][strlen(KNOWN[i - 1].name)];
        NEXT[i - 1] = *first;
        *first = (unsigned char)i;
    }
}

/* Behind the next of this byte, or the end. */
static Bytes behind(Bytes at, Bytes end, int byte) {
    Bytes found = at < end ? memchr(at, byte, (size_t)(end - at)) : NULL;
    return found ? found + 1 : end;
}

static void keep(Tag *tag, Slice name, Slice value) {
    if (tag->kind < A || tag->kind > META || name.length < 3 || name.length > 10) return;
    for (int i = 0; i < ATTRIBUTES; i++)
        if (tag->values[i].length < 0 && lower(name.start[0]) == ATTRIBUTE_NAMES[i][0] &&
            is_word(name, ATTRIBUTE_NAMES[i])) {
            tag->values[i] = value;
            return;
        }
}

/* A tag from its name on; 0 if the page ends within it, and then there is no tag. */
static int read_tag(Scan *scan, int is_end_tag) {
    Bytes at = scan->at, end = scan->end;
    Tag *tag = &scan->tag;
    tag->name.start = at;
    while (at < end && !is_space(*at) && *at != '/' && *at != '>') at++;
    tag->name.length = at - tag->name.start;
    tag->kind = kind_of(tag->name);
    tag->closes_itself = 0;
    if (!is_end_tag && tag->kind >= A && tag->kind <= META)
        for (int i = 0; i < ATTRIBUTES; i++) tag->values[i] = NONE;
    while (at < end) {
        if (*at == '>') {
            scan->at = at + 1;
            return 1;
        }
        if (*at == '/' || is_space(*at)) {
            tag->closes_itself = *at++ == '/' && at < end && *at == '>';
            continue;
        }
        Slice name = {at, 0}, value = {at, 0};
        do at++;
        while (at < end && !is_space(*at) && *at != '/' && *at != '>' && *at != '=');
        name.length = at - name.start;
        while (at < end && is_space(*at)) at++;
        if (at < end && *at == '=') {
            do at++;
            while (at < end && is_space(*at));
            if (at < end && (*at == '"' || *at == '\'')) {
                Bytes closing = memchr(at + 1, *at, (size_t)(end - at - 1));
                if (!closing) break;
                value.start = at + 1;
                value.length = closing - value.start;
                at = closing + 1;
            } else {
                value.start = at;
                while (at < end && !is_space(*at) && *at != '>') at++;
                value.length = at - value.start;
            }
        }
        if (!is_end_tag) keep(tag, name, value);
    }
    scan->at = end;
    return 0;
}

/* Where the content of an element ends that has no tags within: at its end tag. `at` is left at that tag. */
static Slice raw_content(Scan *scan, Slice name) {
    Slice content = {scan->at, 0};
    Bytes end = scan->end;
    for (Bytes at = scan->at;; at++) {
        at = at < end ? memchr(at, '<', (size_t)(end - at)) : NULL;
        if (!at || end - at < name.length + 3) break;
        if (at[1] != '/') continue;
        Bytes next = at + 2 + name.length;
        int same = is_space(*next) || *next == '/' || *next == '>';
        for (Py_ssize_t i = 0; same && i < name.length; i++) same = lower(at[2 + i]) == lower(name.start[i]);
        if (same) {
            content.length = at - content.start;
            scan->at = at;
            return content;
        }
    }
    content.length = end - content.start;
    scan->at = end;
    return content;
}

/* Whether a tag with this name, given with its `<` or `</`, begins here. */
static int begins(Bytes at, Bytes end, const char *tag, Py_ssize_t length) {
    if (end - at <= length) return 0;
    for (Py_ssize_t i = 0; i < length; i++)
        if (lower(at[i]) != (unsigned char)tag[i]) return 0;
    return is_space(at[length]) || at[length] == '/' || at[length] == '>';
}

/* Go to the end tag of a script. Within `<!--` and `-->` another script has an end tag of its own. */
static void skip_script(Scan *scan) {
    Bytes end = scan->end;
    enum { PLAIN, ESCAPED, TWICE } state = PLAIN;
    for (Bytes at = scan->at; at < end; at++) {
        if (state == PLAIN && !(at = memchr(at, '<', (size_t)(end - at)))) break;
        if (*at == '<') {
            if (begins(at, end, "</script", 8)) {
                if (state != TWICE) {
                    scan->at = at;
                    return;
                }
                state = ESCAPED;
            } else if (state == PLAIN && end - at >= 4 && !memcmp(at, "<!--", 4)) {
                state = ESCAPED;
            } else if (state == ESCAPED && begins(at, end, "<script", 7)) {
                state = TWICE;
            }
        } else if (*at == '-' && end - at >= 3 && at[1] == '-' && at[2] == '>') {
            state = PLAIN;
        }
    }
    scan->at = end;
}

/* Behind a comment or what counts as one; `at` is at its `<`. */
static void skip_comment(Scan *scan) {
    Bytes at = scan->at + 2, end = scan->end;
    if (end - at < 2 || at[-1] != '!' || at[0] != '-' || at[1] != '-') {
        scan->at = behind(at, end, '>');
        return;
    }
    at += 2;
    if (at < end && *at == '>') { /* <!--> and <!---> are whole */
        scan->at = at + 1;
        return;
    }
    if (end - at >= 2 && at[0] == '-' && at[1] == '>') {
        scan->at = at + 2;
        return;
    }
    while ((at = at < end ? memchr(at, '-', (size_t)(end - at)) : NULL)) {
        if (end - at < 3) break;
        if (at[1] == '-' && at[2] == '>') {
            scan->at = at + 3;
            return;
        }
        if (end - at >= 4 && at[1] == '-' && at[2] == '!' && at[3] == '>') {
            scan->at = at + 4;
            return;
        }
        at++;
    }
    scan->at = end;
}

static PyObject *as_text(Slice slice) {
    if (slice.length < 0) return Py_NewRef(Py_None);
    return PyUnicode_DecodeUTF8((const char *)slice.start, slice.length, "ignore"); /* half a character at the end */
}

/* Whether the text of the open link ends in what could be the beginning of a character reference. */
static int ends_in_reference(const Scan *scan) {
    if (scan->gap) return 0;
    Py_ssize_t first = scan->text_length > LONGEST_REFERENCE ? scan->text_length - LONGEST_REFERENCE : 0;
    for (Py_ssize_t i = scan->text_length - 1; i >= first; i--) {
        if (scan->text[i] == '&') return 1;
        if (!is_of_reference(scan->text[i])) return 0;
    }
    return 0;
}

/* Add to the text of the open link, white space as one space. Unsure where a tag is within a character reference, or
   references leave no room for as many characters as a text may have. */
static End add_text(Scan *scan, Bytes at, Bytes end) {
    if (!scan->open || scan->text_length >= TEXT_BYTES - 1) return DONE;
    if (at < end && (is_of_reference(*at) || *at == ';') && ends_in_reference(scan)) return GIVEN_UP;
    Py_ssize_t length = scan->text_length;
    for (; at < end && length < TEXT_BYTES - 1; at++) {
        if (is_space(*at) || *at == 0x0b || (*at >= 0x1c && *at <= 0x1f)) {
            scan->gap = length > 0;
            continue;
        }
        if (scan->gap) scan->text[length++] = ' ';
        scan->gap = 0;
        scan->text[length++] = *at;
    }
    scan->text_length = length;
    return length >= TEXT_BYTES - 1 && memchr(scan->text, '&', (size_t)length) ? GIVEN_UP : DONE;
}

/* 0, or -1 with an exception. Takes the reference. */
static int append(PyObject *list, PyObject *item) {
    int failed = !item || PyList_Append(list, item) < 0;
    Py_XDECREF(item);
    return failed ? -1 : 0;
}

static int close_link(Scan *scan) {
    if (!scan->open) return 0;
    scan->open = 0;
    Slice parts[] = {scan->href, scan->rel, {scan->text, scan->text_length}, scan->alt, scan->link_title};
    PyObject *link = PyTuple_New(5);
    for (int i = 0; link && i < 5; i++) {
        PyObject *part = as_text(parts[i]);
        if (!part || PyTuple_SetItem(link, i, part) < 0) Py_CLEAR(link);
    }
    return append(scan->anchors, link);
}

static int open_link(Scan *scan) {
    const Slice *values = scan->tag.values;
    if (close_link(scan) < 0) return -1;
    if (values[HREF].length < 0) return 0;
    if (values[HREF].length > 0 && values[HREF].start[0] == '#' && !scan->has_base) {
        scan->passed_fragment = 1; /* half of the links of manuals: to a place on the page itself */
        return 0;
    }
    scan->open = 1;
    scan->found++;
    scan->href = values[HREF];
    scan->rel = values[REL];
    scan->link_title = values[TITLE];
    scan->alt = NONE;
    scan->depth = scan->gap = 0;
    scan->text_length = 0;
    return 0;
}

static int add_other(Scan *scan) {
    scan->found++;
    PyObject *attributes = PyDict_New();
    if (!attributes) return -1;
    for (int i = 0; i < ATTRIBUTES; i++) {
        if (scan->tag.values[i].length < 0) continue;
        PyObject *value = as_text(scan->tag.values[i]);
        if (!value || PyDict_SetItemString(attributes, ATTRIBUTE_NAMES[i], value) < 0) {
            Py_XDECREF(value);
            Py_DECREF(attributes);
            return -1;
        }
        Py_DECREF(value);
    }
    static const char *const NAMES[] = {
        [AREA] = "area", [BASE] = "base", [IFRAME] = "iframe", [LINK] = "link", [META] = "meta",
    };
    PyObject *name = PyUnicode_InternFromString(NAMES[scan->tag.kind]);
    PyObject *pair = name ? PyTuple_Pack(2, name, attributes) : NULL;
    Py_XDECREF(name);
    Py_DECREF(attributes);
    return append(scan->others, pair);
}

/* Whether other tags may be between its start and its end tag. */
static int has_content(Kind kind) {
    return kind == OTHER || kind == INLINE || kind == SVG || kind == DRAWN || kind == SELECT || kind == OPTION;
}

/* Whether its content is text, whatever is in it. */
static int is_raw(Kind kind) { return kind == RAW || kind == SCRIPT || kind == IFRAME || kind == TITLE_TAG; }

/* What a start tag means. */
static End start_tag(Scan *scan) {
    Tag *tag = &scan->tag;
    Kind kind = tag->kind;
    if (scan->within == SVG && kind != DRAWN) return GIVEN_UP;
    if (scan->within == SELECT && kind != OPTION) return GIVEN_UP;
    if (scan->open && is_raw(kind)) return GIVEN_UP; /* the tree counts its content as text of the link */
    switch (kind) {
    case UNSURE:
        return GIVEN_UP;
    case SVG:
    case SELECT:
        if (kind == SVG && tag->closes_itself) break;
        scan->within = kind;
        break;
    case A:
        if (open_link(scan) < 0) return FAILED;
        break;
    case IMG:
        if (scan->open && scan->alt.length < 0) scan->alt = tag->values[ALT];
        break;
    case BASE:
        if (tag->values[HREF].length >= 0) scan->has_base = 1;
        if (scan->has_base && scan->passed_fragment) return GIVEN_UP;
        /* fall through */
    case AREA:
    case IFRAME:
    case LINK:
    case META:
        if (add_other(scan) < 0) return FAILED;
        if (kind == IFRAME) raw_content(scan, tag->name);
        break;
    case TITLE_TAG: {
        Slice content = raw_content(scan, tag->name);
        if (!scan->title && !(scan->title = as_text(content))) return FAILED;
        break;
    }
    case SCRIPT:
        skip_script(scan);
        break;
    case RAW:
        raw_content(scan, tag->name);
        break;
    default:
        break;
    }
    int is_whole = tag->closes_itself && (kind == SVG || kind == DRAWN);
    if (scan->open && has_content(kind) && !is_whole) scan->depth++;
    return DONE;
}

static End end_tag(Scan *scan) {
    Kind kind = scan->tag.kind;
    if (kind == UNSURE) return GIVEN_UP;
    if (kind == scan->within && (kind == SVG || kind == SELECT)) scan->within = OTHER;
    else if (scan->within == SVG && kind != DRAWN) return GIVEN_UP;
    else if (scan->within == SELECT && kind != OPTION) return GIVEN_UP;
    if (kind == A) return close_link(scan) < 0 ? FAILED : DONE;
    if (scan->open && has_content(kind)) {
        if (scan->depth > 0) scan->depth--;
        else if (kind != INLINE && close_link(scan) < 0) return FAILED; /* what held the link has ended, and its text */
    }
    return DONE;
}

static End scan_tags(Scan *scan) {
    Bytes end = scan->end;
    while (scan->at < end) {
        Bytes tag = memchr(scan->at, '<', (size_t)(end - scan->at));
        End result = add_text(scan, scan->at, tag ? tag : end);
        if (result != DONE) return result;
        if (!tag) break;
        if (end - tag < 2 || (end - tag == 2 && tag[1] == '/')) { /* the page ends before there is a name */
            result = add_text(scan, tag, end);
            scan->at = end;
        } else if (is_letter(tag[1])) {
            scan->at = tag + 1;
            if (read_tag(scan, 0)) result = start_tag(scan);
        } else if (tag[1] == '/' && is_letter(tag[2])) {
            scan->at = tag + 2;
            if (read_tag(scan, 1)) result = end_tag(scan);
        } else if (tag[1] == '!' || tag[1] == '?' || tag[1] == '/') {
            scan->at = tag;
            if (scan->within == SVG) return GIVEN_UP; /* there it may be CDATA */
            skip_comment(scan);
        } else {
            result = add_text(scan, tag, tag + 1);
            scan->at = tag + 1;
        }
        if (result != DONE) return result;
        if (scan->found > MOST_TAGS) return GIVEN_UP;
    }
    return close_link(scan) < 0 ? FAILED : DONE;
}

PyDoc_STRVAR(scan_doc, "scan(body, /)\n--\n\n\
The title of a page, its links and its other tags that matter, or None if only a tree can tell.\n\n\
Values and texts are as they are written, with their character references.");

static PyObject *scan_body(PyObject *Py_UNUSED(module), PyObject *body) {
    char *start;
    Py_ssize_t length;
    if (PyBytes_AsStringAndSize(body, &start, &length) < 0) return NULL;
    if (length && memchr(start, 0, (size_t)length)) Py_RETURN_NONE; /* the standard has rules for these */
    Scan scan = {.at = (Bytes)start, .end = (Bytes)start + length, .within = OTHER};
    scan.anchors = PyList_New(0);
    scan.others = PyList_New(0);
    End result = scan.anchors && scan.others ? scan_tags(&scan) : FAILED;
    PyObject *answer = NULL;
    if (result == GIVEN_UP) answer = Py_NewRef(Py_None);
    if (result == DONE) {
        PyObject *title = scan.title ? Py_NewRef(scan.title) : PyUnicode_FromString("");
        answer = title ? PyTuple_Pack(3, title, scan.anchors, scan.others) : NULL;
        Py_XDECREF(title);
    }
    Py_XDECREF(scan.title);
    Py_XDECREF(scan.anchors);
    Py_XDECREF(scan.others);
    return answer;
}

static PyMethodDef METHODS[] = {{"scan", scan_body, METH_O, scan_doc}, {NULL, NULL, 0, NULL}};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_scan", NULL, 0, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__scan(void) {
    index_names();
    return PyModule_Create(&MODULE);
}
