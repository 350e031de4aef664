#include "_outline.h"

#define DEEPEST 400
#define MOST_ELEMENTS 500000
#define REACH 30 /* characters on either side of a link that are its context */
#define LONGEST_HEADING 120
#define MOST_HEADINGS 40
#define LONGEST_STEP 40

typedef struct {
    Slice name, class_names;
    Kind kind;
    Role role;
    Py_ssize_t parent, start, end; /* where its text is */
} Element;

typedef struct {
    Py_ssize_t element, heading, start, end;
} Place;

struct Outline {
    Text text;
    Element *elements;
    Place *places;
    Py_ssize_t count, links, linked;
    Py_ssize_t element_room, place_room;
    Py_ssize_t heading; /* the last one, or -1 */
    Py_ssize_t open[DEEPEST];
    int depth, is_too_large;
};

#define HTML_ELEMENT 0
#define BODY_ELEMENT 1

/* Sets of roles. */
enum { OF_TABLE = 1 << TABLE | 1 << ROWS | 1 << ROW | 1 << CELL, SPECIAL = ~(1 << PLAIN | 1 << ROOT) };

static int push(Outline *outline, const Tag *tag) {
    if (outline->depth == DEEPEST || outline->count == MOST_ELEMENTS) {
        outline->is_too_large = 1;
        return 0;
    }
    if (make_room((void **)&outline->elements, &outline->element_room, outline->count + 1, sizeof(Element)) < 0)
        return -1;
    outline->elements[outline->count] = (Element){
        .name = tag->name, .class_names = tag->class_names, .kind = tag->kind, .role = tag->role,
        .parent = outline->depth ? outline->open[outline->depth - 1] : -1,
        .start = outline->text.size, .end = outline->text.size,
    };
    outline->open[outline->depth++] = outline->count++;
    return 0;
}

Outline *outline_new(PyObject *resolve) {
    Outline *outline = PyMem_Calloc(1, sizeof(Outline));
    if (!outline) {
        PyErr_NoMemory();
        return NULL;
    }
    outline->text.resolve = Py_NewRef(resolve);
    outline->heading = -1;
    const Tag html = {.role = ROOT, .name = {(Bytes) "html", 4}, .class_names = NONE};
    const Tag body = {.role = ROOT, .name = {(Bytes) "body", 4}, .class_names = NONE};
    if (push(outline, &html) < 0 || push(outline, &body) < 0) {
        outline_free(outline);
        return NULL;
    }
    return outline;
}

void outline_free(Outline *outline) {
    if (!outline) return;
    Py_XDECREF(outline->text.resolve);
    PyMem_Free(outline->text.bytes);
    PyMem_Free(outline->elements);
    PyMem_Free(outline->places);
    PyMem_Free(outline);
}

int outline_text(Outline *outline, Bytes at, Bytes end) { return text_add_written(&outline->text, at, end); }

int outline_is_too_large(const Outline *outline) { return outline->is_too_large; }

static const Element *opened(const Outline *outline, int at) { return &outline->elements[outline->open[at]]; }

/* Which of the open elements, from the innermost on, is of these roles; -1 if one of the others is met before. */
static int find(const Outline *outline, int wanted, int others) {
    for (int at = outline->depth - 1; at > BODY_ELEMENT; at--) {
        int role = 1 << opened(outline, at)->role;
        if (role & wanted) return at;
        if (role & others) break;
    }
    return -1;
}

/* End all elements from here on. */
static void end_from(Outline *outline, int at) {
    while (outline->depth > at) outline->elements[outline->open[--outline->depth]].end = outline->text.size;
}

/* End one element and leave those within it, which are in the one around it now. */
static void end_one(Outline *outline, int at) {
    Element *element = &outline->elements[outline->open[at]];
    element->end = outline->text.size;
    outline->elements[outline->open[at + 1]].parent = element->parent;
    outline->depth--;
    memmove(outline->open + at, outline->open + at + 1, (size_t)(outline->depth - at) * sizeof *outline->open);
}

/* End what the standard says that a start tag ends. 0 if the tag is nothing here. */
static int end_before(Outline *outline, Role role) {
    int at = -1;
    if (role == ITEM) at = find(outline, 1 << ITEM, SPECIAL & ~(1 << DIVISION | 1 << PARAGRAPH));
    if (role == TERM) at = find(outline, 1 << TERM, SPECIAL & ~(1 << DIVISION | 1 << PARAGRAPH));
    if (at >= 0) end_from(outline, at);
    if (role >= BLOCK && role <= TABLE) {
        at = find(outline, 1 << PARAGRAPH, OF_TABLE);
        if (at >= 0) end_from(outline, at);
    }
    if (role == HEADING && opened(outline, outline->depth - 1)->role == HEADING) end_from(outline, outline->depth - 1);
    if (role > TABLE) {
        int holders = role == ROWS ? 1 << TABLE : role == ROW ? 1 << TABLE | 1 << ROWS : OF_TABLE & ~(1 << CELL);
        at = find(outline, holders, 0);
        if (at < 0) return 0;
        end_from(outline, at + 1);
    }
    return 1;
}

