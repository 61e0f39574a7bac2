/* record.h - data described once: struct, Avro schema, encoder, decoder, digest
 *
 *   SATIN_RECORD (Ball, (double, x), (double, y), (string, name), (array_int, tags))
 *
 * declares struct Ball { double x, y; const char *name; const gint32 *tags; gsize n_tags; } and its
 * description Ball_record. A field is (KIND, NAME). For a record that was declared before, a field
 * is (record, NAME, TYPE) or (array_record, NAME, TYPE). The kinds are Avro's:
 *
 *   kind      C member            kind           C members
 *   int       gint32 NAME         bytes          const guint8 *NAME;  gsize n_NAME
 *   long      gint64 NAME         array_int      const gint32 *NAME;  gsize n_NAME
 *   float     float NAME          array_long     const gint64 *NAME;  gsize n_NAME
 *   double    double NAME         array_float, array_double, array_boolean: in the same way
 *   boolean   gboolean NAME       array_string   const SatinString *NAME; gsize n_NAME
 *   string    SatinString NAME    array_record   const TYPE *NAME;    gsize n_NAME
 *   record    TYPE NAME           object, version  gint64 NAME; in Avro a long
 *
 * A string is UTF-8 and ends with a NUL. %NULL is written as "". An array may be %NULL when its
 * count is 0. A record has at most 16 fields. The encoding is Avro binary.
 *
 * Threads: any; descriptions are constant. Source: Apache Avro 1.11 specification.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

/* The macros here expand to code for which -Wpedantic and similar options warn. A program cannot
 * avoid that, so this turns the warnings off. */
#pragma GCC system_header
#ifdef __clang__
/* The pragma above does not help with clang, which looks at the place where a macro is used. */
#  pragma clang diagnostic ignored "-Wgnu-zero-variadic-macro-arguments"
#  pragma clang diagnostic ignored "-Wgnu-empty-struct"
#endif

#include <stddef.h>
#include <satin/base/error.h>

G_BEGIN_DECLS

/* A field of kind string: UTF-8 that ends with a NUL. */
typedef const char *SatinString;

/* The Avro type of a field, or of the elements of an array. */
typedef enum
{
  SATIN_FIELD_INT,     /* gint32 */
  SATIN_FIELD_LONG,    /* gint64 */
  SATIN_FIELD_FLOAT,   /* float */
  SATIN_FIELD_DOUBLE,  /* double */
  SATIN_FIELD_BOOLEAN, /* gboolean */
  SATIN_FIELD_STRING,  /* SatinString */
  SATIN_FIELD_BYTES,   /* guint8, with a count */
  SATIN_FIELD_RECORD,  /* a structure with its own description */
} SatinFieldType;

/* The description of a record, which SATIN_RECORD makes. */
typedef struct _SatinRecord SatinRecord;

/**
 * SatinField:
 * @name: the field's name
 * @type: its Avro type; the type of the elements when @is_array
 * @is_array: it is an Avro array
 * @size_bytes: size of one value in memory; of one element when @is_array; 1 for bytes
 * @offset: where the value, or the pointer, lies in the structure
 * @n_offset: where the count lies, for bytes and arrays
 * @record: the description, for %SATIN_FIELD_RECORD. For a long it says what the number means:
 *   %satin_object_kind, %satin_version_kind, or %NULL for a plain number
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

/* The first marks a long that is the number of a shared object. The second marks a long that says
 * which version is needed of the object in the field before: see satin/core/sharing.h. */
SATIN_API const SatinRecord satin_object_kind;
SATIN_API const SatinRecord satin_version_kind;

/* The largest size of one decoded record in memory, bytes. */
#define SATIN_RECORD_MAX_BYTES ((gsize)256 << 20)

/* The most array elements without fields in one encoding. They take no byte there, so nothing else
 * limits their number. */
#define SATIN_RECORD_MAX_EMPTY 65536

/**
 * satin_record_schema:
 * @record: the record's description
 *
 * Returns: (transfer full): the Avro schema, JSON in one line without spaces. A record type is
 *   written out where it first occurs; after that its name stands for it
 */
SATIN_API char *satin_record_schema (const SatinRecord *record);

/**
 * satin_record_encode:
 * @record: the record's description
 * @data: (transfer none): a structure of that record
 * @out: the encoding is appended to it
 *
 * Cost: O(size). It allocates nothing except when @out grows.
 */
SATIN_API void satin_record_encode (const SatinRecord *record, gconstpointer data, GByteArray *out);

/* Like satin_record_encode(), but returns new bytes. Returns: (transfer full) */
SATIN_API GBytes *satin_record_to_bytes (const SatinRecord *record, gconstpointer data);

