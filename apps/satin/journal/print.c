/* print.c - prints the events of a journal
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "print.h"

#include <json-glib/json-glib.h>
#include <string.h>

/* ---- for people ---- */

static void
print_text (const SatinJournalEvent *event, GString *out)
{
  g_string_append_printf (out, "%12.6f  ", (double)event->time_us / G_USEC_PER_SEC);
  if (event->node != 0)
    g_string_append_printf (out, "node %-5d ", event->node);
  else
    g_string_append_printf (out, "%-10s ", "run");
  g_string_append_printf (out, "%s%s%s", event->kind, *event->text != '\0' ? "  " : "",
                          event->text);
  for (gsize i = 0; i < event->n_values; i++)
    g_string_append_printf (out, "%s%s %" G_GINT64_FORMAT, i == 0 ? "  " : ", ",
                            event->values[i].name, event->values[i].value);
  g_string_append_c (out, '\n');
}

/* ---- JSON ---- */

static void
print_json (const SatinJournalEvent *event, GString *out)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "time_us");
  json_builder_add_int_value (builder, event->time_us);
  json_builder_set_member_name (builder, "node");
  json_builder_add_int_value (builder, event->node);
  json_builder_set_member_name (builder, "kind");
  json_builder_add_string_value (builder, event->kind);
  json_builder_set_member_name (builder, "text");
  json_builder_add_string_value (builder, event->text);
  json_builder_set_member_name (builder, "values");
  json_builder_begin_object (builder);
  for (gsize i = 0; i < event->n_values; i++)
    {
      json_builder_set_member_name (builder, event->values[i].name);
      json_builder_add_int_value (builder, event->values[i].value);
    }
  json_builder_end_object (builder);
  json_builder_end_object (builder);
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  g_autofree char *line = json_to_string (root, FALSE);
  g_string_append (out, line);
  g_string_append_c (out, '\n');
}

/* ---- CSV ---- */

/* Appends @text, in quotes if RFC 4180 requires them. */
static void
print_field (const char *text, GString *out)
{
  if (text[strcspn (text, ",\"\r\n")] == '\0')
    {
      g_string_append (out, text);
      return;
    }
  g_string_append_c (out, '"');
  for (const char *c = text; *c != '\0'; c++)
    {
      if (*c == '"')
        g_string_append_c (out, '"');
      g_string_append_c (out, *c);
    }
  g_string_append_c (out, '"');
}

static void
print_row (const SatinJournalEvent *event, const SatinJournalValue *value, GString *out)
{
  g_string_append_printf (out, "%" G_GINT64_FORMAT ",%d,", event->time_us, event->node);
  print_field (event->kind, out);
  g_string_append_c (out, ',');
  print_field (event->text, out);
  g_string_append_c (out, ',');
  if (value != NULL)
    print_field (value->name, out);
  g_string_append_c (out, ',');
  if (value != NULL)
    g_string_append_printf (out, "%" G_GINT64_FORMAT, value->value);
  g_string_append_c (out, '\n');
}

static void
print_csv (const SatinJournalEvent *event, GString *out)
{
  if (event->n_values == 0)
    print_row (event, NULL, out);
  for (gsize i = 0; i < event->n_values; i++)
    print_row (event, &event->values[i], out);
}

void
journal_print (const SatinJournalEvent *event, JournalForm form, GString *out)
{
  switch (form)
    {
    case JOURNAL_TEXT:
      print_text (event, out);
      break;
    case JOURNAL_JSON:
      print_json (event, out);
      break;
    case JOURNAL_CSV:
      print_csv (event, out);
      break;
    }
}

const char *
journal_print_head (JournalForm form)
{
  return form == JOURNAL_CSV ? "time_us,node,kind,text,name,value\n" : NULL;
}
