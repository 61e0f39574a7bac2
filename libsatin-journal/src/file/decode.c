/* decode.c - decodes the events of a block in place
 *
 * A journal of a day has millions of events, with a dozen names in each. So this code copies no
 * string: it writes a NUL behind each string, over the first byte of the field that follows, once
 * that byte was read. An event ends with the count 0 of its map, so each string has such a byte
 * within its event.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <satin/base/bytes.h>

/* Where in a block the decoder is. */
typedef struct
{
  guint8 *bytes; /* (borrowed) */
  gsize n_bytes;
  gsize at;
} Place;

static inline gboolean
take_long (Place *place, gint64 *ret_value)
{
  guint64 zigzag;
  /* Most lengths and counts have one byte. */
  if (place->at < place->n_bytes && place->bytes[place->at] < 0x80)
    zigzag = place->bytes[place->at++];
  else if (!satin_varint_read (place->bytes, place->n_bytes, &place->at, &zigzag))
    return FALSE;
  *ret_value = (gint64)(zigzag >> 1) ^ -(gint64)(zigzag & 1);
  return TRUE;
}

/* Most strings are ASCII, for which this is faster than GLib. */
static inline gboolean
is_text (const guint8 *bytes, gsize n_bytes)
{
  gsize i = 0;
  while (i < n_bytes && bytes[i] - 1U < 0x7f)
    i++;
  return i == n_bytes || g_utf8_validate_len ((const char *)bytes + i, n_bytes - i, NULL);
}

/* Finds a string, which has no NUL yet, and its end. */
static inline gboolean
take_string (Place *place, const char **ret_string, gsize *ret_end)
{
  gint64 n;
  if (!take_long (place, &n) || n < 0 || (guint64)n >= place->n_bytes - place->at
      || !is_text (place->bytes + place->at, (gsize)n))
    return FALSE;
  *ret_string = (const char *)place->bytes + place->at;
  place->at += (gsize)n;
  *ret_end = place->at;
  return TRUE;
}

/* Reads the field that follows a string, and then ends the string: the NUL takes the place of the
 * first byte of that field. */
static inline gboolean
end_string (Place *place, gsize end, gint64 *ret_next)
{
  gboolean is_there = take_long (place, ret_next);
  place->bytes[end] = '\0';
  return is_there;
}

/* Reads the values. A map comes in pieces: a count, then as many names and values; a count of 0
 * ends it. @count: the first count */
static gboolean
take_map (Place *place, gint64 count, GArray *values)
{
  g_array_set_size (values, 0);
  for (; count != 0;)
    {
      if (count < 0)
        return FALSE;
      for (gint64 i = 0; i < count; i++)
        {
          SatinJournalValue value;
          gsize end;
          if (!take_string (place, &value.name, &end) || !end_string (place, end, &value.value))
            return FALSE;
          g_array_append_val (values, value);
        }
      if (!take_long (place, &count))
        return FALSE;
    }
  return TRUE;
}

gboolean
journal_decode (guint8 *bytes, gsize n_bytes, gsize *at, GArray *values,
                SatinJournalEvent *ret_event)
{
  Place place = { bytes, n_bytes, *at };
  SatinJournalEvent event = { 0 };
  gint64 node, count, n_text;
  gsize kind_end;
  if (!take_long (&place, &event.time_us) || !take_long (&place, &node) || node < G_MININT32
      || node > G_MAXINT32 || !take_string (&place, &event.kind, &kind_end)
      || !end_string (&place, kind_end, &n_text) || n_text < 0
      || (guint64)n_text >= n_bytes - place.at || !is_text (bytes + place.at, (gsize)n_text))
    return FALSE;
  event.node = (gint32)node;
  event.text = (const char *)bytes + place.at;
  place.at += (gsize)n_text;
  if (!end_string (&place, place.at, &count) || !take_map (&place, count, values))
    return FALSE;
  event.values = (const SatinJournalValue *)(gpointer)values->data;
  event.n_values = values->len;
  *at = place.at;
  *ret_event = event;
  return TRUE;
}
