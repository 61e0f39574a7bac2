/* record.h - data described once: struct, Avro schema, encoder, decoder, digest
 *
 *   SATIN_RECORD (Ball, (double, x), (double, y), (string, name), (array_int, tags))
 *
 * declares struct Ball { double x, y; const char *name; const gint32 *tags; gsize n_tags; } and its
 * description Ball_record. A field is (KIND, NAME), or (record, NAME, TYPE) and
 * (array_record, NAME, TYPE) for a record declared before. The kinds are Avro's:
 *
 *   kind      C member            kind           C members
 *   int       gint32 NAME         bytes          const guint8 *NAME;  gsize n_NAME
 *   long      gint64 NAME         array_int      const gint32 *NAME;  gsize n_NAME
 *   float     float NAME          array_long     const gint64 *NAME;  gsize n_NAME
 *   double    double NAME         array_float, array_double, array_boolean: likewise
 *   boolean   gboolean NAME       array_string   const SatinString *NAME; gsize n_NAME
 *   string    SatinString NAME    array_record   const TYPE *NAME;    gsize n_NAME
 *   record    TYPE NAME           object, version  gint64 NAME; in Avro a long
 *
 * A string is UTF-8 and ends with a NUL; %NULL is written as "". An array may be
 * %NULL when its count is 0. At most 16 fields. The encoding is Avro binary.
 *
 * Threads: any; descriptions are constant. Source: Apache Avro 1.11 specification.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

/* What the macros here expand to is no program's fault: -Wpedantic and the like are silent about
 * it. */
#pragma GCC system_header
#ifdef __clang__
/* clang looks at where they are used. */
#  pragma clang diagnostic ignored "-Wgnu-zero-variadic-macro-arguments"
#  pragma clang diagnostic ignored "-Wgnu-empty-struct"
#endif

#include <stddef.h>
#include <satin/base/error.h>

G_BEGIN_DECLS

/* A field of kind string: UTF-8 that ends with a NUL. */
typedef const char *SatinString;

/* The Avro type of a field, or of an array's elements. */
typedef enum
{
  SATIN_FIELD_INT,     /* gint32 */
  SATIN_FIELD_LONG,    /* gint64 */
  SATIN_FIELD_FLOAT,   /* float */
  SATIN_FIELD_DOUBLE,  /* double */
  SATIN_FIELD_BOOLEAN, /* gboolean */
  SATIN_FIELD_STRING,  /* SatinString */
  SATIN_FIELD_BYTES,   /* guint8, with a count */
  SATIN_FIELD_RECORD,  /* a structure with a description of its own */
} SatinFieldType;

/* The description of a record, which SATIN_RECORD makes. */
typedef struct _SatinRecord SatinRecord;

/**
 * SatinField:
 * @type: its Avro type; of the elements when @is_array
 * @size_bytes: size of one value in memory (of one element when @is_array; 1 for bytes)
 * @offset: where the value, or the pointer, lies in the structure
 * @n_offset: where the count lies, for bytes and arrays
 * @record: for %SATIN_FIELD_RECORD; of a long, what it stands for: %satin_object_kind,
 *   %satin_version_kind or %NULL, a number
 *
 * One field of a record.
 */
typedef struct
{
  const char *name;
  SatinFieldType type;
  gboolean is_array;
  gsize size_bytes;
  gsize offset;
  gsize n_offset;
  const SatinRecord *record;
} SatinField;

struct _SatinRecord
{
  const char *name;
  gsize size_bytes;
  guint n_fields;
  const SatinField *fields;
};

/* A long that is the number of a shared object, and one that says which version of the object
 * before it is needed: see satin/core/sharing.h. */
SATIN_API const SatinRecord satin_object_kind;
SATIN_API const SatinRecord satin_version_kind;

/* What one record may grow to in memory when it is decoded, bytes. */
#define SATIN_RECORD_MAX_BYTES ((gsize)256 << 20)

/* How many array elements without fields, which take no byte, one encoding may have in all. */
#define SATIN_RECORD_MAX_EMPTY 65536

/**
 * satin_record_schema:
 *
 * Returns: (transfer full): the Avro schema, JSON in one line without spaces; a record type is
 *   written out where it first stands and named after that
 */
SATIN_API char *satin_record_schema (const SatinRecord *record);

/**
 * satin_record_encode:
 * @data: (transfer none): a structure of that record
 * @out: the encoding is added at its end
 *
 * Cost: O(size), no allocation but @out's growth.
 */
SATIN_API void satin_record_encode (const SatinRecord *record, gconstpointer data, GByteArray *out);