static int is_within_lines(const Tag *tag) { return tag->kind == INLINE || tag->kind == A; }

static const unsigned char SPACE[] = " ";

/* Words on both sides of a tag are not one word, unless it is within a line. */
static int add_gap(Outline *outline, const Tag *tag) {
    return is_within_lines(tag) || text_ends_in_gap(&outline->text) ? 0 : text_add(&outline->text, SPACE, SPACE + 1);
}

/* h5 and h6 say too little. */
static int is_heading(const Element *element) { return element->role == HEADING && element->name.start[1] <= '4'; }

int outline_start(Outline *outline, const Tag *tag) {
    if (add_gap(outline, tag) < 0) return -1;
    if (tag->role == ROOT) {
        Element *root = &outline->elements[lower(tag->name.start[0]) == 'b' ? BODY_ELEMENT : HTML_ELEMENT];
        int is_head = lower(tag->name.start[1]) == 'e';
        if (!is_head && root->class_names.length < 0) root->class_names = tag->class_names;
        return 0;
    }
    if ((tag->kind == A || tag->kind == OPTION) && outline_end(outline, tag) < 0) return -1; /* none is in another */
    if (!end_before(outline, tag->role) || (tag->kind != A && !has_content(tag->kind))) return 0;
    if (tag->closes_itself && (tag->kind == SVG || tag->kind == DRAWN)) return 0;
    if (push(outline, tag) < 0) return -1;
    if (is_heading(&outline->elements[outline->count - 1])) outline->heading = outline->count - 1;
    return 0;
}

static int is_same_name(Slice one, Slice other) {
    if (one.length != other.length) return 0;
    for (Py_ssize_t i = 0; i < one.length; i++)
        if (lower(one.start[i]) != lower(other.start[i])) return 0;
    return 1;
}

int outline_end(Outline *outline, const Tag *tag) {
    if (add_gap(outline, tag) < 0) return -1;
    int is_special = 1 << tag->role & SPECIAL, is_crossed = 0;
    int barriers = is_special || is_within_lines(tag) ? 1 << TABLE | 1 << CELL : SPECIAL;
    if (tag->role >= TABLE) barriers = 1 << TABLE;
    for (int at = outline->depth - 1; at > BODY_ELEMENT; at--) {
        const Element *element = opened(outline, at);
        if (is_same_name(element->name, tag->name) || (element->role == HEADING && tag->role == HEADING)) {
            if (is_crossed && is_within_lines(tag)) end_one(outline, at);
            else end_from(outline, at);
            return 0;
        }
        if (1 << element->role & barriers) break;
        is_crossed |= 1 << element->role & SPECIAL;
    }
    return 0;
}

static int is_within_character(unsigned char c) { return (c & 0xc0) == 0x80; }

int outline_link(Outline *outline) {
    if (make_room((void **)&outline->places, &outline->place_room, outline->links + 1, sizeof(Place)) < 0) return -1;
    outline->places[outline->links++] = (Place){
        .element = opened(outline, outline->depth - 1)->parent, .heading = outline->heading,
        .start = outline->text.size, .end = outline->text.size,
    };
    return 0;
}

void outline_link_end(Outline *outline, int is_kept) {
    Place *place = &outline->places[outline->links - 1];
    place->end = outline->text.size;
    Bytes text = outline->text.bytes;
    for (Py_ssize_t at = place->start; at < place->end; at++) outline->linked += !is_within_character(text[at]);
    if (!is_kept) outline->links--;
}

/* So many characters back or on, but not beyond a limit; four bytes each at the most, whatever is there. */
static Bytes back(Bytes at, Bytes limit, Py_ssize_t characters) {
    for (; characters && at > limit; characters--) {
        int left = 4;
        do at--;
        while (--left && at > limit && is_within_character(*at));
    }
    return at;
}

static Bytes on(Bytes at, Bytes limit, Py_ssize_t characters) {
    for (; characters && at < limit; characters--) {
        int left = 4;
        do at++;
        while (--left && at < limit && is_within_character(*at));
    }
    return at;
}

