/* The words of texts looked up and their vectors added up, without an object for each word.

   `Table.find` cuts texts into words and gives the row of each; Python is asked only for words that are met for the
   first time. What is made of rows is in `_rows.c`.

   Words come from pages that may be hostile. A word is known by its hash of 64 bits under a key that nobody outside can
   know (SipHash-1-3, as Python's own): nobody can make two words that have the same one or that crowd one place of the
   table, and among as many words as are kept it happens by chance once in a billion tables. So words are not kept, and
   long ones take no more room than short ones. The table is at least half empty; a look-up takes a few steps. The time
   is linear in the size of the texts. */

#include "_rows.h"

#define FIRST_SLOTS 4096

typedef struct {
    uint64_t hash;
    int32_t row; /* 0 where there is no word */
} Slot;

typedef struct {
    PyObject_HEAD
    uint64_t key[2];
    Slot *slots;
    size_t slot_count; /* a power of 2 */
    size_t word_count;
} Table;

typedef struct {
    int32_t *rows;
    size_t count;
    size_t room;
} Found;

static unsigned char PLAIN[256]; /* letters of ASCII in lower case, other characters as they are, 0 between words */

static void fill_plain(void) {
    for (int byte = 0; byte < 256; byte++) {
        int is_plain = byte >= 0x80 || (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z');
        if (byte >= 'A' && byte <= 'Z') PLAIN[byte] = (unsigned char)(byte + 'a' - 'A');
        else PLAIN[byte] = is_plain ? (unsigned char)byte : 0;
    }
}

static uint64_t rotated(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }

static void mix(uint64_t v[4]) {
    v[0] += v[1], v[2] += v[3];
    v[1] = rotated(v[1], 13) ^ v[0], v[3] = rotated(v[3], 16) ^ v[2];
    v[0] = rotated(v[0], 32);
    v[2] += v[1], v[0] += v[3];
    v[1] = rotated(v[1], 17) ^ v[2], v[3] = rotated(v[3], 21) ^ v[0];
    v[2] = rotated(v[2], 32);
}

/* The hash of the word that begins here. `at` is left behind the word. */
static uint64_t read_word(const uint64_t key[2], const unsigned char **at, const unsigned char *end) {
    uint64_t v[4] = {
        key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du,
        key[0] ^ 0x6c7967656e657261u, key[1] ^ 0x7465646279746573u,
    };
    const unsigned char *next = *at;
    uint64_t block = 0;
    int bits = 0;
    for (unsigned char byte; next < end && (byte = PLAIN[*next]); next++) {
        block |= (uint64_t)byte << bits;
        bits += 8;
        if (bits < 64) continue;
        v[3] ^= block;
        mix(v);
        v[0] ^= block;
        block = 0;
        bits = 0;
    }
    block |= (uint64_t)(next - *at) << 56;
    *at = next;
    v[3] ^= block;
    mix(v);
    v[0] ^= block;
    v[2] ^= 0xff;
    for (int i = 0; i < 3; i++) mix(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* The slot of a word, or the empty one that it belongs into. */
static Slot *slot_of(Slot *slots, size_t slot_count, uint64_t hash) {
    size_t i = hash & (slot_count - 1);
    while (slots[i].row && slots[i].hash != hash) i = (i + 1) & (slot_count - 1);
    return &slots[i];
}

/* Keep the row of a word; -1 with an exception. */
static int keep(Table *table, uint64_t hash, int32_t row) {
    if (table->word_count >= table->slot_count / 2) {
        size_t count = table->slot_count * 2;
        Slot *slots = PyMem_Calloc(count, sizeof(Slot));
        if (!slots) {
            PyErr_NoMemory();
            return -1;
        }
        for (size_t i = 0; i < table->slot_count; i++)
            if (table->slots[i].row) *slot_of(slots, count, table->slots[i].hash) = table->slots[i];
        PyMem_Free(table->slots);
        table->slots = slots;
        table->slot_count = count;
    }
    Slot *slot = slot_of(table->slots, table->slot_count, hash);
    table->word_count += !slot->row;
    *slot = (Slot){hash, row};
    return 0;
}

/* The row of a word that is not in the table; -1 with an exception. Whatever is asked may itself look for words: what
   was read of the table before does not hold afterwards. */
static int32_t ask(Table *table, const unsigned char *start, const unsigned char *end, uint64_t hash,
                   PyObject *missing) {
    PyObject *word = PyBytes_FromStringAndSize(NULL, end - start);
    if (!word) return -1;
    char *written = PyBytes_AsString(word);
    for (const unsigned char *at = start; at < end; at++) *written++ = (char)PLAIN[*at];
    PyObject *answer = PyObject_CallFunctionObjArgs(missing, word, NULL);
    Py_DECREF(word);
    if (!answer) return -1;
    long row = PyLong_AsLong(answer);
    Py_DECREF(answer);
    if (row == -1 && PyErr_Occurred()) return -1;
    if (row < SILENT_ROW || row > INT32_MAX) {
        PyErr_Format(PyExc_ValueError, "a word has no row %ld", row);
        return -1;
    }
    return keep(table, hash, (int32_t)row) < 0 ? -1 : (int32_t)row;
}

/* Make room for so many more rows; -1 with an exception. */
static int make_room(Found *found, size_t more) {
    if (found->room - found->count >= more) return 0;
    size_t room = found->room * 2 > found->count + more ? found->room * 2 : found->count + more;
    int32_t *rows = PyMem_Realloc(found->rows, room * sizeof(int32_t));
    if (!rows) {
        PyErr_NoMemory();
        return -1;
    }
    found->rows = rows;
    found->room = room;
    return 0;
}

/* Add the rows of a text and the mark behind it; -1 with an exception. */
static int find_rows(Table *table, const char *text, Py_ssize_t length, PyObject *missing, Found *found) {
    const unsigned char *at = (const unsigned char *)text, *end = at + length;
    if (make_room(found, (size_t)length / 2 + 2) < 0) return -1; /* there is a byte between two words */
    for (;;) {
        while (at < end && !PLAIN[*at]) at++;
        if (at >= end) break;
        const unsigned char *start = at;
        uint64_t hash = read_word(table->key, &at, end);
        int32_t row = slot_of(table->slots, table->slot_count, hash)->row;
        if (!row && (row = ask(table, start, at, hash, missing)) < 0) return -1;
        if (row != SILENT_ROW) found->rows[found->count++] = row;
    }
    found->rows[found->count++] = END_ROW;
    return 0;
}

static int find_in_text(Table *table, PyObject *text, PyObject *missing, Found *found) {
    Py_ssize_t length;
    const char *bytes = PyUnicode_AsUTF8AndSize(text, &length);
    if (bytes) return find_rows(table, bytes, length, missing, found);
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return -1;
    PyErr_Clear(); /* it has halves of characters, which are none of a word */
    PyObject *encoded = PyUnicode_AsEncodedString(text, "utf-8", "replace");
    char *replaced;
    int result = -1;
    if (encoded && PyBytes_AsStringAndSize(encoded, &replaced, &length) == 0)
        result = find_rows(table, replaced, length, missing, found);
    Py_XDECREF(encoded);
    return result;
}

PyDoc_STRVAR(find_doc, "find(texts, missing, /)\n--\n\n\
The rows of the words of texts with 0 behind each text, four bytes a row; `missing` is asked for new ones.");

static PyObject *table_find(PyObject *self, PyObject *arguments) {
    PyObject *given, *missing, *rows = NULL;
    if (!PyArg_ParseTuple(arguments, "OO", &given, &missing)) return NULL;
    PyObject *texts = PySequence_Tuple(given);
    if (!texts) return NULL;
    Found found = {NULL, 0, 0};
    Py_ssize_t count = PyTuple_Size(texts), i = 0;
    while (i < count && find_in_text((Table *)self, PyTuple_GetItem(texts, i), missing, &found) == 0) i++;
    if (i == count)
        rows = PyBytes_FromStringAndSize((char *)found.rows, (Py_ssize_t)(found.count * sizeof(int32_t)));
    PyMem_Free(found.rows);
    Py_DECREF(texts);
    return rows;
}

/* A view of numbers of so many bytes, one behind the other; -1 with an exception. */
static int view_numbers(PyObject *object, Py_buffer *view, size_t bytes) {
    if (PyObject_GetBuffer(object, view, PyBUF_C_CONTIGUOUS) < 0) return -1;
    if (view->ndim == 1 && view->itemsize == (Py_ssize_t)bytes && (uintptr_t)view->buf % bytes == 0) return 0;
    PyErr_Format(PyExc_ValueError, "numbers have to have %zu bytes", bytes);
    PyBuffer_Release(view);
    return -1;
}

PyDoc_STRVAR(count_doc, "count(rows, numbers, /)\n--\n\n\
The numbers of the rows of the first text, each with how often it is there, four bytes each, as they are met.\n\n\
Those that are 0 are left out. None where one is below 0.");

static PyObject *table_count(PyObject *self, PyObject *arguments) {
    PyObject *places, *known, *made = NULL;
    Py_buffer rows, numbers;
    if (!PyArg_ParseTuple(arguments, "OO", &places, &known)) return NULL;
    if (view_numbers(places, &rows, sizeof(int32_t)) < 0) return NULL;
    if (view_numbers(known, &numbers, sizeof(int64_t)) == 0) {
        made = counts_of(rows.buf, rows.shape[0], numbers.buf, numbers.shape[0], ((Table *)self)->key[0]);
        PyBuffer_Release(&numbers);
    }
    PyBuffer_Release(&rows);
    return made;
}

static PyObject *table_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    if (!PyArg_ParseTuple(arguments, "") || (keywords && PyDict_Size(keywords))) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "Table takes no arguments");
        return NULL;
    }
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Table *table = (Table *)allocate(type, 0);
    if (!table) return NULL;
    for (int i = 0; i < 2; i++) { /* from the key that Python made for its own hashes when it started */
        PyObject *text = PyUnicode_FromFormat("dowse.score.tokens %d", i);
        table->key[i] = text ? (uint64_t)PyObject_Hash(text) : 0;
        Py_XDECREF(text);
    }
    table->slots = PyMem_Calloc(FIRST_SLOTS, sizeof(Slot));
    table->slot_count = FIRST_SLOTS;
    if (!table->slots) PyErr_NoMemory();
    if (PyErr_Occurred()) Py_CLEAR(table);
    return (PyObject *)table;
}

