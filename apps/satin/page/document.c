/* document.c - makes one HTML file of page, style, script and data
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "document.h"

#include <gio/gio.h>
#include <string.h>

#define PREFIX "/satin/page/"

/* The files of the page. The function is in the source that glib-compile-resources makes from
 * page.gresource.xml. */
GResource *page_get_resource (void);

/* The scripts, in the order in which they are joined into one. */
static const char *const scripts[] = { "text.js",    "tables.js", "bins.js",     "forecast.js",
                                       "model.js",   "charts.js", "heat.js",     "steals.js",
                                       "told.js",    "losses.js", "machines.js", "views.js",
                                       "picture.js", "live.js",   "report.js" };

/* Returns: (transfer full) */
static GBytes *
find (const char *name)
{
  g_autofree char *path = g_strconcat (PREFIX, name, NULL);
  g_autoptr (GError) error = NULL;
  GBytes *bytes =
      g_resource_lookup_data (page_get_resource (), path, G_RESOURCE_LOOKUP_FLAGS_NONE, &error);
  if (bytes == NULL)
    g_error ("%s", error->message);
  return bytes;
}

static void
append (GString *out, const char *name)
{
  g_autoptr (GBytes) bytes = find (name);
  gsize n_bytes;
  const char *text = g_bytes_get_data (bytes, &n_bytes);
  g_string_append_len (out, text, (gssize)n_bytes);
}

/* Appends JSON to the page, with an escape for each "<": a "</script" in the data would end the
 * element that holds the data. In JSON, a "<" can only be in a string, where its escape means the
 * same. */
static void
append_data (GString *out, const char *data)
{
  for (const char *c = data; *c != '\0'; c++)
    if (*c == '<')
      g_string_append (out, "\\u003c");
    else
      g_string_append_c (out, *c);
}

static void
append_part (GString *out, const char *what, const char *data)
{
  if (g_str_equal (what, "STYLE"))
    append (out, "page.css");
  else if (g_str_equal (what, "SCRIPT"))
    for (gsize i = 0; i < G_N_ELEMENTS (scripts); i++)
      append (out, scripts[i]);
  else
    append_data (out, data);
}

/* page.html has @STYLE@, @DATA@ and @SCRIPT@ where these parts go, and no other "@". */
char *
document_make (const char *data)
{
  g_autoptr (GString) page = g_string_new (NULL);
  GString *out = g_string_new (NULL);
  append (page, "page.html");
  g_auto (GStrv) pieces = g_strsplit (page->str, "@", -1);
  for (guint i = 0; pieces[i] != NULL; i++)
    if (i % 2 == 0)
      g_string_append (out, pieces[i]);
    else
      append_part (out, pieces[i], data);
  return g_string_free (out, FALSE);
}