/* As satin_record_encode(), into fresh bytes. Returns: (transfer full) */
SATIN_API GBytes *satin_record_to_bytes (const SatinRecord *record, gconstpointer data);

/**
 * satin_record_measure:
 * @data: a structure of that record
 * @max_bytes: it stops counting there
 * @ret_bytes: (out) (optional): how long the encoding will be
 * @error: %SATIN_ERROR_LIMIT, with the field's name, when it would be longer than @max_bytes
 *
 * Cost: O(size) but for arrays of floating-point numbers and booleans; no allocation.
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_record_measure (const SatinRecord *record, gconstpointer data,
                                         gsize max_bytes, gsize *ret_bytes, GError **error);

/**
 * satin_record_to_checked_bytes:
 * @data: a structure of that record
 * @max_bytes: the encoding may be so long
 * @error: as for satin_record_measure() and satin_record_check(), with the field's name
 *
 * As satin_record_to_bytes(), for somebody else who has to be able to decode it.
 *
 * Returns: (transfer full) (nullable): %NULL on failure
 */
SATIN_API GBytes *satin_record_to_checked_bytes (const SatinRecord *record, gconstpointer data,
                                                 gsize max_bytes, GError **error);

/* A copy of all that @data has. @ret_copy: (out caller-allocates): clear it with
 * satin_record_clear(). Cost: encodes and decodes it. */
SATIN_API void satin_record_copy (const SatinRecord *record, gconstpointer data, gpointer ret_copy);

/**
 * satin_record_check:
 * @bytes: (array length=n_bytes): from anywhere, may be hostile
 * @ret_memory_bytes: (out) (optional): what satin_record_decode() will allocate
 * @error: %SATIN_ERROR_TRUNCATED when @bytes end too early; %SATIN_ERROR_FORMAT for bytes left
 *   over, a bad varint, a negative length, a boolean that is neither 0 nor 1, a string that is not
 *   UTF-8 or holds a NUL; %SATIN_ERROR_LIMIT when over %SATIN_RECORD_MAX_BYTES in memory or
 *   %SATIN_RECORD_MAX_EMPTY
 *
 * Walks over @bytes without allocating and without trusting a length before
 * the bytes behind it were seen.
 *
 * Cost: O(n_bytes). Returns: %TRUE when satin_record_decode() will succeed
 */
SATIN_API gboolean satin_record_check (const SatinRecord *record, const guint8 *bytes,
                                       gsize n_bytes, gsize *ret_memory_bytes, GError **error);

/**
 * satin_record_decode:
 * @bytes: (array length=n_bytes): exactly one record, from anywhere; checked first
 * @ret_data: (out caller-allocates): a structure of that record, @record->size_bytes large, whose
 *   pointers are then owned by it: free with satin_record_clear(); untouched on failure
 * @error: as for satin_record_check()
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_record_decode (const SatinRecord *record, const guint8 *bytes,
                                        gsize n_bytes, gpointer ret_data, GError **error);

/* Frees with g_free() all that the pointers in @data own, deeply, and zeroes @data. */
SATIN_API void satin_record_clear (const SatinRecord *record, gpointer data);

/**
 * satin_record_to_text:
 * @data: a structure of that record
 * @max_bytes: what is longer is cut and ends with "..."
 *
 * The fields for people: depth 3, name "x", board [1, 5, 8]. Of long arrays and strings the
 * beginning; bytes are only counted.
 *
 * Returns: (transfer full): UTF-8, one line
 */
SATIN_API char *satin_record_to_text (const SatinRecord *record, gconstpointer data,
                                      gsize max_bytes);

/**
 * satin_record_digest:
 * @name: what the record is for, part of the digest
 * @data: a structure of that record
 * @ret_digest: (out caller-allocates) (array fixed-size=16)
 *
 * The first 16 bytes of SHA-256 over @name, a NUL and the encoding. Equal
 * values give equal digests on every machine.
 */
SATIN_API void satin_record_digest (const SatinRecord *record, const char *name, gconstpointer data,
                                    guint8 *ret_digest);

/* As satin_record_digest(), of what is encoded already. */
SATIN_API void satin_record_digest_encoded (GBytes *encoded, const char *name, guint8 *ret_digest);

/* ---- what the macros are made of; nothing below is for use by hand ---- */
/* clang-format off */

#define SATIN_STRIP(...) __VA_ARGS__

