/* Texts as vectors, the sums of those of their words; and counts of the numbers of words.

   Rows are held to be within vectors and numbers before these are read. Sums are exact, so that they do not depend on
   the order in which they are made. Numbers are hashed with a key, for pages choose them. */

#include "_rows.h"
#include <math.h>
#include <string.h>

#define AT_ONCE 256 /* vectors of int8_t whose sum an int16_t holds */
#define PARTS 4
#define SCALE 256.0 /* as in vectors.py */
#define ROUNDS 6755399441055744.0 /* 1.5 times 2 to the 52nd: of a sum with it nothing is left behind its point */
#define AHEAD 8     /* rows between the one whose vector is asked of the memory and the one that is looked at */

typedef signed char Part __attribute__((vector_size(16)));
typedef int16_t Sums __attribute__((vector_size(32)));

/* The sums of PARTS parts of rows, each of them one of the vectors: so many that they stay in registers. */
static void add_parts(const int32_t *rows, Py_ssize_t count, const signed char *vectors, Py_ssize_t size,
                      int16_t *restrict out) {
    Sums sums[PARTS] = {{0}};
    for (Py_ssize_t i = 0; i < count; i++)
        for (int k = 0; k < PARTS; k++) {
            Part part;
            memcpy(&part, vectors + rows[i] * size + k * (Py_ssize_t)sizeof(Part), sizeof(Part));
            sums[k] += __builtin_convertvector(part, Sums);
        }
    memcpy(out, sums, sizeof(sums));
}

/* The sums of rows, at most AT_ONCE of them. */
static void add_rows(const int32_t *rows, Py_ssize_t count, const signed char *vectors, Py_ssize_t size,
                     int16_t *restrict out) {
    const Py_ssize_t width = PARTS * (Py_ssize_t)sizeof(Part);
    Py_ssize_t done = 0;
    for (; done + width <= size; done += width) add_parts(rows, count, vectors + done, size, out + done);
    memset(out + done, 0, (size_t)(size - done) * sizeof(int16_t));
    for (Py_ssize_t i = 0; i < count; i++)
        for (Py_ssize_t k = done; k < size; k++) out[k] = (int16_t)(out[k] + vectors[rows[i] * size + k]);
}

/* The exact sum of rows. `sums` has room for a vector. */
static void add_text(const int32_t *rows, Py_ssize_t count, const signed char *vectors, Py_ssize_t size,
                     int16_t *restrict sums, double *restrict total) {
    memset(total, 0, (size_t)size * sizeof(double));
    for (Py_ssize_t i = 0; i < count; i += AT_ONCE) {
        add_rows(rows + i, count - i < AT_ONCE ? count - i : AT_ONCE, vectors, size, sums);
        for (Py_ssize_t k = 0; k < size; k++) total[k] += sums[k];
    }
}

/* A vector with its length made SCALE, in a byte a component. Its squares are whole numbers, so their sum is exact and
   does not depend on the order in which they are added. */
static void write_unit(const double *restrict total, Py_ssize_t size, signed char *restrict out) {
    double square = 0;
    for (Py_ssize_t k = 0; k < size; k++) square += total[k] * total[k];
    double scale = square > 0 ? SCALE / sqrt(square) : 0;
    for (Py_ssize_t k = 0; k < size; k++) {
        double made = total[k] * scale + ROUNDS - ROUNDS;
        out[k] = (signed char)(made > 127 ? 127 : made < -127 ? -127 : made);
    }
}

/* How many texts there are; -1 with an exception where a row has no vector. */
static Py_ssize_t count_texts(const int32_t *rows, Py_ssize_t count, Py_ssize_t vector_count) {
    Py_ssize_t texts = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        if (rows[i] < 0 || rows[i] >= vector_count) {
            PyErr_Format(PyExc_IndexError, "row %d of %zd", (int)rows[i], vector_count);
            return -1;
        }
        texts += rows[i] == END_ROW;
    }
    return texts;
}

