#include "_tags.h"

typedef struct {
    const char *name;
    Kind kind;
    Role role;
} Known;

static const Known KNOWN[] = {
    {"a", A, PLAIN}, {"area", AREA, PLAIN}, {"base", BASE, PLAIN}, {"iframe", IFRAME, PLAIN}, {"img", IMG, PLAIN},
    {"link", LINK, PLAIN}, {"meta", META, PLAIN}, {"title", TITLE_TAG, PLAIN}, {"script", SCRIPT, PLAIN},
    {"style", RAW, PLAIN}, {"textarea", RAW, PLAIN}, {"xmp", RAW, PLAIN}, {"noembed", RAW, PLAIN},
    {"noframes", RAW, PLAIN}, {"svg", SVG, PLAIN}, {"select", SELECT, PLAIN}, {"option", OPTION, PLAIN},
    {"optgroup", OPTION, PLAIN}, {"g", DRAWN, PLAIN}, {"path", DRAWN, PLAIN}, {"use", DRAWN, PLAIN},
    {"rect", DRAWN, PLAIN}, {"circle", DRAWN, PLAIN}, {"ellipse", DRAWN, PLAIN}, {"line", DRAWN, PLAIN},
    {"polyline", DRAWN, PLAIN}, {"polygon", DRAWN, PLAIN}, {"defs", DRAWN, PLAIN}, {"symbol", DRAWN, PLAIN},
    {"template", UNSURE, PLAIN}, {"frameset", UNSURE, PLAIN}, {"frame", UNSURE, PLAIN}, {"math", UNSURE, PLAIN},
    {"plaintext", UNSURE, PLAIN}, {"image", IMG, PLAIN}, {"br", BREAK, PLAIN}, {"col", VOID, PLAIN},
    {"embed", VOID, PLAIN}, {"hr", VOID, BLOCK}, {"input", VOID, PLAIN}, {"param", VOID, PLAIN},
    {"source", VOID, PLAIN}, {"track", VOID, PLAIN}, {"wbr", VOID, PLAIN}, {"basefont", VOID, PLAIN},
    {"bgsound", VOID, PLAIN}, {"keygen", VOID, PLAIN}, {"abbr", INLINE, PLAIN}, {"acronym", INLINE, PLAIN},
    {"b", INLINE, PLAIN}, {"big", INLINE, PLAIN}, {"cite", INLINE, PLAIN}, {"code", INLINE, PLAIN},
    {"del", INLINE, PLAIN}, {"dfn", INLINE, PLAIN}, {"em", INLINE, PLAIN}, {"font", INLINE, PLAIN},
    {"i", INLINE, PLAIN}, {"ins", INLINE, PLAIN}, {"kbd", INLINE, PLAIN}, {"nobr", INLINE, PLAIN}, {"q", INLINE, PLAIN},
    {"s", INLINE, PLAIN}, {"samp", INLINE, PLAIN}, {"small", INLINE, PLAIN}, {"span", INLINE, PLAIN},
    {"strike", INLINE, PLAIN}, {"strong", INLINE, PLAIN}, {"sub", INLINE, PLAIN}, {"sup", INLINE, PLAIN},
    {"tt", INLINE, PLAIN}, {"u", INLINE, PLAIN}, {"var", INLINE, PLAIN},
    {"html", OTHER, ROOT}, {"head", OTHER, ROOT}, {"body", OTHER, ROOT}, {"article", OTHER, BLOCK},
    {"aside", OTHER, BLOCK}, {"blockquote", OTHER, BLOCK}, {"center", OTHER, BLOCK}, {"details", OTHER, BLOCK},
    {"dialog", OTHER, BLOCK}, {"dir", OTHER, BLOCK}, {"dl", OTHER, BLOCK}, {"fieldset", OTHER, BLOCK},
    {"figcaption", OTHER, BLOCK}, {"figure", OTHER, BLOCK}, {"footer", OTHER, BLOCK}, {"form", OTHER, BLOCK},
    {"header", OTHER, BLOCK}, {"hgroup", OTHER, BLOCK}, {"main", OTHER, BLOCK}, {"menu", OTHER, BLOCK},
    {"nav", OTHER, BLOCK}, {"ol", OTHER, BLOCK}, {"pre", OTHER, BLOCK}, {"search", OTHER, BLOCK},
    {"section", OTHER, BLOCK}, {"summary", OTHER, BLOCK}, {"ul", OTHER, BLOCK}, {"address", OTHER, DIVISION},
    {"div", OTHER, DIVISION}, {"p", OTHER, PARAGRAPH}, {"h1", OTHER, HEADING}, {"h2", OTHER, HEADING},
    {"h3", OTHER, HEADING}, {"h4", OTHER, HEADING}, {"h5", OTHER, HEADING}, {"h6", OTHER, HEADING}, {"li", OTHER, ITEM},
    {"dd", OTHER, TERM}, {"dt", OTHER, TERM}, {"table", OTHER, TABLE}, {"caption", OTHER, ROWS},
    {"colgroup", OTHER, ROWS}, {"tbody", OTHER, ROWS}, {"tfoot", OTHER, ROWS}, {"thead", OTHER, ROWS},
    {"tr", OTHER, ROW}, {"td", OTHER, CELL}, {"th", OTHER, CELL}, {"button", BOX, PLAIN}, {"legend", BOX, PLAIN},
    {"listing", BOX, PLAIN}, {"marquee", BOX, PLAIN},
};