/* SATIN_EACH (M, X, (a), (b)) is M (X, (a)) M (X, (b)), for 0 to 16 fields. */
#define SATIN_EACH(M, X, ...) __VA_OPT__ (SATIN_EACH_N (M, X, __VA_ARGS__))
#define SATIN_EACH_N(M, X, ...) SATIN_EACH_PICK (__VA_ARGS__, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1) (M, X, __VA_ARGS__)
#define SATIN_EACH_PICK(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, N, ...) SATIN_EACH_##N
#define SATIN_EACH_MORE(M, X, ...)
#define SATIN_EACH_1(M, X, f) M (X, f)
#define SATIN_EACH_2(M, X, f, ...) M (X, f) SATIN_EACH_1 (M, X, __VA_ARGS__)
#define SATIN_EACH_3(M, X, f, ...) M (X, f) SATIN_EACH_2 (M, X, __VA_ARGS__)
#define SATIN_EACH_4(M, X, f, ...) M (X, f) SATIN_EACH_3 (M, X, __VA_ARGS__)
#define SATIN_EACH_5(M, X, f, ...) M (X, f) SATIN_EACH_4 (M, X, __VA_ARGS__)
#define SATIN_EACH_6(M, X, f, ...) M (X, f) SATIN_EACH_5 (M, X, __VA_ARGS__)
#define SATIN_EACH_7(M, X, f, ...) M (X, f) SATIN_EACH_6 (M, X, __VA_ARGS__)
#define SATIN_EACH_8(M, X, f, ...) M (X, f) SATIN_EACH_7 (M, X, __VA_ARGS__)
#define SATIN_EACH_9(M, X, f, ...) M (X, f) SATIN_EACH_8 (M, X, __VA_ARGS__)
#define SATIN_EACH_10(M, X, f, ...) M (X, f) SATIN_EACH_9 (M, X, __VA_ARGS__)
#define SATIN_EACH_11(M, X, f, ...) M (X, f) SATIN_EACH_10 (M, X, __VA_ARGS__)
#define SATIN_EACH_12(M, X, f, ...) M (X, f) SATIN_EACH_11 (M, X, __VA_ARGS__)
#define SATIN_EACH_13(M, X, f, ...) M (X, f) SATIN_EACH_12 (M, X, __VA_ARGS__)
#define SATIN_EACH_14(M, X, f, ...) M (X, f) SATIN_EACH_13 (M, X, __VA_ARGS__)
#define SATIN_EACH_15(M, X, f, ...) M (X, f) SATIN_EACH_14 (M, X, __VA_ARGS__)
#define SATIN_EACH_16(M, X, f, ...) M (X, f) SATIN_EACH_15 (M, X, __VA_ARGS__)

/* Each kind: shape, C type of a value or element, Avro type, is it an Avro array, record. */
#define SATIN_KIND_int() VALUE, gint32, SATIN_FIELD_INT, FALSE, NULL
#define SATIN_KIND_long() VALUE, gint64, SATIN_FIELD_LONG, FALSE, NULL
#define SATIN_KIND_object() VALUE, gint64, SATIN_FIELD_LONG, FALSE, &satin_object_kind
#define SATIN_KIND_version() VALUE, gint64, SATIN_FIELD_LONG, FALSE, &satin_version_kind
#define SATIN_KIND_float() VALUE, float, SATIN_FIELD_FLOAT, FALSE, NULL
#define SATIN_KIND_double() VALUE, double, SATIN_FIELD_DOUBLE, FALSE, NULL
#define SATIN_KIND_boolean() VALUE, gboolean, SATIN_FIELD_BOOLEAN, FALSE, NULL
#define SATIN_KIND_string() VALUE, SatinString, SATIN_FIELD_STRING, FALSE, NULL
#define SATIN_KIND_record(T) VALUE, T, SATIN_FIELD_RECORD, FALSE, &T##_record
#define SATIN_KIND_bytes() SPAN, guint8, SATIN_FIELD_BYTES, FALSE, NULL
#define SATIN_KIND_array_int() SPAN, gint32, SATIN_FIELD_INT, TRUE, NULL
#define SATIN_KIND_array_long() SPAN, gint64, SATIN_FIELD_LONG, TRUE, NULL
#define SATIN_KIND_array_float() SPAN, float, SATIN_FIELD_FLOAT, TRUE, NULL
#define SATIN_KIND_array_double() SPAN, double, SATIN_FIELD_DOUBLE, TRUE, NULL
#define SATIN_KIND_array_boolean() SPAN, gboolean, SATIN_FIELD_BOOLEAN, TRUE, NULL
#define SATIN_KIND_array_string() SPAN, SatinString, SATIN_FIELD_STRING, TRUE, NULL
#define SATIN_KIND_array_record(T) SPAN, T, SATIN_FIELD_RECORD, TRUE, &T##_record

