/* test-record-form.c - tests that descriptions of records survive as data, and how they are
 * compared
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "record-shapes.h"

#include <string.h>

/* Makes the record anew from its form, as a reader of another program does. Returns: (transfer
 * full): the set; @ret_record is in it */
static SatinRecordSet *
make_again (const SatinRecord *record, const SatinRecord **ret_record)
{
  g_autoptr (GArray) forms = satin_record_forms_new ();
  g_autoptr (GError) error = NULL;
  gint32 index = satin_record_forms_add (forms, record);
  SatinRecordSet *set =
      satin_record_set_new ((const SatinRecordForm *)forms->data, forms->len, &error);
  g_assert_no_error (error);
  *ret_record = satin_record_set_get (set, index);
  g_assert_nonnull (*ret_record);
  return set;
}

static void
test_schema_is_same (void)
{
  for (guint i = 0; record_shapes[i] != NULL; i++)
    {
      const SatinRecord *again;
      g_autoptr (SatinRecordSet) set = make_again (record_shapes[i], &again);
      g_autofree char *before = satin_record_schema (record_shapes[i]);
      g_autofree char *after = satin_record_schema (again);
      g_assert_cmpstr (after, ==, before);
    }
}

/* A record that was made of a form decodes what the program has encoded, and encodes it to the same
 * bytes. */
static void
test_data_is_same (void)
{
  for (guint i = 0; record_shapes[i] != NULL; i++)
    {
      const SatinRecord *again;
      g_autoptr (SatinRecordSet) set = make_again (record_shapes[i], &again);
      g_autofree gpointer data = record_alloc (record_shapes[i]);
      g_autofree gpointer copy = g_malloc0 (MAX (again->size_bytes, 1));
      g_autoptr (GError) error = NULL;
      record_fill (record_shapes[i], data);
      g_autoptr (GBytes) bytes = satin_record_to_bytes (record_shapes[i], data);
      g_assert_true (satin_record_decode (again, g_bytes_get_data (bytes, NULL),
                                          g_bytes_get_size (bytes), copy, &error));
      g_autoptr (GBytes) bytes_again = satin_record_to_bytes (again, copy);
      g_assert_true (g_bytes_equal (bytes_again, bytes));
      satin_record_clear (again, copy);
      satin_record_clear (record_shapes[i], data);
    }
}

SATIN_RECORD (Handles, (object, bound), (version, seen), (long, plain))

static void
test_kinds_of_longs (void)
{
  const SatinRecord *again;
  g_autoptr (SatinRecordSet) set = make_again (&Handles_record, &again);
  g_assert_true (again->fields[0].record == &satin_object_kind);
  g_assert_true (again->fields[1].record == &satin_version_kind);
  g_assert_null (again->fields[2].record);
}

static void
test_equal_forms_are_one (void)
{
  g_autoptr (GArray) forms = satin_record_forms_new ();
  gint32 point = satin_record_forms_add (forms, &Point_record);
  gint32 line = satin_record_forms_add (forms, &Line_record);
  g_assert_cmpint (satin_record_forms_add (forms, &Point_record), ==, point);
  g_assert_cmpint (satin_record_forms_add (forms, &Line_record), ==, line);
  g_assert_cmpuint (forms->len, ==, 2);
}

/* ---- forms from outside ---- */

static void
assert_refused (const SatinRecordForm *forms, gsize n, SatinErrorCode code)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (satin_record_set_new (forms, n, &error));
  g_assert_error (error, SATIN_ERROR, (gint)code);
}

static void
assert_field_refused (SatinFieldForm field)
{
  const SatinRecordForm form = { "Thing", &field, 1 };
  assert_refused (&form, 1, SATIN_ERROR_FORMAT);
}

static void
test_malformed_fields (void)
{
  assert_field_refused ((SatinFieldForm){ "", SATIN_FIELD_INT, FALSE, SATIN_FORM_PLAIN });
  assert_field_refused ((SatinFieldForm){ "1a", SATIN_FIELD_INT, FALSE, SATIN_FORM_PLAIN });
  assert_field_refused ((SatinFieldForm){ "a\"b", SATIN_FIELD_INT, FALSE, SATIN_FORM_PLAIN });
  assert_field_refused ((SatinFieldForm){ "a", -1, FALSE, SATIN_FORM_PLAIN });
  assert_field_refused ((SatinFieldForm){ "a", SATIN_FIELD_RECORD + 1, FALSE, SATIN_FORM_PLAIN });
  assert_field_refused ((SatinFieldForm){ "a", SATIN_FIELD_BYTES, TRUE, SATIN_FORM_PLAIN });
  assert_field_refused ((SatinFieldForm){ "a", SATIN_FIELD_INT, FALSE, SATIN_FORM_OBJECT });
  assert_field_refused ((SatinFieldForm){ "a", SATIN_FIELD_LONG, FALSE, -4 });
  assert_field_refused ((SatinFieldForm){ "a", SATIN_FIELD_RECORD, FALSE, SATIN_FORM_PLAIN });
}

