/* The text of a page and what stands around its links, gathered while its tags are read.

   It follows which elements are open by the standard's rules for lists, paragraphs, tables and headings. Where tags are
   wrongly nested a tree may have them elsewhere; these are hints for guessing where links lead, not facts. For each
   tag as many of the open elements are looked at as there are, 400 at the most. */

#ifndef DOWSE_OUTLINE_H
#define DOWSE_OUTLINE_H

#include "_text.h"

typedef struct Outline Outline;

/* `resolve` is what makes the text of a str that is written with character references. NULL with an exception. */
Outline *outline_new(PyObject *resolve);
void outline_free(Outline *outline);

/* These return 0, or -1 with an exception. */
int outline_text(Outline *outline, Bytes at, Bytes end);
int outline_start(Outline *outline, const Tag *tag);
int outline_end(Outline *outline, const Tag *tag);
int outline_link(Outline *outline); /* the element that was started last is a link */

/* The link has ended; it is only kept if it says something new. */
void outline_link_end(Outline *outline, int is_kept);

/* Whether there are more elements, or more within each other, than anybody needs. */
int outline_is_too_large(const Outline *outline);

/* The text, how many characters of it are in links, and for each link a tuple: the words around it, the heading above
   it, and the tags that it is in. NULL with an exception. */
PyObject *outline_result(Outline *outline);

#endif
