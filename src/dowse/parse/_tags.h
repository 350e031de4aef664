/* The tags of a page: the tokenizer of the HTML standard, reduced to what has an effect on the tags that are asked for.

   Everything is read through `at < end`. Each byte is looked at a bounded number of times, so the time is linear in the
   size of the page, whatever is in it. */

#ifndef DOWSE_TAGS_H
#define DOWSE_TAGS_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <string.h>

typedef const unsigned char *Bytes;

typedef struct {
    Bytes start;
    Py_ssize_t length; /* -1 where there is none */
} Slice;

/* The attributes that somebody asks for. */
enum { ALT, CHARSET, CONTENT, HREF, HTTP_EQUIV, NAME, REL, SRC, TITLE, TYPE, ATTRIBUTES };

typedef enum {
    OTHER, /* no effect */
    INLINE, /* no effect, and its end tag does not end what it does not belong to */
    VOID,  /* no effect and no content */
    BREAK, /* the same, and words on its sides are apart */
    BOX,   /* has content and, as blocks have, words apart from those around */
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

/* What a tag means for the elements that are open. From BLOCK on, the standard calls them special. */
typedef enum {
    PLAIN,
    ROOT,  /* there once, whether it is written or not */
    BLOCK, /* ends a paragraph */
    DIVISION, /* so does it, and items of lists end across it */
    PARAGRAPH,
    HEADING,
    ITEM,
    TERM,
    TABLE,
    ROWS,
    ROW,
    CELL,
} Role;

typedef struct {
    Kind kind;
    Role role;
    Slice name;
    Slice class_names; /* only where the reader wants them */
    Slice values[ATTRIBUTES];
    int closes_itself;
} Tag;

typedef struct {
    Bytes at, end;
    int wants_classes;
    Tag tag;
} Reader;

extern const Slice NONE;
extern const char *const ATTRIBUTE_NAMES[ATTRIBUTES];

static inline int is_space(unsigned char c) {
    return c <= ' ' && (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f');
}

static inline int is_letter(unsigned char c) { return (unsigned char)((c | 32) - 'a') < 26; }

/* Whether it may be between the `&` and the `;` of a character reference. */
static inline int is_of_reference(unsigned char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '#'; }

static inline int lower(unsigned char c) { return (unsigned char)(c - 'A') < 26 ? c + 32 : c; }

/* Whether other tags may be between its start and its end tag. */
int has_content(Kind kind);

/* A tag from its name on; 0 if the page ends within it, and then there is no tag. */
int read_tag(Reader *reader, int is_end_tag);

/* Where the content of an element ends that has no tags within: at its end tag. `at` is left at that tag. */
Slice raw_content(Reader *reader, Slice name);

/* Go to the end tag of a script. Within `<!--` and `-->` another script has an end tag of its own. */
void skip_script(Reader *reader);

/* Behind a comment or what counts as one; `at` is at its `<`. */
void skip_comment(Reader *reader);

/* To be called once, when the module is loaded. */
void index_names(void);

#endif