static void
test_record_in_itself (void)
{
  assert_field_refused ((SatinFieldForm){ "a", SATIN_FIELD_RECORD, FALSE, 0 });
}

static void
test_name_twice (void)
{
  const SatinFieldForm fields[] = { { "a", SATIN_FIELD_INT, FALSE, SATIN_FORM_PLAIN },
                                    { "a", SATIN_FIELD_LONG, FALSE, SATIN_FORM_PLAIN } };
  const SatinRecordForm form = { "Thing", fields, 2 };
  assert_refused (&form, 1, SATIN_ERROR_FORMAT);
}

/* Each record contains the one before it sixteen times. */
static void
test_records_that_explode (void)
{
  SatinFieldForm fields[10][16];
  SatinRecordForm forms[10] = { { "R", NULL, 0 } };
  static const char *const names[16] = { "a", "b", "c", "d", "e", "f", "g", "h",
                                         "i", "j", "k", "l", "m", "n", "o", "p" };
  for (gint32 i = 1; i < 10; i++)
    {
      for (guint field = 0; field < 16; field++)
        fields[i][field] = (SatinFieldForm){ names[field], SATIN_FIELD_RECORD, FALSE, i - 1 };
      forms[i] = (SatinRecordForm){ "R", fields[i], 16 };
    }
  assert_refused (forms, 10, SATIN_ERROR_LIMIT);
}

static void
test_records_that_nest (void)
{
  enum
  {
    N = SATIN_FORMS_MAX_DEPTH + 2
  };
  SatinFieldForm fields[N];
  SatinRecordForm forms[N] = { { "R", NULL, 0 } };
  for (gint32 i = 1; i < N; i++)
    {
      fields[i] = (SatinFieldForm){ "a", SATIN_FIELD_RECORD, FALSE, i - 1 };
      forms[i] = (SatinRecordForm){ "R", &fields[i], 1 };
    }
  assert_refused (forms, N, SATIN_ERROR_LIMIT);
  g_autoptr (SatinRecordSet) set = satin_record_set_new (forms, N - 1, NULL);
  g_assert_nonnull (set);
  g_assert_null (satin_record_set_get (set, N - 1));
  g_assert_null (satin_record_set_get (set, -1));
}

/* ---- comparing ---- */

static void
assert_compared (const SatinRecord *before, const SatinRecord *now, const char *expected)
{
  g_autoptr (GPtrArray) differences = g_ptr_array_new_with_free_func (g_free);
  satin_record_compare ("result ", before, now, differences);
  g_ptr_array_add (differences, NULL);
  g_autofree char *text = g_strjoinv ("; ", (char **)differences->pdata);
  g_assert_cmpstr (text, ==, expected);
}

SATIN_RECORD (Place, (double, x), (double, y), (double, z))
SATIN_RECORD (Path, (record, from, Place), (boolean, is_dashed), (record, to, Point),
              (array_record, between, Point))
SATIN_RECORD (Mixed, (double, y), (double, x))
SATIN_RECORD (Lists, (array_double, x), (object, y))

static void
test_no_difference (void)
{
  assert_compared (&Line_record, &Line_record, "");
}

static void
test_differences (void)
{
  assert_compared (&Point_record, &Place_record, "result z is new");
  assert_compared (&Place_record, &Point_record, "result z is gone");
  assert_compared (&Line_record, &Path_record, "result from.z is new");
  assert_compared (&Point_record, &Mixed_record, "result y and others have another order");
  assert_compared (&Point_record, &Lists_record,
                   "result x is array_double and was double; result y is object and was double");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(CLAIM, TEST) g_test_add_func ("/base/record-form/" CLAIM, TEST)
  ADD ("schema-is-the-same", test_schema_is_same);
  ADD ("data-is-the-same", test_data_is_same);
  ADD ("kinds-of-longs-are-kept", test_kinds_of_longs);
  ADD ("equal-forms-are-one", test_equal_forms_are_one);
  ADD ("malformed-fields-are-refused", test_malformed_fields);
  ADD ("no-record-contains-itself", test_record_in_itself);
  ADD ("no-two-fields-have-one-name", test_name_twice);
  ADD ("records-that-explode-are-refused", test_records_that_explode);
  ADD ("records-that-nest-too-deeply-are-refused", test_records_that_nest);
  ADD ("equal-records-do-not-differ", test_no_difference);
  ADD ("each-difference-is-named", test_differences);
  return g_test_run ();
}
