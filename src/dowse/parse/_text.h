/* A text that grows, in UTF-8, its white space as one space. Functions return 0, or -1 with an exception. */

#ifndef DOWSE_TEXT_H
#define DOWSE_TEXT_H

#include "_tags.h"

typedef struct {
    unsigned char *bytes;
    Py_ssize_t size, room;
    PyObject *resolve; /* makes a str of one that is written with character references */
} Text;

/* Have room for so many items of that size. */
int make_room(void **items, Py_ssize_t *room, Py_ssize_t wanted, size_t size);

int text_add(Text *text, Bytes at, Bytes end);

/* The same of what is written with character references. */
int text_add_written(Text *text, Bytes at, Bytes end);

/* Whether white space would add nothing. */
int text_ends_in_gap(const Text *text);

#endif