const char *const ATTRIBUTE_NAMES[ATTRIBUTES] = {
    "alt", "charset", "content", "href", "http-equiv", "name", "rel", "src", "title", "type",
};

const Slice NONE = {NULL, -1};

static int is_word(Slice slice, const char *word) {
    for (Py_ssize_t i = 0; i < slice.length; i++)
        if (lower(slice.start[i]) != (unsigned char)word[i]) return 0; /* a word that is too short ends in 0 */
    return word[slice.length] == 0;
}

/* Kinds by first letter and length, so that names are told by a look or two; filled when the module is loaded. */
#define LONGEST_NAME 10
static unsigned char FIRST[26][LONGEST_NAME + 1], NEXT[sizeof KNOWN / sizeof *KNOWN];

static void look_up(Tag *tag) {
    tag->kind = OTHER;
    tag->role = PLAIN;
    if (tag->name.length > LONGEST_NAME) return;
    for (int i = FIRST[lower(tag->name.start[0]) - 'a'][tag->name.length]; i; i = NEXT[i - 1])
        if (is_word(tag->name, KNOWN[i - 1].name)) {
            tag->kind = KNOWN[i - 1].kind;
            tag->role = KNOWN[i - 1].role;
            return;
        }
}

void index_names(void) {
    memset(FIRST, 0, sizeof FIRST);
    for (int i = sizeof KNOWN / sizeof *KNOWN; i > 0; i--) {
        unsigned char *first = &FIRST[KNOWN[i - 1].name[0] - 'a'][strlen(KNOWN[i - 1].name)];
        NEXT[i - 1] = *first;
        *first = (unsigned char)i;
    }
}

int has_content(Kind kind) {
    return kind == OTHER || kind == INLINE || kind == BOX || kind == SVG || kind == DRAWN || kind == SELECT ||
           kind == OPTION;
}

/* Behind the next of this byte, or the end. */
static Bytes behind(Bytes at, Bytes end, int byte) {
    Bytes found = at < end ? memchr(at, byte, (size_t)(end - at)) : NULL;
    return found ? found + 1 : end;
}

static void keep(Tag *tag, Slice name, Slice value) {
    if (tag->kind < A || tag->kind > META || name.length < 3 || name.length > 10) return;
    for (int i = 0; i < ATTRIBUTES; i++)
        if (tag->values[i].length < 0 && lower(name.start[0]) == ATTRIBUTE_NAMES[i][0] &&
            is_word(name, ATTRIBUTE_NAMES[i])) {
            tag->values[i] = value;
            return;
        }
}