/**
 * satin_record_measure:
 * @record: the record's description
 * @data: a structure of that record
 * @max_bytes: the counting stops here
 * @ret_bytes: (out) (optional): the length of the encoding; untouched on failure
 * @error: %SATIN_ERROR_LIMIT, with the field's name, when the encoding is longer than @max_bytes
 *
 * Computes how long an encoding will be.
 *
 * Cost: O(size), but O(1) for arrays of floating-point numbers or booleans, and of records of at
 * most 1 KiB that have only floats or only doubles; no allocation.
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_record_measure (const SatinRecord *record, gconstpointer data,
                                         gsize max_bytes, gsize *ret_bytes, GError **error);

/**
 * satin_record_to_checked_bytes:
 * @record: the record's description
 * @data: a structure of that record
 * @max_bytes: the largest length of the encoding
 * @error: as for satin_record_measure() and satin_record_check(), with the field's name
 *
 * Like satin_record_to_bytes(), but checks that a receiver can decode the result.
 *
 * Returns: (transfer full) (nullable): %NULL on failure
 */
SATIN_API GBytes *satin_record_to_checked_bytes (const SatinRecord *record, gconstpointer data,
                                                 gsize max_bytes, GError **error);

/* Copies @data and all that it points to. @data must be decodable, as satin_record_check() defines
 * it. @ret_copy: (out caller-allocates): clear it with satin_record_clear(). Cost: encodes and
 * decodes it. */
SATIN_API void satin_record_copy (const SatinRecord *record, gconstpointer data, gpointer ret_copy);

/**
 * satin_record_check:
 * @record: the record's description
 * @bytes: (array length=n_bytes): from anywhere, may be hostile
 * @ret_memory_bytes: (out) (optional): how much memory the pointers of the decoded structure will
 *   own, bytes; untouched on failure
 * @error: %SATIN_ERROR_TRUNCATED when @bytes end too early; %SATIN_ERROR_FORMAT for bytes left
 *   over, a number of more than 64 bits, an int of more than 32, a negative length, a wrong size of
 *   an array block, a boolean that is neither 0 nor 1, a string that is not UTF-8 or holds a NUL;
 *   %SATIN_ERROR_LIMIT when it exceeds %SATIN_RECORD_MAX_BYTES in memory or %SATIN_RECORD_MAX_EMPTY
 *
 * Walks over @bytes. It allocates nothing, and believes a length only when the bytes behind it are
 * there.
 *
 * Cost: O(n_bytes). Returns: %TRUE when satin_record_decode() will succeed
 */
SATIN_API gboolean satin_record_check (const SatinRecord *record, const guint8 *bytes,
                                       gsize n_bytes, gsize *ret_memory_bytes, GError **error);

/**
 * satin_record_decode:
 * @record: the record's description
 * @bytes: (array length=n_bytes): exactly one record, from anywhere; checked first
 * @ret_data: (out caller-allocates): a structure of that record, @record->size_bytes large. It owns
 *   what its pointers point to; free that with satin_record_clear(). Untouched on failure
 * @error: as for satin_record_check()
 *
 * Decodes a record.
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_record_decode (const SatinRecord *record, const guint8 *bytes,
                                        gsize n_bytes, gpointer ret_data, GError **error);

/* Frees with g_free() all that the pointers in @data own, deeply, and zeroes @data. */
SATIN_API void satin_record_clear (const SatinRecord *record, gpointer data);

/**
 * satin_record_to_text:
 * @record: the record's description
 * @data: a structure of that record
 * @max_bytes: a longer text is cut and ends with "..."
 *
 * Writes the fields for people: depth 3, name "x", board [1, 5, 8]. It shows only the beginning of
 * long arrays and strings, and only the size of a field of kind bytes.
 *
 * Returns: (transfer full): UTF-8, one line
 */
SATIN_API char *satin_record_to_text (const SatinRecord *record, gconstpointer data,
                                      gsize max_bytes);

/**
 * satin_record_digest:
 * @record: the record's description
 * @name: the purpose of the record, part of the digest
 * @data: a structure of that record
 * @ret_digest: (out caller-allocates) (array fixed-size=16): the digest
 *
 * Computes the first 16 bytes of SHA-256 over @name, a NUL and the encoding. Equal values have
 * equal digests on every machine.
 */
SATIN_API void satin_record_digest (const SatinRecord *record, const char *name, gconstpointer data,
                                    guint8 *ret_digest);

/* Like satin_record_digest(), for a record that is encoded already. */
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

/* For each kind: its shape, the C type of a value or element, the Avro type, whether it is an Avro
 * array, and the description of its record. */
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
/* A field of an unknown kind becomes a gint32, so that the compiler reports only the error of
 * SATIN_CHECK. */
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

/* ---- descriptions as data, which can be stored and read back ----
 *
 * A program can read data of another program, or of an older build of itself, if it has the
 * descriptions of that data. A *form* is such a description: a record like any other. Several forms
 * stand in an array. A form names the records that it contains by their indexes in that array. It
 * names only forms before it, so no record contains itself. A set of records that were made of
 * forms is constant.
 */

