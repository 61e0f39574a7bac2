/* messages.c - fuzz inputs that are a sequence of a protocol's messages
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "messages.h"

#include <string.h>

#define HEAD_BYTES     4
#define MAX_EXAMPLE    12 /* messages in an example */
#define MAX_TEXT_BYTES 40
#define MAX_ITEMS      3

static guint
random_below (guint n)
{
  return (guint)g_test_rand_int_range (0, (gint32)n);
}

void
fuzz_messages_say (const uint8_t *bytes, size_t n_bytes, guint n_max, FuzzSayFunc say,
                   gpointer user_data)
{
  for (guint i = 0; i < n_max && n_bytes >= HEAD_BYTES; i++)
    {
      gsize n = MIN (n_bytes - HEAD_BYTES, bytes[2] + 256 * (gsize)bytes[3]);
      say (bytes[0], bytes[1], bytes + HEAD_BYTES, n, user_data);
      bytes += HEAD_BYTES + n;
      n_bytes -= HEAD_BYTES + n;
    }
}

/* ---- random values ---- */

static void
add_long (GByteArray *out, gint64 value)
{
  guint64 rest = (guint64)value << 1 ^ (guint64)(value >> 63);

  do
    {
      guint8 byte = (guint8)((rest & 127) | (rest > 127 ? 128 : 0));
      g_byte_array_append (out, &byte, 1);
      rest >>= 7;
    }
  while (rest > 0);
}

static gint64
random_number (gint64 min, gint64 max)
{
  static const gint64 special[] = { -1, 99, 1000, 1000000, G_MAXINT32 };
  gint64 value;

  switch (random_below (16))
    {
    case 0:
      return min;
    case 1:
      return max;
    case 2:
    case 3:
      value = special[random_below (G_N_ELEMENTS (special))];
      return CLAMP (value, min, max);
    default:
      return random_below (5);
    }
}

/* Adds letters, so that the bytes are also a valid string. */
static void
add_bytes (GByteArray *out)
{
  static const guint8 letters[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
  static const guint lengths[] = { 0, 1, 2, 8, 16, 16, 20, 32, MAX_TEXT_BYTES };
  guint n = lengths[random_below (G_N_ELEMENTS (lengths))];

  add_long (out, n);
  g_byte_array_append (out, letters + random_below (4), n);
}

static void
add_value (GByteArray *out, const SatinField *field)
{
  static const guint8 zeros[8] = { 0 };
  guint8 byte = (guint8)random_below (2);

  switch (field->type)
    {
    case SATIN_FIELD_INT:
      add_long (out, random_number (G_MININT32, G_MAXINT32));
      break;
    case SATIN_FIELD_LONG:
      add_long (out, random_number (G_MININT64, G_MAXINT64));
      break;
    case SATIN_FIELD_FLOAT:
      g_byte_array_append (out, zeros, 4);
      break;
    case SATIN_FIELD_DOUBLE:
      g_byte_array_append (out, zeros, 8);
      break;
    case SATIN_FIELD_BOOLEAN:
      g_byte_array_append (out, &byte, 1);
      break;
    case SATIN_FIELD_STRING:
    case SATIN_FIELD_BYTES:
      add_bytes (out);
      break;
    case SATIN_FIELD_RECORD:
      fuzz_record_add (out, field->record);
      break;
    }
}

void
fuzz_record_add (GByteArray *out, const SatinRecord *record)
{
  for (guint i = 0; i < record->n_fields; i++)
    {
      const SatinField *field = &record->fields[i];
      guint n = random_below (MAX_ITEMS + 1);
      if (!field->is_array || field->type == SATIN_FIELD_BYTES)
        {
          add_value (out, field);
          continue;
        }
      if (n > 0)
        add_long (out, n);
      for (guint j = 0; j < n; j++)
        add_value (out, field);
      add_long (out, 0);
    }
}

/* ---- examples ---- */

void
fuzz_messages_add (GByteArray *out, guint8 from, guint8 to, const guint8 *bytes, gsize n_bytes)
{
  const guint8 head[HEAD_BYTES] = { from, to, (guint8)n_bytes, (guint8)(n_bytes >> 8) };

  g_byte_array_append (out, head, sizeof head);
  g_byte_array_append (out, bytes, (guint)n_bytes);
}

void
fuzz_messages_example (GByteArray *out, const FuzzMessage *messages, guint n_messages)
{
  for (guint i = 1 + random_below (MAX_EXAMPLE); i > 0; i--)
    {
      const FuzzMessage *message = &messages[random_below (n_messages)];
      g_autoptr (GByteArray) payload = g_byte_array_new ();
      g_byte_array_append (payload, &message->kind, 1);
      if (message->record != NULL)
        fuzz_record_add (payload, message->record);
      fuzz_messages_add (out, (guint8)random_below (256), (guint8)random_below (256), payload->data,
                         payload->len);
    }
}

/* ---- warnings about inputs ---- */

static void
take_log (const char *domain, GLogLevelFlags level, const char *text, gpointer user_data)
{
  if ((level & (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_ERROR)) != 0)
    g_log_default_handler (domain, level, text, user_data);
}

void
fuzz_take_warnings (void)
{
  g_log_set_default_handler (take_log, NULL);
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL);
}
