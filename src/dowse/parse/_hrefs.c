#include "_hrefs.h"
#include <stdint.h>

#define MOST_LOOKS 8

Slice href_key(Slice href) {
    if (href.length <= 0 || memchr(href.start, '&', (size_t)href.length)) return href; /* # may be of a reference */
    Bytes mark = memchr(href.start, '#', (size_t)href.length);
    if (mark && mark > href.start && mark[-1] > ' ') href.length = mark - href.start;
    return href;
}

Slice *href_slot(Hrefs *hrefs, Slice key) {
    if (key.length <= 0) return NULL;
    uint32_t hash = 2166136261u;
    for (Py_ssize_t i = 0; i < key.length; i++) hash = (hash ^ key.start[i]) * 16777619u;
    hash ^= hash >> 15;
    for (uint32_t look = 0; look < MOST_LOOKS; look++) {
        Slice *slot = &hrefs->slots[(hash + look) % HREF_SLOTS];
        if (!slot->length) return slot;
        if (slot->length == key.length && !memcmp(slot->start, key.start, (size_t)key.length)) return slot;
    }
    return NULL;
}
