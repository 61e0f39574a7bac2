/* record-form.h - descriptions of records as data, which can be stored and read back
 *
 * A program can read data of another program, or of an older build of itself, if it has the
 * descriptions of that data. A *form* is such a description: a record like any other. Several forms
 * stand in an array, and a form names records within it by their index. A form names only forms
 * before it, so no record contains itself.
 *
 * Threads: any; a set is constant.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once
#pragma GCC system_header /* as in satin/base/record.h */

#include <satin/base/record.h>

G_BEGIN_DECLS

/* What @record of a field says, if the field is no record. */
enum
{
  SATIN_FORM_PLAIN = -1,
  SATIN_FORM_OBJECT = -2,  /* a long: %satin_object_kind */
  SATIN_FORM_VERSION = -3, /* a long: %satin_version_kind */
};

/* clang-format off */
/* A field. @type: a SatinFieldType. @record: the index of a form if the field is a record, or an
 * array of records; else one of the numbers above. */
SATIN_RECORD (SatinFieldForm, (string, name), (int, type), (boolean, is_array), (int, record))
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
 * @forms: (array length=n_forms): from anywhere, may be hostile; need not live on
 * @error: %SATIN_ERROR_FORMAT when a name is no name of C, a type is unknown, a form names a form
 *   that does not stand before it, or a record has more than 16 fields or two with one name;
 *   %SATIN_ERROR_LIMIT for too many forms, or for records that nest too deeply
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

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinRecordSet, satin_record_set_free)

G_END_DECLS