static PyObject *as_str(Bytes start, Py_ssize_t length) {
    return PyUnicode_DecodeUTF8((const char *)start, length, "replace");
}

/* The words on either side of a link within its element; those that would be cut in two are left out. */
static PyObject *context_of(const Outline *outline, const Place *place) {
    const Element *element = &outline->elements[place->element];
    Bytes text = outline->text.bytes, start = text + place->start, end = text + place->end;
    Bytes from = back(start, text + element->start, REACH), to = on(end, text + element->end, REACH);
    if (from > text + element->start) {
        Bytes space = memchr(from, ' ', (size_t)(start - from));
        from = space ? space + 1 : start;
    }
    if (to < text + element->end)
        do to = to > end ? to - 1 : end;
        while (to > end && *to != ' ');
    unsigned char around[8 * REACH + 1];
    Py_ssize_t before = start - from, after = to - end;
    if (before) memcpy(around, from, (size_t)before);
    around[before] = ' ';
    if (after) memcpy(around + before + 1, end, (size_t)after);
    return as_str(around, before + 1 + after);
}

static unsigned char *add_step(unsigned char *to, const Element *element) {
    Py_ssize_t length = element->name.length < LONGEST_STEP ? element->name.length : LONGEST_STEP;
    for (Py_ssize_t i = 0; i < length; i++) *to++ = (unsigned char)lower(element->name.start[i]);
    *to++ = '.';
    if (element->class_names.length < 0) return to;
    Bytes at = element->class_names.start, end = at + element->class_names.length;
    while (at < end && is_space(*at)) at++;
    for (int i = 0; i < LONGEST_STEP && at < end && !is_space(*at); i++) *to++ = *at++;
    return to;
}

/* The two elements around a link, with the first class of each, closest first. */
static PyObject *path_of(const Outline *outline, const Place *place) {
    unsigned char path[4 * LONGEST_STEP + 4];
    const Element *element = &outline->elements[place->element];
    unsigned char *to = add_step(path, element);
    if (element->parent >= 0) {
        *to++ = '/';
        to = add_step(to, &outline->elements[element->parent]);
    }
    return as_str(path, to - path);
}

static PyObject *heading_text(const Outline *outline, Py_ssize_t number) {
    const Element *heading = &outline->elements[number];
    Bytes text = outline->text.bytes, start = text + heading->start;
    Bytes end = on(start, text + heading->end, LONGEST_HEADING);
    if (end > start && end[-1] == ' ') end--;
    return as_str(start, end - start);
}

static PyObject *heading_of(const Outline *outline, const Place *place) {
    return place->heading < 0 ? PyUnicode_FromString("") : heading_text(outline, place->heading);
}

/* The first headings, in their order. */
static PyObject *headings_of(const Outline *outline) {
    PyObject *found = PyList_New(0);
    for (Py_ssize_t i = 0; found && i < outline->count && PyList_Size(found) < MOST_HEADINGS; i++) {
        if (!is_heading(&outline->elements[i])) continue;
        PyObject *text = heading_text(outline, i);
        if (!text || PyList_Append(found, text) < 0) Py_CLEAR(found);
        Py_XDECREF(text);
    }
    return found;
}

static PyObject *place_tuple(const Outline *outline, const Place *place) {
    PyObject *(*const PARTS[])(const Outline *, const Place *) = {context_of, heading_of, path_of};
    PyObject *parts = PyTuple_New(3);
    for (int i = 0; parts && i < 3; i++) {
        PyObject *part = PARTS[i](outline, place);
        if (!part || PyTuple_SetItem(parts, i, part) < 0) Py_CLEAR(parts);
    }
    return parts;
}

PyObject *outline_result(Outline *outline) {
    end_from(outline, 0);
    if (!outline->text.size && make_room((void **)&outline->text.bytes, &outline->text.room, 1, 1) < 0) return NULL;
    Bytes text = outline->text.bytes;
    PyObject *places = PyList_New(outline->links);
    for (Py_ssize_t i = 0; places && i < outline->links; i++) {
        const Place *place = &outline->places[i];
        PyObject *parts = place_tuple(outline, place);
        if (!parts || PyList_SetItem(places, i, parts) < 0) Py_CLEAR(places);
    }
    Py_ssize_t length = outline->text.size - (outline->text.size && text_ends_in_gap(&outline->text));
    PyObject *headings = places ? headings_of(outline) : NULL;
    if (!headings) Py_CLEAR(places);
    return places ? Py_BuildValue("(NnNN)", as_str(text, length), outline->linked, places, headings) : NULL;
}
