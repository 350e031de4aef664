/* The anchors of a page that may be labelled as paging links are, as places in its bytes.

   Anchors within scripts, comments and other text are none. Nothing here asks what a tree would make of the page: an
   anchor ends at its end tag or where the next one begins. */

#include "_anchors.h"

#define TEXT_BYTES 240
#define NEARBY 120
#define LONGEST_NUMBER 10
#define LONGEST_SIGNED 60

typedef struct {
    Bytes begin;
    PyObject *found, *buttons, *words;
    Py_ssize_t place;
    Bytes last_end; /* of the anchor before */
    /* the anchor that is open, if any */
    int open, gap, is_long, leads_nowhere;
    Bytes start, inner;
    Py_ssize_t length;
    unsigned char text[TEXT_BYTES];
} Anchors;

/* Whether the name of a way, next or prev, is among these bytes. */
static int is_hinted(Bytes at, Bytes end) {
    /* by their rarest letters, which are nearly always small ones */
    for (Bytes x = at; (x = memchr(x, 'x', (size_t)(end - x))); x++)
        if (x - at >= 2 && x + 1 < end && x[1] == 't' && x[-1] == 'e' && (x[-2] | 32) == 'n') return 1;
    for (Bytes v = at; (v = memchr(v, 'v', (size_t)(end - v))); v++)
        if (v - at >= 3 && v[-1] == 'e' && v[-2] == 'r' && (v[-3] | 32) == 'p') return 1;
    return 0;
}

static void add_text(Anchors *anchors, Bytes at, Bytes end) {
    for (; at < end; at++) {
        if (is_space(*at)) {
            anchors->gap = anchors->length > 0;
            continue;
        }
        if (anchors->length >= TEXT_BYTES - 2) {
            anchors->is_long = 1;
            return;
        }
        if (anchors->gap) anchors->text[anchors->length++] = ' ';
        anchors->gap = 0;
        anchors->text[anchors->length++] = *at;
    }
}

/* Whether a sign, or a letter of a script without spaces between words, begins here: an arrow, not a dash. */
static int is_sign(Bytes at, Bytes end) {
    if (*at == '<' || *at == '>') return 1;
    if (*at == '&') /* of a reference to a sign or an accented letter; the commonest are neither */
        return end - at < 4 || (memcmp(at + 1, "amp", 3) && memcmp(at + 1, "nbs", 3) && memcmp(at + 1, "quo", 3));
    if (*at == 0xc2) return at + 1 < end && (at[1] == 0xab || at[1] == 0xbb); /* « and » */
    if (*at < 0xe0) return 0;
    if (*at == 0xe0) return at + 1 < end && at[1] >= 0xb8; /* of scripts of India to Burma those from Thai on */
    if (*at == 0xe2 && at + 2 < end && at[1] == 0x80) return at[2] == 0xb9 || at[2] == 0xba; /* of punctuation ‹ and › */
    return 1;
}

/* The words that were given last, and a bit for the ends and the length of each: to look up all words of a page among
   them would take as long as the rest. */
static PyObject *indexed_words;
static unsigned char WORD_BITS[65536 / 8];

static unsigned bit_of(const unsigned char *word, Py_ssize_t length) {
    return ((unsigned)word[0] << 8 ^ word[length - 1] ^ (unsigned)length << 5) & 0xffff;
}

static int may_be_known(const unsigned char *word, Py_ssize_t length) {
    unsigned bit = bit_of(word, length);
    return WORD_BITS[bit / 8] >> bit % 8 & 1;
}

static int is_known(PyObject *words, const unsigned char *word, Py_ssize_t length) {
    PyObject *key = PyBytes_FromStringAndSize((const char *)word, length);
    int known = key ? PySet_Contains(words, key) : -1;
    Py_XDECREF(key);
    return known;
}

