/* The tags that lead somewhere, in one pass over the bytes of a page and without a tree.

   A crawl that follows links and takes nothing else from its pages needs a few tags of each: a, area, base, iframe,
   link, meta and title. Building the tree of a page takes several times as long as finding them. Where the standard's
   tree construction could change what a tag means (templates, frames, most of what is within svg or select), or the
   text of a link is more than what is written between tags (a script within it), the answer is None and the page is
   parsed. Where tags are wrongly nested, the words of a link may end elsewhere than in the tree; where it leads is the
   same. A crawl for a topic has what stands around the links gathered in the same pass (_outline.c).

   Pages are in ASCII or UTF-8, which is the caller's to see to; nothing worse than odd characters comes of others. */

#include "_anchors.h"
#include "_hrefs.h"
#include "_outline.h"

#define MOST_TAGS 200000
#define TEXT_BYTES 1024
#define LONGEST_REFERENCE 33 /* &CounterClockwiseContourIntegral; */

typedef struct {
    Reader reader;
    Outline *outline; /* NULL if nobody asks for it */
    PyObject *anchors, *others, *title;
    Kind within; /* SVG, SELECT or OTHER */
    int has_base, passed_fragment, found;
    Hrefs told; /* where links with words lead that anybody may follow */
    /* the link that is open, if any */
    int open, depth, gap;
    Slice href, rel, link_title, alt;
    Py_ssize_t text_length;
    unsigned char text[TEXT_BYTES];
} Scan;

typedef enum { DONE, GIVEN_UP, FAILED } End;

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
    if (scan->outline && outline_text(scan->outline, at, end) < 0) return FAILED;
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

/* Whether the open link has words for sure: references may stand for white space. */
static int has_words(const Scan *scan) {
    int found = 0;
    for (Py_ssize_t i = 0; i < scan->text_length; i++) {
        if (scan->text[i] == '&') return 0;
        found |= is_letter(scan->text[i]);
    }
    return found;
}

/* Whether all that the open link tells was told by one before. */
static int is_told(Scan *scan) {
    if (scan->rel.length >= 0) return 0;
    Slice key = href_key(scan->href), *slot = href_slot(&scan->told, key);
    if (slot && !slot->length && has_words(scan)) {
        *slot = key;
        return 0;
    }
    return slot && slot->length;
}

static int close_link(Scan *scan) {
    if (!scan->open) return 0;
    scan->open = 0;
    int is_news = !is_told(scan);
    if (scan->outline) outline_link_end(scan->outline, is_news);
    if (!is_news) return 0;
    Slice parts[] = {scan->href, scan->rel, {scan->text, scan->text_length}, scan->alt, scan->link_title};
    PyObject *link = PyTuple_New(5);
    for (int i = 0; link && i < 5; i++) {
        PyObject *part = as_text(parts[i]);
        if (!part || PyTuple_SetItem(link, i, part) < 0) Py_CLEAR(link);
    }
    return append(scan->anchors, link);
}

static int open_link(Scan *scan) {
    const Slice *values = scan->reader.tag.values;
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
    return scan->outline ? outline_link(scan->outline) : 0;
}

static int add_other(Scan *scan) {
    scan->found++;
    PyObject *attributes = PyDict_New();
    if (!attributes) return -1;
    for (int i = 0; i < ATTRIBUTES; i++) {
        if (scan->reader.tag.values[i].length < 0) continue;
        PyObject *value = as_text(scan->reader.tag.values[i]);
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
    PyObject *name = PyUnicode_InternFromString(NAMES[scan->reader.tag.kind]);
    PyObject *pair = name ? PyTuple_Pack(2, name, attributes) : NULL;
    Py_XDECREF(name);
    Py_DECREF(attributes);
    return append(scan->others, pair);
}

/* Whether its content is text, whatever is in it. */
static int is_raw(Kind kind) { return kind == RAW || kind == SCRIPT || kind == IFRAME || kind == TITLE_TAG; }

/* Words before the tag of a block do not run on behind it. What is one, parse/text.py says too. */
static void part_words(Scan *scan) {
    const Tag *tag = &scan->reader.tag;
    if (scan->text_length && (tag->role >= BLOCK || tag->kind == BREAK || tag->kind == BOX || tag->kind == SELECT ||
                              tag->kind == OPTION))
        scan->gap = 1;
}

/* What a start tag means. */
static End start_tag(Scan *scan) {
    Tag *tag = &scan->reader.tag;
    Kind kind = tag->kind;
    if (scan->within == SVG && kind != DRAWN) return GIVEN_UP;
    if (scan->within == SELECT && kind != OPTION) return GIVEN_UP;
    if (scan->open && is_raw(kind)) return GIVEN_UP; /* the tree says whether its content is text of the link */
    part_words(scan);
    if (kind == A && close_link(scan) < 0) return FAILED;
    if (scan->outline && outline_start(scan->outline, tag) < 0) return FAILED;
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
        if (kind == IFRAME) raw_content(&scan->reader, tag->name);
        break;
    case TITLE_TAG: {
        Slice content = raw_content(&scan->reader, tag->name);
        if (!scan->title && !(scan->title = as_text(content))) return FAILED;
        break;
    }
    case SCRIPT:
        skip_script(&scan->reader);
        break;
    case RAW:
        raw_content(&scan->reader, tag->name);
        break;
    default:
        break;
    }
    int is_whole = tag->closes_itself && (kind == SVG || kind == DRAWN);
    if (scan->open && has_content(kind) && !is_whole) scan->depth++;
    return DONE;
}