static void table_free(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyMem_Free(((Table *)self)->slots);
    freefunc free_object = (freefunc)PyType_GetSlot(type, Py_tp_free);
    free_object(self);
    Py_DECREF(type);
}

PyDoc_STRVAR(units_doc, "units(rows, vectors, /)\n--\n\n\
The sums of vectors, their lengths made 1, given rows with 0 behind each text; a byte a component, as those have.");

static PyObject *units(PyObject *Py_UNUSED(module), PyObject *arguments) {
    PyObject *places, *known, *found = NULL;
    Py_buffer rows, vectors;
    if (!PyArg_ParseTuple(arguments, "OO", &places, &known)) return NULL;
    if (view_numbers(places, &rows, sizeof(int32_t)) < 0) return NULL;
    if (PyObject_GetBuffer(known, &vectors, PyBUF_C_CONTIGUOUS) < 0) {
        PyBuffer_Release(&rows);
        return NULL;
    }
    if (vectors.ndim != 2 || vectors.itemsize != 1 || vectors.shape[1] < 1)
        PyErr_SetString(PyExc_ValueError, "vectors have a byte a component");
    else
        found = units_of(rows.buf, rows.shape[0], vectors.buf, vectors.shape[1], vectors.shape[0]);
    PyBuffer_Release(&rows);
    PyBuffer_Release(&vectors);
    return found;
}

static PyMethodDef TABLE_METHODS[] = {
    {"find", table_find, METH_VARARGS, find_doc},
    {"count", table_count, METH_VARARGS, count_doc},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot TABLE_SLOTS[] = {
    {Py_tp_doc, "The rows of words."},
    {Py_tp_new, table_new},
    {Py_tp_dealloc, table_free},
    {Py_tp_methods, TABLE_METHODS},
    {0, NULL},
};

static PyType_Spec TABLE_SPEC = {"dowse.score._words.Table", sizeof(Table), 0, Py_TPFLAGS_DEFAULT, TABLE_SLOTS};

static PyMethodDef METHODS[] = {{"units", units, METH_VARARGS, units_doc}, {NULL, NULL, 0, NULL}};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_words", NULL, 0, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__words(void) {
    fill_plain();
    PyObject *module = PyModule_Create(&MODULE);
    PyObject *type = module ? PyType_FromSpec(&TABLE_SPEC) : NULL;
    if (!type || PyModule_AddObjectRef(module, "Table", type) < 0) Py_CLEAR(module);
    Py_XDECREF(type);
    return module;
}