/* 0, or -1 with an exception. */
static int index_words(PyObject *words) {
    if (words == indexed_words) return 0;
    PyObject *each, *iterator = PyObject_GetIter(words);
    if (!iterator) return -1;
    Py_CLEAR(indexed_words);
    memset(WORD_BITS, 0, sizeof WORD_BITS);
    while ((each = PyIter_Next(iterator))) {
        char *word;
        Py_ssize_t length;
        int failed = PyBytes_AsStringAndSize(each, &word, &length) < 0;
        if (!failed && length) {
            unsigned bit = bit_of((const unsigned char *)word, length);
            WORD_BITS[bit / 8] |= (unsigned char)(1 << bit % 8);
        }
        Py_DECREF(each);
        if (failed) break;
    }
    Py_DECREF(iterator);
    if (PyErr_Occurred()) return -1;
    indexed_words = Py_NewRef(words);
    return 0;
}

/* Whether a letter begins here; in UTF-8 nearly all that begin with c2 or e2 are signs. */
static int begins_letter(unsigned char c) { return is_letter(c) || (c >= 0xc3 && c != 0xe2); }

/* Whether a text may be the label of a paging link: 1 or 0, or -1 with an exception. A short one that is a number may
   be, and one of a few words with a sign; of other words one has to be known. */
static int may_be_label(PyObject *words, Bytes text, Py_ssize_t size) {
    unsigned char word[TEXT_BYTES];
    Py_ssize_t length = 0;
    int has_digit = 0, has_letter = 0;
    Bytes end = text + size;
    for (Bytes at = text; at <= end; at++) {
        unsigned char c = at < end ? *at : ' ';
        if (at < end && size <= LONGEST_SIGNED && is_sign(at, end)) return 1;
        has_digit |= c >= '0' && c <= '9';
        has_letter |= begins_letter(c);
        if (c >= 0x80 || is_letter(c)) {
            if (length < TEXT_BYTES) word[length++] = (unsigned char)lower(c);
            continue;
        }
        if (length) {
            int known = may_be_known(word, length) ? is_known(words, word, length) : 0;
            if (known) return known;
            length = 0;
        }
    }
    return has_digit && !has_letter && size <= LONGEST_NUMBER;
}

/* The same of what stands for the text of an anchor without any: its title, and the alternative text of a picture. */
static int may_be_named(PyObject *words, Bytes at, Bytes end) {
    for (; at + 5 < end; at++) {
        if (*at != '=' || (at[1] != '"' && at[1] != '\'')) continue;
        if (lower(at[-1]) != 'e' && lower(at[-1]) != 't' && lower(at[-1]) != 'l') continue; /* title, alt, aria-label */
        if (memcmp(at - 3, "alt", 3) && memcmp(at - 4, "itle", 4) && memcmp(at - 5, "label", 5)) continue;
        Bytes value = at + 2, quote = memchr(value, at[1], (size_t)(end - value));
        Py_ssize_t size = quote ? quote - value : 0;
        int is_label = size && size < LONGEST_SIGNED ? may_be_label(words, value, size) : 0;
        if (is_label) return is_label;
        if (quote) at = quote;
    }
    return 0;
}

/* 0, or -1 with an exception. */
static int close_anchor(Anchors *anchors, Bytes end) {
    if (!anchors->open) return 0;
    anchors->open = 0;
    Bytes before = anchors->last_end;
    anchors->last_end = end;
    if (anchors->is_long) return 0;
    Bytes near = anchors->start - before > NEARBY ? anchors->start - NEARBY : before;
    int hinted = is_hinted(anchors->start, anchors->inner) || is_hinted(near, anchors->start) ||
                 (!anchors->length && is_hinted(anchors->inner, end));
    int is_label = hinted || (anchors->leads_nowhere && anchors->length) ? 1
                   : anchors->length ? may_be_label(anchors->words, anchors->text, anchors->length)
                                     : may_be_named(anchors->words, anchors->start + 6, end);
    if (is_label < 0) return -1;
    if (!is_label) return 0;
    PyObject *item = Py_BuildValue(
        "(nnnnnNi)", anchors->place, before - anchors->begin, anchors->start - anchors->begin,
        anchors->inner - anchors->begin, end - anchors->begin,
        PyUnicode_DecodeUTF8((const char *)anchors->text, anchors->length, "replace"), hinted);
    int failed = !item || PyList_Append(anchors->found, item) < 0;
    Py_XDECREF(item);
    return failed ? -1 : 0;
}