/* The values of @record in a SatinFieldForm whose field contains no records. */
enum
{
  SATIN_FORM_PLAIN = -1,   /* nothing more: the type says all */
  SATIN_FORM_OBJECT = -2,  /* a long: %satin_object_kind */
  SATIN_FORM_VERSION = -3, /* a long: %satin_version_kind */
};

/* clang-format off */
/* A field. @type: a SatinFieldType. @record: the index of a form if the field is a record, or an
 * array of records; else one of the numbers above. */
SATIN_RECORD (SatinFieldForm, (string, name), (int, type), (boolean, is_array), (int, record))
/* A record: its name and its fields. */
SATIN_RECORD (SatinRecordForm, (string, name), (array_record, fields, SatinFieldForm))
/* clang-format on */

/* The most forms of a set, and how deep records may nest in it. */
#define SATIN_FORMS_MAX       4096
#define SATIN_FORMS_MAX_DEPTH 32

/* Records that were made of forms. */
typedef struct _SatinRecordSet SatinRecordSet;

/* Makes an empty array of forms. Returns: (transfer full) (element-type SatinRecordForm) */
SATIN_API GArray *satin_record_forms_new (void);

/**
 * satin_record_forms_add:
 * @forms: (element-type SatinRecordForm): from satin_record_forms_new()
 * @record: a record that does not contain itself
 *
 * Adds the form of a record, and the forms of the records in it, unless equal forms are there.
 *
 * Returns: the index of the form of @record
 */
SATIN_API gint32 satin_record_forms_add (GArray *forms, const SatinRecord *record);

/**
 * satin_record_set_new:
 * @forms: (array length=n_forms): from anywhere, may be hostile; may be freed after the call
 * @error: %SATIN_ERROR_FORMAT when a name is no name of C, a type is unknown, a form names a form
 *   that does not stand before it, a field has a kind that does not exist, or a record has more
 *   than 16 fields or two with one name; %SATIN_ERROR_LIMIT for too many forms, for records that
 *   nest too deeply, or for a structure of more than 1 MiB
 *
 * Makes records of forms. satin_record_decode() fills structures of these records, whose members
 * stand at the offsets that the records say.
 *
 * Returns: (transfer full) (nullable): free with satin_record_set_free(); %NULL with @error
 */
SATIN_API SatinRecordSet *satin_record_set_new (const SatinRecordForm *forms, gsize n_forms,
                                                GError **error);
/* Frees the set and its records. @self: (nullable) */
SATIN_API void satin_record_set_free (SatinRecordSet *self);
/* The record of the form at @index. Returns: (transfer none) (nullable): lives as long as the set;
 * %NULL when there is no such form */
SATIN_API const SatinRecord *satin_record_set_get (const SatinRecordSet *self, gint32 index);

/**
 * satin_record_compare:
 * @path: the name of the data, for the texts: "argument "
 * @before: the description of the data before
 * @now: its description now
 * @differences: (element-type utf8): gets one text for each difference, such as "argument n is long
 *   and was int"; free each with g_free()
 *
 * Compares two descriptions, field by field, also in the records that they contain. Names of
 * records do not count. An array of texts that stays empty means that both describe the same data.
 */
SATIN_API void satin_record_compare (const char *path, const SatinRecord *before,
                                     const SatinRecord *now, GPtrArray *differences);

/**
 * satin_record_can_convert:
 * @path: the name of the data, for the error: "argument "
 * @before: the description of the data
 * @now: the description that is wanted
 * @error: %SATIN_ERROR_PROGRAM, with the field that has become another kind: "argument n is bytes
 *   and was int"
 *
 * Says whether data can be carried over from one description to another. Fields are matched by
 * their names. New fields get 0, %FALSE, an empty text or an empty array, and fields that are gone
 * are left out. A number may become a wider one: an int a long, a float or a double, a long a float
 * or a double, and a float a double. Names of records do not count.
 *
 * Source: Apache Avro 1.11 specification, "Schema Resolution", in which the new description says
 * which defaults new fields have.
 */
SATIN_API gboolean satin_record_can_convert (const char *path, const SatinRecord *before,
                                             const SatinRecord *now, GError **error);
/**
 * satin_record_convert:
 * @bytes: (array length=n_bytes): a record as @before describes it, encoded; may be hostile
 * @error: as for satin_record_can_convert() and satin_record_check(); %SATIN_ERROR_LIMIT when the
 *   new data takes more than %SATIN_RECORD_MAX_BYTES
 *
 * Carries a record over to another description. Cost: decodes and encodes it.
 *
 * Returns: (transfer full) (nullable): the record as @now describes it, encoded; %NULL with @error
 */
SATIN_API GBytes *satin_record_convert (const SatinRecord *before, const guint8 *bytes,
                                        gsize n_bytes, const SatinRecord *now, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinRecordSet, satin_record_set_free)

G_END_DECLS
