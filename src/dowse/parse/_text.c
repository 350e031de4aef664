#include "_text.h"

int make_room(void **items, Py_ssize_t *room, Py_ssize_t wanted, size_t size) {
    if (wanted <= *room) return 0;
    Py_ssize_t more = wanted + wanted / 2 + 64;
    void *made = PyMem_Realloc(*items, (size_t)more * size);
    if (!made) {
        PyErr_NoMemory();
        return -1;
    }
    *items = made;
    *room = more;
    return 0;
}

/* The bytes that are white space, as `str.split` has it. */
static const unsigned char IS_GAP[256] = {
    ['\t'] = 1, ['\n'] = 1, ['\v'] = 1, ['\f'] = 1, ['\r'] = 1,
    [0x1c] = 1, [0x1d] = 1, [0x1e] = 1, [0x1f] = 1, [' '] = 1,
};

/* How many bytes the white space outside of ASCII has that begins here; 0 if there is none. */
static int wide_gap(Bytes at, Bytes end) {
    if (end - at < 2) return 0;
    if (*at == 0xc2) return at[1] == 0x85 || at[1] == 0xa0 ? 2 : 0;
    if (end - at < 3) return 0;
    if (*at == 0xe2 && at[1] == 0x80)
        return at[2] <= 0x8a || at[2] == 0xa8 || at[2] == 0xa9 || at[2] == 0xaf ? 3 : 0;
    return !memcmp(at, "\xe2\x81\x9f", 3) || !memcmp(at, "\xe3\x80\x80", 3) || !memcmp(at, "\xe1\x9a\x80", 3) ? 3 : 0;
}

int text_ends_in_gap(const Text *text) { return !text->size || text->bytes[text->size - 1] == ' '; }

/* There are no branches for words and gaps, which nobody can predict. */
int text_add(Text *text, Bytes at, Bytes end) {
    if (make_room((void **)&text->bytes, &text->room, text->size + (end - at) + 1, 1) < 0) return -1;
    unsigned char *to = text->bytes + text->size;
    unsigned char was_gap = (unsigned char)text_ends_in_gap(text);
    for (; at < end; at++) {
        unsigned char byte = *at, gap = IS_GAP[byte];
        if (byte >= 0xc2) {
            int length = wide_gap(at, end);
            gap = length > 0;
            at += gap ? length - 1 : 0;
        }
        *to = gap ? ' ' : byte;
        to += !(gap & was_gap);
        was_gap = gap;
    }
    text->size = to - text->bytes;
    return 0;
}

/* Add what is written with character references. */
static int add_resolved(Text *text, Bytes at, Bytes end) {
    int result = -1;
    PyObject *written = PyUnicode_DecodeUTF8((const char *)at, end - at, "replace");
    PyObject *meant = written ? PyObject_CallFunctionObjArgs(text->resolve, written, NULL) : NULL;
    PyObject *bytes = meant ? PyUnicode_AsEncodedString(meant, "utf-8", "replace") : NULL;
    char *start;
    Py_ssize_t length;
    if (bytes && PyBytes_AsStringAndSize(bytes, &start, &length) == 0)
        result = text_add(text, (Bytes)start, (Bytes)start + length);
    Py_XDECREF(written);
    Py_XDECREF(meant);
    Py_XDECREF(bytes);
    return result;
}

/* The commonest references and what they mean: nine out of ten. */
static const char *const REFERENCES[][2] = {
    {"&quot;", "\""}, {"&#39;", "'"}, {"&nbsp;", "\xc2\xa0"}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"},
    {"&ndash;", "\xe2\x80\x93"}, {"&mdash;", "\xe2\x80\x94"}, {"&lsquo;", "\xe2\x80\x98"},
    {"&rsquo;", "\xe2\x80\x99"}, {"&ldquo;", "\xe2\x80\x9c"}, {"&rdquo;", "\xe2\x80\x9d"},
};

int text_add_written(Text *text, Bytes at, Bytes end) {
    while (at < end) {
        Bytes mark = memchr(at, '&', (size_t)(end - at));
        if (text_add(text, at, mark ? mark : end) < 0) return -1;
        if (!mark) break;
        const char *meaning = NULL;
        for (size_t i = 0; !meaning && i < sizeof REFERENCES / sizeof *REFERENCES; i++) {
            Py_ssize_t length = (Py_ssize_t)strlen(REFERENCES[i][0]);
            if (end - mark < length || memcmp(mark, REFERENCES[i][0], (size_t)length)) continue;
            meaning = REFERENCES[i][1];
            at = mark + length;
        }
        if (!meaning) return add_resolved(text, mark, end);
        if (text_add(text, (Bytes)meaning, (Bytes)meaning + strlen(meaning)) < 0) return -1;
    }
    return 0;
}