PyObject *units_of(const int32_t *rows, Py_ssize_t count, const signed char *vectors, Py_ssize_t size,
                   Py_ssize_t vector_count) {
    Py_ssize_t texts = count_texts(rows, count, vector_count);
    if (texts < 0) return NULL;
    if (texts > PY_SSIZE_T_MAX / size) return PyErr_NoMemory();
    PyObject *found = PyBytes_FromStringAndSize(NULL, texts * size);
    double *total = PyMem_Malloc((size_t)size * (sizeof(double) + sizeof(int16_t)));
    if (found && total) {
        signed char *out = (signed char *)PyBytes_AsString(found);
        for (Py_ssize_t start = 0, i = 0; i < count; i++) {
            if (i + AHEAD < count) __builtin_prefetch(vectors + rows[i + AHEAD] * size);
            if (rows[i] != END_ROW) continue;
            add_text(rows + start, i - start, vectors, size, (int16_t *)(total + size), total);
            write_unit(total, size, out);
            out += size;
            start = i + 1;
        }
    } else {
        Py_CLEAR(found);
        PyErr_NoMemory();
    }
    PyMem_Free(total);
    return found;
}

/* How many rows the first text has; -1 with an exception where one of them has no number. */
static Py_ssize_t first_length(const int32_t *rows, Py_ssize_t count, Py_ssize_t number_count) {
    Py_ssize_t length = 0;
    for (; length < count && rows[length] != END_ROW; length++)
        if (rows[length] < 0 || rows[length] >= number_count) {
            PyErr_Format(PyExc_IndexError, "row %d of %zd", (int)rows[length], number_count);
            return -1;
        }
    return length;
}

/* Count the numbers of rows. `slots` are twice as many as rows or more, a power of 2, and empty; in each is the place
   of a pair, from 1 on. The pairs that were written, or -1 where a number is not known yet. */
static Py_ssize_t count_numbers(const int32_t *rows, Py_ssize_t count, const int64_t *numbers, uint64_t key,
                                uint32_t *slots, int slot_bits, uint32_t (*pairs)[2]) {
    Py_ssize_t found = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        int64_t number = numbers[rows[i]];
        if (number < 0) return -1;
        if (!number) continue;
        uint64_t slot = ((uint64_t)number * key) >> (64 - slot_bits);
        while (slots[slot] && pairs[slots[slot] - 1][0] != (uint32_t)number)
            slot = (slot + 1) & ((1ull << slot_bits) - 1);
        if (!slots[slot]) {
            slots[slot] = (uint32_t)++found;
            pairs[found - 1][0] = (uint32_t)number;
            pairs[found - 1][1] = 0;
        }
        pairs[slots[slot] - 1][1]++;
    }
    return found;
}

PyObject *counts_of(const int32_t *rows, Py_ssize_t count, const int64_t *numbers, Py_ssize_t number_count,
                    uint64_t key) {
    count = first_length(rows, count, number_count);
    if (count < 0) return NULL;
    int slot_bits = 4;
    while ((Py_ssize_t)1 << slot_bits < 2 * count) slot_bits++;
    uint32_t *slots = PyMem_Calloc((size_t)1 << slot_bits, sizeof(uint32_t));
    uint32_t(*pairs)[2] = PyMem_Malloc((size_t)count * sizeof(*pairs));
    PyObject *made = NULL;
    if (slots && pairs) {
        Py_ssize_t found = count_numbers(rows, count, numbers, key | 1, slots, slot_bits, pairs);
        if (found < 0) made = Py_NewRef(Py_None);
        else made = PyBytes_FromStringAndSize((char *)pairs, found * (Py_ssize_t)sizeof(*pairs));
    } else {
        PyErr_NoMemory();
    }
    PyMem_Free(slots);
    PyMem_Free(pairs);
    return made;
}