int read_tag(Reader *reader, int is_end_tag) {
    Bytes at = reader->at, end = reader->end;
    Tag *tag = &reader->tag;
    tag->name.start = at;
    while (at < end && !is_space(*at) && *at != '/' && *at != '>') at++;
    tag->name.length = at - tag->name.start;
    look_up(tag);
    tag->class_names = NONE;
    tag->closes_itself = 0;
    if (!is_end_tag && tag->kind >= A && tag->kind <= META)
        for (int i = 0; i < ATTRIBUTES; i++) tag->values[i] = NONE;
    while (at < end) {
        if (*at == '>') {
            reader->at = at + 1;
            return 1;
        }
        if (*at == '/' || is_space(*at)) {
            tag->closes_itself = *at++ == '/' && at < end && *at == '>';
            continue;
        }
        Slice name = {at, 0}, value = {at, 0};
        do at++;
        while (at < end && !is_space(*at) && *at != '/' && *at != '>' && *at != '=');
        name.length = at - name.start;
        while (at < end && is_space(*at)) at++;
        if (at < end && *at == '=') {
            do at++;
            while (at < end && is_space(*at));
            if (at < end && (*at == '"' || *at == '\'')) {
                Bytes closing = memchr(at + 1, *at, (size_t)(end - at - 1));
                if (!closing) break;
                value.start = at + 1;
                value.length = closing - value.start;
                at = closing + 1;
            } else {
                value.start = at;
                while (at < end && !is_space(*at) && *at != '>') at++;
                value.length = at - value.start;
            }
        }
        if (is_end_tag) continue;
        keep(tag, name, value);
        if (reader->wants_classes && tag->class_names.length < 0 && is_word(name, "class")) tag->class_names = value;
    }
    reader->at = end;
    return 0;
}

Slice raw_content(Reader *reader, Slice name) {
    Slice content = {reader->at, 0};
    Bytes end = reader->end;
    for (Bytes at = reader->at;; at++) {
        at = at < end ? memchr(at, '<', (size_t)(end - at)) : NULL;
        if (!at || end - at < name.length + 3) break;
        if (at[1] != '/') continue;
        Bytes next = at + 2 + name.length;
        int same = is_space(*next) || *next == '/' || *next == '>';
        for (Py_ssize_t i = 0; same && i < name.length; i++) same = lower(at[2 + i]) == lower(name.start[i]);
        if (same) {
            content.length = at - content.start;
            reader->at = at;
            return content;
        }
    }
    content.length = end - content.start;
    reader->at = end;
    return content;
}

/* Whether a tag with this name, given with its `<` or `</`, begins here. */
static int begins(Bytes at, Bytes end, const char *tag, Py_ssize_t length) {
    if (end - at <= length) return 0;
    for (Py_ssize_t i = 0; i < length; i++)
        if (lower(at[i]) != (unsigned char)tag[i]) return 0;
    return is_space(at[length]) || at[length] == '/' || at[length] == '>';
}

void skip_script(Reader *reader) {
    Bytes end = reader->end;
    enum { WHOLE, ESCAPED, TWICE } state = WHOLE;
    for (Bytes at = reader->at; at < end; at++) {
        if (state == WHOLE && !(at = memchr(at, '<', (size_t)(end - at)))) break;
        if (*at == '<') {
            if (begins(at, end, "</script", 8)) {
                if (state != TWICE) {
                    reader->at = at;
                    return;
                }
                state = ESCAPED;
            } else if (state == WHOLE && end - at >= 4 && !memcmp(at, "<!--", 4)) {
                state = ESCAPED;
            } else if (state == ESCAPED && begins(at, end, "<script", 7)) {
                state = TWICE;
            }
        } else if (*at == '-' && end - at >= 3 && at[1] == '-' && at[2] == '>') {
            state = WHOLE;
        }
    }
    reader->at = end;
}

void skip_comment(Reader *reader) {
    Bytes at = reader->at + 2, end = reader->end;
    if (end - at < 2 || at[-1] != '!' || at[0] != '-' || at[1] != '-') {
        reader->at = behind(at, end, '>');
        return;
    }
    at += 2;
    if (at < end && *at == '>') { /* <!--> and <!---> are whole */
        reader->at = at + 1;
        return;
    }
    if (end - at >= 2 && at[0] == '-' && at[1] == '>') {
        reader->at = at + 2;
        return;
    }
    while ((at = at < end ? memchr(at, '-', (size_t)(end - at)) : NULL)) {
        if (end - at < 3) break;
        if (at[1] == '-' && at[2] == '>') {
            reader->at = at + 3;
            return;
        }
        if (end - at >= 4 && at[1] == '-' && at[2] == '!' && at[3] == '>') {
            reader->at = at + 4;
            return;
        }
        at++;
    }
    reader->at = end;
}