/* Whether an address is for scripts alone. */
static int is_nowhere(Slice href) {
    static const char SCRIPT_ADDRESS[] = "javascript:";
    if (href.length <= 0 || href.start[0] == '#') return 1;
    return href.length >= 11 && !memcmp(href.start, SCRIPT_ADDRESS, 11);
}

static int is_button(Slice name) {
    static const char BUTTON[] = "button";
    if (name.length != 6) return 0;
    for (int i = 0; i < 6; i++)
        if (lower(name.start[i]) != BUTTON[i]) return 0;
    return 1;
}

/* What a start tag at `start` means. */
static int start_tag(Anchors *anchors, Reader *reader, Bytes start) {
    Kind kind = reader->tag.kind;
    if (kind == A) {
        if (close_anchor(anchors, start) < 0) return -1;
        anchors->open = 1;
        anchors->place++;
        anchors->gap = anchors->is_long = 0;
        anchors->length = 0;
        anchors->leads_nowhere = is_nowhere(reader->tag.values[HREF]);
        anchors->start = start;
        anchors->inner = reader->at;
    } else if (kind == SCRIPT) {
        skip_script(reader);
    } else if (kind == RAW || kind == TITLE_TAG || kind == IFRAME) {
        raw_content(reader, reader->tag.name);
    } else if (is_button(reader->tag.name)) {
        PyObject *at = PyLong_FromSsize_t(start - anchors->begin);
        int failed = !at || PyList_Append(anchors->buttons, at) < 0;
        Py_XDECREF(at);
        return failed ? -1 : 0;
    }
    return 0;
}

static int read_anchors(Anchors *anchors, Reader *reader) {
    Bytes end = reader->end;
    while (reader->at < end) {
        Bytes tag = memchr(reader->at, '<', (size_t)(end - reader->at));
        if (anchors->open) add_text(anchors, reader->at, tag ? tag : end);
        if (!tag || end - tag < 3) break;
        int failed = 0;
        if (is_letter(tag[1])) {
            reader->at = tag + 1;
            if (read_tag(reader, 0)) failed = start_tag(anchors, reader, tag) < 0;
        } else if (tag[1] == '/' && is_letter(tag[2])) {
            reader->at = tag + 2;
            if (read_tag(reader, 1) && reader->tag.kind == A) failed = close_anchor(anchors, tag) < 0;
        } else if (tag[1] == '!' || tag[1] == '?' || tag[1] == '/') {
            reader->at = tag;
            skip_comment(reader);
        } else {
            reader->at = tag + 1;
        }
        if (failed) return -1;
        if (anchors->length && reader->tag.kind != INLINE) anchors->gap = 1;
    }
    return close_anchor(anchors, end);
}

PyObject *find_anchors(PyObject *Py_UNUSED(module), PyObject *arguments) {
    PyObject *body, *words;
    char *start;
    Py_ssize_t length;
    if (!PyArg_ParseTuple(arguments, "SO!", &body, &PyFrozenSet_Type, &words)) return NULL;
    if (PyBytes_AsStringAndSize(body, &start, &length) < 0 || index_words(words) < 0) return NULL;
    Reader reader = {.at = (Bytes)start, .end = (Bytes)start + length};
    Anchors anchors = {.begin = (Bytes)start, .last_end = (Bytes)start, .words = words};
    anchors.found = PyList_New(0);
    anchors.buttons = PyList_New(0);
    if (!anchors.found || !anchors.buttons || read_anchors(&anchors, &reader) < 0) {
        Py_XDECREF(anchors.found);
        Py_XDECREF(anchors.buttons);
        return NULL;
    }
    return Py_BuildValue("(NnN)", anchors.found, anchors.place, anchors.buttons);
}
