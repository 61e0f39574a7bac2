/* test-filter.c - tests that filters stand before a storage in the order of its URI
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/ft/filter.h>

#include <glib/gstdio.h>
#include <string.h>

static const guint8 *const bytes = (const guint8 *)"0123456789";

/* A storage behind the filters outer and inner, which both note each operation in one file. */
typedef struct
{
  char *log;             /* (owned): the name of that file */
  char *params;          /* (owned): parameters with the name of the file for outer and inner */
  SatinStorage *storage; /* (owned) (nullable) */
} World;

static void
set_up (World *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  int fd = g_file_open_tmp ("satin-filter-XXXXXX", &self->log, &error);
  g_assert_no_error (error);
  g_close (fd, NULL);
  self->params = g_strdup_printf ("outer.log=%s,inner.log=%s", self->log, self->log);
}

static void
tear_down (World *self, gconstpointer data)
{
  g_clear_pointer (&self->storage, satin_storage_close);
  g_unlink (self->log);
  g_free (self->params);
  g_free (self->log);
}

/* Checks what the filters have written since the last call, with ";" in place of line ends. */
static void
assert_noted (World *self, const char *expected)
{
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (self->log, &text, NULL, NULL));
  g_strdelimit (text, "\n", ';');
  g_assert_cmpstr (text, ==, expected);
  g_assert_true (g_file_set_contents (self->log, "", 0, NULL));
}

static void
open_both (World *self)
{
  g_autoptr (GError) error = NULL;
  self->storage = satin_storage_open ("outer+inner+mem:filter", self->params, TRUE, &error);
  g_assert_no_error (error);
}

static void
ignore_entry (const char *name, guint64 size_bytes, gpointer user_data)
{
}

static void
test_from_the_inside_out (World *self, gconstpointer data)
{
  open_both (self);
  assert_noted (self, "inner open;outer open;");
}

static void
test_from_the_outside_in (World *self, gconstpointer data)
{
  open_both (self);
  const SatinStorageOps *ops = &self->storage->ops;
  gpointer handle = self->storage->handle;
  guint8 buffer[20];
  gsize n_read = 0;
  g_assert_true (g_file_set_contents (self->log, "", 0, NULL));
  g_assert_true (ops->append (handle, "log", 0, bytes, 10, NULL));
  assert_noted (self, "outer append;inner append;");
  g_assert_true (ops->sync (handle, "log", NULL));
  assert_noted (self, "outer sync;inner sync;");
  g_assert_true (ops->read (handle, "log", 2, buffer, sizeof buffer, &n_read, NULL));
  g_assert_cmpmem (buffer, n_read, bytes + 2, 8);
  assert_noted (self, "outer read;inner read;");
  g_assert_true (ops->list (handle, ignore_entry, NULL, NULL));
  assert_noted (self, "outer list;inner list;");
  g_assert_true (ops->replace (handle, "log", "new", NULL));
  assert_noted (self, "outer replace;inner replace;");
  g_assert_true (ops->remove (handle, "new", NULL));
  assert_noted (self, "outer remove;inner remove;");
}

static void
test_closed (World *self, gconstpointer data)
{
  open_both (self);
  g_assert_true (g_file_set_contents (self->log, "", 0, NULL));
  g_clear_pointer (&self->storage, satin_storage_close);
  assert_noted (self, "outer close;inner close;");
}

