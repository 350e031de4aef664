/* The anchors of a page that may be paging links, as places in its bytes. */

#ifndef DOWSE_ANCHORS_H
#define DOWSE_ANCHORS_H

#include "_tags.h"

/* A list of tuples, how many anchors there are in all, and where buttons begin; what is in the tuples, parse/pagination/anchor_places.py says. */
PyObject *find_anchors(PyObject *module, PyObject *arguments);

/* The attributes of an anchor, the last classes and ids before it, and the text since the anchor before. */
PyObject *describe_anchor(PyObject *module, PyObject *arguments);

#endif