static End end_tag(Scan *scan) {
    Kind kind = scan->reader.tag.kind;
    if (kind == UNSURE) return GIVEN_UP;
    if (kind == scan->within && (kind == SVG || kind == SELECT)) scan->within = OTHER;
    else if (scan->within == SVG && kind != DRAWN) return GIVEN_UP;
    else if (scan->within == SELECT && kind != OPTION) return GIVEN_UP;
    if (scan->outline && outline_end(scan->outline, &scan->reader.tag) < 0) return FAILED;
    if (kind == A) return close_link(scan) < 0 ? FAILED : DONE;
    part_words(scan);
    if (scan->open && has_content(kind)) {
        if (scan->depth > 0) scan->depth--;
        else if (kind != INLINE && close_link(scan) < 0) return FAILED; /* what held the link has ended, and its text */
    }
    return DONE;
}

static End scan_tags(Scan *scan) {
    Bytes end = scan->reader.end;
    static const char MARK[] = "\xef\xbb\xbf"; /* of the byte order */
    if (end - scan->reader.at >= 3 && !memcmp(scan->reader.at, MARK, 3)) scan->reader.at += 3;
    while (scan->reader.at < end) {
        Bytes tag = memchr(scan->reader.at, '<', (size_t)(end - scan->reader.at));
        End result = add_text(scan, scan->reader.at, tag ? tag : end);
        if (result != DONE) return result;
        if (!tag) break;
        if (end - tag < 2 || (end - tag == 2 && tag[1] == '/')) { /* the page ends before there is a name */
            result = add_text(scan, tag, end);
            scan->reader.at = end;
        } else if (is_letter(tag[1])) {
            scan->reader.at = tag + 1;
            if (read_tag(&scan->reader, 0)) result = start_tag(scan);
        } else if (tag[1] == '/' && is_letter(tag[2])) {
            scan->reader.at = tag + 2;
            if (read_tag(&scan->reader, 1)) result = end_tag(scan);
        } else if (tag[1] == '!' || tag[1] == '?' || tag[1] == '/') {
            scan->reader.at = tag;
            if (scan->within == SVG) return GIVEN_UP; /* there it may be CDATA */
            skip_comment(&scan->reader);
        } else {
            result = add_text(scan, tag, tag + 1);
            scan->reader.at = tag + 1;
        }
        if (result != DONE) return result;
        if (scan->found > MOST_TAGS || (scan->outline && outline_is_too_large(scan->outline))) return GIVEN_UP;
    }
    return close_link(scan) < 0 ? FAILED : DONE;
}

/* What was found, as a tuple; with an outline, if there is one. */
static PyObject *answer_of(Scan *scan) {
    PyObject *title = scan->title ? Py_NewRef(scan->title) : PyUnicode_FromString("");
    PyObject *outline = scan->outline ? outline_result(scan->outline) : Py_NewRef(Py_None);
    PyObject *answer = title && outline ? PyTuple_Pack(4, title, scan->anchors, scan->others, outline) : NULL;
    Py_XDECREF(title);
    Py_XDECREF(outline);
    return answer;
}

PyDoc_STRVAR(scan_doc, "scan(body, resolve, /)\n--\n\n\
The title of a page, its links and its other tags that matter, or None if only a tree can tell.\n\n\
Values and texts are as they are written, with their character references. With `resolve`, which makes\n\
a text of what is written with references, the text of the page follows, how many characters of it are in links, and\n\
the surroundings of each link.");

static PyObject *scan_body(PyObject *Py_UNUSED(module), PyObject *arguments) {
    PyObject *body, *resolve, *answer = NULL;
    char *start;
    Py_ssize_t length;
    if (!PyArg_ParseTuple(arguments, "SO", &body, &resolve)) return NULL;
    if (PyBytes_AsStringAndSize(body, &start, &length) < 0) return NULL;
    if (length && memchr(start, 0, (size_t)length)) Py_RETURN_NONE; /* the standard has rules for these */
    Scan scan = {.reader = {.at = (Bytes)start, .end = (Bytes)start + length}, .within = OTHER};
    scan.reader.wants_classes = resolve != Py_None;
    if (resolve != Py_None && !(scan.outline = outline_new(resolve))) return NULL;
    scan.anchors = PyList_New(0);
    scan.others = PyList_New(0);
    End result = scan.anchors && scan.others ? scan_tags(&scan) : FAILED;
    if (result == GIVEN_UP) answer = Py_NewRef(Py_None);
    if (result == DONE) answer = answer_of(&scan);
    outline_free(scan.outline);
    Py_XDECREF(scan.title);
    Py_XDECREF(scan.anchors);
    Py_XDECREF(scan.others);
    return answer;
}

PyDoc_STRVAR(anchors_doc, "anchors(body, words, /)\n--\n\n\
The anchors of a page that may be paging links, given the words of such, how many anchors it has, and where its buttons are.");

PyDoc_STRVAR(anchor_parts_doc, "anchor_parts(body, before, start, inner, /)\n--\n\n\
The attributes of an anchor, the classes and ids just before it, and the text since the anchor that ends at `before`.");

static PyMethodDef METHODS[] = {
    {"scan", scan_body, METH_VARARGS, scan_doc},
    {"anchors", find_anchors, METH_VARARGS, anchors_doc},
    {"anchor_parts", describe_anchor, METH_VARARGS, anchor_parts_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_scan", NULL, 0, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__scan(void) {
    index_names();
    return PyModule_Create(&MODULE);
}