/* The storage mem fails the first call after an interrupt. */
static void
test_interrupt (World *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  open_both (self);
  g_assert_true (g_file_set_contents (self->log, "", 0, NULL));
  self->storage->ops.interrupt (self->storage->handle);
  assert_noted (self, "outer interrupt;inner interrupt;");
  g_assert_false (self->storage->ops.list (self->storage->handle, ignore_entry, NULL, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT);
}

static void
test_null_passes (World *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  guint8 buffer[20];
  gsize n_read = 0;
  self->storage = satin_storage_open ("bare+mem:filter", NULL, TRUE, &error);
  g_assert_no_error (error);
  const SatinStorageOps *ops = &self->storage->ops;
  gpointer handle = self->storage->handle;
  g_assert_cmpuint (self->storage->can & SATIN_STORAGE_CAN_RANGE, !=, 0);
  g_assert_true (ops->append (handle, "log", 0, bytes, 10, NULL));
  g_assert_true (ops->sync (handle, "log", NULL));
  g_assert_true (ops->replace (handle, "log", "new", NULL));
  g_assert_true (ops->read (handle, "new", 0, buffer, sizeof buffer, &n_read, NULL));
  g_assert_cmpmem (buffer, n_read, bytes, 10);
  g_assert_true (ops->list (handle, ignore_entry, NULL, NULL));
  g_assert_true (ops->remove (handle, "new", NULL));
  ops->interrupt (handle);
  g_assert_false (ops->sync (handle, "new", &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT);
}

static void
test_abilities (World *self, gconstpointer data)
{
  open_both (self);
  g_assert_cmpuint (self->storage->can, ==, SATIN_STORAGE_CAN_APPEND | SATIN_STORAGE_CAN_REPLACE);
}

/* Checks that checking and opening fail with the same error. */
static void
assert_refused (const char *uri, const char *params, SatinErrorCode code, const char *pattern)
{
  g_autoptr (GError) checked = NULL;
  g_autoptr (GError) opened = NULL;
  g_assert_false (satin_storage_check (uri, params, &checked));
  g_assert_error (checked, SATIN_ERROR, (gint)code);
  g_assert_null (satin_storage_open (uri, params, TRUE, &opened));
  g_assert_error (opened, SATIN_ERROR, (gint)code);
  g_assert_cmpstr (checked->message, ==, opened->message);
  if (!g_pattern_match_simple (pattern, opened->message))
    g_assert_cmpstr (opened->message, ==, pattern);
}

static void
test_unknown (World *self, gconstpointer data)
{
  assert_refused ("outer+sieve+mem:filter", NULL, SATIN_ERROR_NOT_FOUND,
                  "*\"sieve\"*bare, closed, delay, fault, inner, outer;*filter-sieve.so*");
  assert_refused ("outer+:filter", NULL, SATIN_ERROR_INVALID, "*not a URI*");
  assert_refused ("outer+nowhere:filter", NULL, SATIN_ERROR_NOT_FOUND, "*'nowhere:'*");
}

static void
test_too_many (World *self, gconstpointer data)
{
  g_autoptr (GString) uri = g_string_new ("mem:filter");
  for (guint i = 0; i < SATIN_FILTER_MAX; i++)
    g_string_prepend (uri, "bare+");
  g_assert_true (satin_storage_check (uri->str, NULL, NULL));
  g_string_prepend (uri, "bare+");
  assert_refused (uri->str, NULL, SATIN_ERROR_INVALID, "*more than 8 filters*");
}

static void
test_params (World *self, gconstpointer data)
{
  assert_refused ("outer+mem:filter", "outer.colour=red", SATIN_ERROR_INVALID,
                  "filter-outer: *colour*");
  assert_refused ("outer+mem:filter", "inner.log=x", SATIN_ERROR_INVALID,
                  "*no filter \"inner\"*inner+*");
  assert_refused ("mem:filter", "outer.log=x", SATIN_ERROR_INVALID, "*no filter \"outer\"*");
  assert_refused ("outer+mem:filter", "log=x", SATIN_ERROR_INVALID, "storage-mem: *log*");
  assert_refused ("outer+mem:filter", ".log=x", SATIN_ERROR_INVALID, "storage-mem: *");
  assert_refused ("delay+mem:filter", NULL, SATIN_ERROR_INVALID, "filter-delay: *time*given*");
}

static void
test_storage_has_its_own (World *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *params = g_strdup_printf ("capacity=5,%s", self->params);
  self->storage = satin_storage_open ("outer+inner+mem:filter", params, TRUE, &error);
  g_assert_no_error (error);
  g_assert_false (self->storage->ops.append (self->storage->handle, "log", 0, bytes, 10, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT);
}

/* The outer filter does not open, so the inner filter is closed again. */
static void
test_closed_filter (World *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *params = g_strdup_printf ("inner.log=%s", self->log);
  g_assert_null (satin_storage_open ("closed+inner+mem:filter", params, TRUE, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_SECRET);
  assert_noted (self, "inner open;inner close;");
}

static void
test_scheme_with_plus (World *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (satin_storage_open ("one+two:x+y:z", NULL, TRUE, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_UNREACHABLE);
  g_assert_cmpstr (error->message, ==, "<one+two:x+y:z> does not open");
  g_clear_error (&error);
  g_assert_null (satin_storage_open ("bare+one+two:x", NULL, TRUE, &error));
  g_assert_cmpstr (error->message, ==, "<one+two:x> does not open");
}

static void
test_plugins (World *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) plugins = satin_storage_find_plugins ("outer+bare+mem:x", &error);
  g_assert_no_error (error);
  g_autoptr (GString) names = g_string_new (NULL);
  for (guint i = 0; i < plugins->len; i++)
    g_string_append_printf (names, "%s;",
                            satin_plugin_get_desc (g_ptr_array_index (plugins, i))->name);
  g_assert_cmpstr (names->str, ==, "outer;bare;mem;");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, func) g_test_add ("/ft/filter/" path, World, NULL, set_up, func, tear_down)
  CLAIM ("opens-from-the-inside-out", test_from_the_inside_out);
  CLAIM ("operations-go-from-the-outside-in", test_from_the_outside_in);
  CLAIM ("closes-from-the-outside-in", test_closed);
  CLAIM ("interrupt-reaches-all", test_interrupt);
  CLAIM ("what-is-null-passes-through", test_null_passes);
  CLAIM ("abilities-are-taken-away", test_abilities);
  CLAIM ("unknown-one-is-named-with-those-there-are", test_unknown);
  CLAIM ("at-most-eight", test_too_many);
  CLAIM ("wrong-param-names-its-plugin", test_params);
  CLAIM ("params-without-a-dot-are-the-storages", test_storage_has_its_own);
  CLAIM ("one-that-does-not-open-closes-what-is-within", test_closed_filter);
  CLAIM ("scheme-of-a-storage-may-have-a-plus", test_scheme_with_plus);
  CLAIM ("all-plugins-of-a-uri-are-told", test_plugins);
  return g_test_run ();
}