/* SATIN_FIELD_AS (OP, X, (kind, name...)) is OP_VALUE or OP_SPAN (X, name, C type, type, array, record). */
#define SATIN_FIELD_AS(OP, X, ...) SATIN_FIELD_AS1 (OP, X, __VA_ARGS__)
#define SATIN_FIELD_AS1(OP, X, kind, name, ...) SATIN_FIELD_AS2 (OP, X, name, SATIN_KIND_##kind (__VA_ARGS__))
#define SATIN_FIELD_AS2(OP, X, name, ...) SATIN_FIELD_PICK (__VA_ARGS__, KNOWN, KNOWN, KNOWN, KNOWN, UNKNOWN, ) (OP, X, name, __VA_ARGS__)
#define SATIN_FIELD_PICK(a, b, c, d, e, P, ...) SATIN_FIELD_##P
#define SATIN_FIELD_KNOWN(OP, X, name, shape, ...) OP##_##shape (X, name, __VA_ARGS__)
/* Another kind stands in, so that the compiler says what SATIN_CHECK says and no more. */
#define SATIN_FIELD_UNKNOWN(OP, X, name, ...) OP##_VALUE (X, name, gint32, SATIN_FIELD_INT, FALSE, NULL)

#ifdef __cplusplus
#define SATIN_STATIC_ASSERT(CONDITION, TEXT) static_assert (CONDITION, TEXT)
#else
#define SATIN_STATIC_ASSERT(CONDITION, TEXT) __extension__ _Static_assert (CONDITION, TEXT)
#endif
#define SATIN_CHECK(X, f) SATIN_CHECK1 (SATIN_STRIP f)
#define SATIN_CHECK1(...) SATIN_CHECK2 (__VA_ARGS__)
#define SATIN_CHECK2(kind, name, ...) \
  SATIN_STATIC_ASSERT (SATIN_CHECK3 (SATIN_KIND_##kind (__VA_ARGS__)), "\"" #kind "\" of " #name " is not a kind: see satin/base/record.h");
#define SATIN_CHECK3(...) SATIN_CHECK_PICK (__VA_ARGS__, 1, 1, 1, 1, 0, )
#define SATIN_CHECK_PICK(a, b, c, d, e, P, ...) P
#define SATIN_CHECK_COUNT(...) __VA_OPT__ (SATIN_STATIC_ASSERT (SATIN_N_FIELDS (__VA_ARGS__) <= 16, "a record or task has at most 16 fields");)
#define SATIN_N_FIELDS(...) SATIN_N_FIELDS_PICK (__VA_ARGS__, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, )
#define SATIN_N_FIELDS_PICK(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, N, ...) N

#define SATIN_MEMBER(X, f) SATIN_FIELD_AS (SATIN_MEMBER, X, SATIN_STRIP f)
#define SATIN_MEMBER_VALUE(X, name, ctype, ...) ctype name;
#define SATIN_MEMBER_SPAN(X, name, ctype, ...) const ctype *name; gsize n_##name;

#define SATIN_ROW(X, f) SATIN_FIELD_AS (SATIN_ROW, X, SATIN_STRIP f)
#define SATIN_ROW_VALUE(X, name, ctype, type, array, record) { #name, type, array, sizeof (ctype), offsetof (X, name), 0, record },
#define SATIN_ROW_SPAN(X, name, ctype, type, array, record) { #name, type, array, sizeof (ctype), offsetof (X, name), offsetof (X, n_##name), record },

#define SATIN_RECORD_TABLE(TYPE, NAME, ...) \
  SATIN_CHECK_COUNT (__VA_ARGS__) \
  SATIN_EACH (SATIN_CHECK, , __VA_ARGS__) \
  static const SatinField NAME##_fields[] __attribute__ ((unused)) = { SATIN_EACH (SATIN_ROW, TYPE, __VA_ARGS__) { NULL, SATIN_FIELD_INT, FALSE, 0, 0, 0, NULL } }; \
  static const SatinRecord NAME##_record __attribute__ ((unused)) = { #NAME, sizeof (TYPE), G_N_ELEMENTS (NAME##_fields) - 1, NAME##_fields };

/* clang-format on */

/**
 * SATIN_RECORD:
 * @NAME: the structure's name
 * @...: (KIND, NAME) fields, at most 16
 *
 * Declares the structure NAME and its description NAME_record.
 */
#define SATIN_RECORD(NAME, ...)                                                                    \
  typedef struct                                                                                   \
  {                                                                                                \
    SATIN_EACH (SATIN_MEMBER, NAME, __VA_ARGS__)                                                   \
  } NAME;                                                                                          \
  SATIN_RECORD_TABLE (NAME, NAME, __VA_ARGS__)

G_END_DECLS
