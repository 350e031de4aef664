/* What is made of the rows of words, which have END_ROW behind each text. All return NULL with an exception. */

#ifndef DOWSE_ROWS_H
#define DOWSE_ROWS_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <stdint.h>

enum { END_ROW, SILENT_ROW };

/* The vector of each text, of length 1, in a byte a component. */
PyObject *units_of(const int32_t *rows, Py_ssize_t count, const signed char *vectors, Py_ssize_t size,
                   Py_ssize_t vector_count);

/* The numbers of the rows of the first text but those that are 0, in pairs with how often they are there; None where
   one is below 0. */
PyObject *counts_of(const int32_t *rows, Py_ssize_t count, const int64_t *numbers, Py_ssize_t number_count,
                    uint64_t key);

#endif
