/* The hrefs of a page that were met: menus, indexes and notes lead to the same places again and again. */

#ifndef DOWSE_HREFS_H
#define DOWSE_HREFS_H

#include "_tags.h"

#define HREF_SLOTS 1024

typedef struct {
    Slice slots[HREF_SLOTS]; /* of length 0 where there is none */
} Hrefs;

/* What all hrefs have that lead to the same page by the way they are written: all but the fragment. */
Slice href_key(Slice href);

/* Where a key is, or would be; NULL if there is no room. Only so many slots are looked at, whatever a page has. */
Slice *href_slot(Hrefs *hrefs, Slice key);

#endif
