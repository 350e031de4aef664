/* What is said of an anchor by its own tag and just before it: its attributes, the names of the elements that it stands
   in, and the text since the anchor before. */

#include "_anchors.h"

#define LONGEST_GAP 600
#define AROUND 300
#define MOST_NAMES 4

static int is_of_name(unsigned char c) { return is_letter(c) || c == '-'; }

/* The next attribute with a value, from `at` on; where it ends, or NULL if there is none. Its name is not empty. */
static Bytes next_attribute(Bytes at, Bytes end, Slice *name, Slice *value) {
    for (Bytes begin = at; (at = at < end ? memchr(at, '=', (size_t)(end - at)) : NULL); at++) {
        Bytes last = at, first;
        while (last > begin && is_space(last[-1])) last--;
        for (first = last; first > begin && is_of_name(first[-1]);) first--;
        Bytes start = at + 1;
        while (start < end && is_space(*start)) start++;
        if (first == last || start == end) continue;
        *name = (Slice){first, last - first};
        if (*start == '"' || *start == '\'') {
            Bytes closing = memchr(start + 1, *start, (size_t)(end - start - 1));
            if (!closing) continue;
            *value = (Slice){start + 1, closing - start - 1};
            return closing + 1;
        }
        Bytes stop = start;
        while (stop < end && !is_space(*stop) && *stop != '"' && *stop != '\'' && *stop != '>') stop++;
        if (stop == start) continue;
        *value = (Slice){start, stop - start};
        return stop;
    }
    return NULL;
}

static PyObject *text_of(Slice slice) {
    return PyUnicode_DecodeUTF8((const char *)slice.start, slice.length, "replace");
}

/* The attributes of a tag, by their names in small letters. */
static PyObject *attributes_of(Bytes at, Bytes end) {
    PyObject *found = PyDict_New();
    Slice name, value;
    while (found && (at = next_attribute(at, end, &name, &value))) {
        char small[32];
        if (name.length >= (Py_ssize_t)sizeof small) continue;
        for (Py_ssize_t i = 0; i < name.length; i++) small[i] = (char)lower(name.start[i]);
        small[name.length] = 0;
        PyObject *text = text_of(value);
        int failed = !text || PyDict_SetItemString(found, small, text) < 0;
        Py_XDECREF(text);
        if (failed) Py_CLEAR(found);
    }
    return found;
}

static int is_class_or_id(Slice name) {
    static const char CLASS[] = "class", ID[] = "id";
    return (name.length == 5 && !memcmp(name.start, CLASS, 5)) || (name.length == 2 && !memcmp(name.start, ID, 2));
}

/* The last classes and ids of some markup, with spaces between them. */
static PyObject *names_of(Bytes at, Bytes end) {
    Slice names[MOST_NAMES], name, value;
    unsigned char text[AROUND + MOST_NAMES];
    Py_ssize_t count = 0, length = 0;
    if (end - at > AROUND) at = end - AROUND;
    while ((at = next_attribute(at, end, &name, &value)))
        if (is_class_or_id(name)) names[count++ % MOST_NAMES] = value;
    for (Py_ssize_t i = count > MOST_NAMES ? count - MOST_NAMES : 0; i < count; i++) {
        Slice each = names[i % MOST_NAMES];
        if (length) text[length++] = ' ';
        memcpy(text + length, each.start, (size_t)each.length);
        length += each.length;
    }
    return text_of((Slice){text, length});
}

/* The text of some markup, in one line. It may begin with the rest of an end tag. */
static PyObject *line_of(Bytes at, Bytes end) {
    unsigned char line[2 * LONGEST_GAP];
    Py_ssize_t length = 0;
    int gap = 0;
    Reader reader = {.at = at, .end = end};
    for (; reader.at < end;) {
        unsigned char c = *reader.at;
        if (c == '<' && memchr(reader.at, '>', (size_t)(end - reader.at))) {
            Bytes tag = reader.at++;
            if (tag + 1 < end && (tag[1] == '!' || tag[1] == '?')) {
                reader.at = tag;
                skip_comment(&reader);
            } else if (!is_letter(*reader.at)) {
                reader.at = (Bytes)memchr(tag, '>', (size_t)(end - tag)) + 1;
            } else if (read_tag(&reader, 0) && (reader.tag.kind == SCRIPT || reader.tag.kind == RAW)) {
                raw_content(&reader, reader.tag.name);
            }
            gap = 1;
        } else {
            reader.at++;
            if (is_space(c)) {
                gap = 1;
                continue;
            }
            if (gap && length) line[length++] = ' ';
            gap = 0;
            line[length++] = c;
        }
    }
    return text_of((Slice){line, length});
}

/* What is said of the anchor whose tag is from `start` to `inner`, the one before it ending at `before`. */
PyObject *describe_anchor(PyObject *Py_UNUSED(module), PyObject *arguments) {
    PyObject *body;
    char *bytes;
    Py_ssize_t size, before, start, inner;
    if (!PyArg_ParseTuple(arguments, "Snnn", &body, &before, &start, &inner)) return NULL;
    if (PyBytes_AsStringAndSize(body, &bytes, &size) < 0) return NULL;
    if (before < 0 || before > start || start > inner || inner > size) {
        PyErr_SetString(PyExc_ValueError, "these are no places of an anchor in that page");
        return NULL;
    }
    Bytes begin = (Bytes)bytes, tag = begin + start;
    Bytes near = start - before > LONGEST_GAP ? tag - LONGEST_GAP : begin + before;
    PyObject *attributes = attributes_of(tag, begin + inner);
    PyObject *names = attributes ? names_of(near, tag) : NULL;
    PyObject *line = names ? line_of(near, tag) : NULL;
    PyObject *found = line ? PyTuple_Pack(3, attributes, names, line) : NULL;
    Py_XDECREF(attributes);
    Py_XDECREF(names);
    Py_XDECREF(line);
    return found;
}
