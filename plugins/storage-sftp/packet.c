/* packet.c - messages of the SFTP protocol, version 3, as bytes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "packet.h"

#include <string.h>

#define LENGTH_BYTES 4

GByteArray *
packet_begin (PacketType type)
{
  GByteArray *self = g_byte_array_sized_new (64);
  guint8 byte = (guint8)type;
  packet_add_u32 (self, 0);
  g_byte_array_append (self, &byte, 1);
  return self;
}

void
packet_add_u32 (GByteArray *self, guint32 value)
{
  guint32 bytes = GUINT32_TO_BE (value);
  g_byte_array_append (self, (const guint8 *)&bytes, sizeof bytes);
}

void
packet_add_u64 (GByteArray *self, guint64 value)
{
  guint64 bytes = GUINT64_TO_BE (value);
  g_byte_array_append (self, (const guint8 *)&bytes, sizeof bytes);
}

void
packet_add_bytes (GByteArray *self, const void *bytes, gsize n_bytes)
{
  packet_add_u32 (self, (guint32)n_bytes);
  g_byte_array_append (self, bytes, (guint)n_bytes);
}

void
packet_add_text (GByteArray *self, const char *text)
{
  packet_add_bytes (self, text, strlen (text));
}

void
packet_end (GByteArray *self)
{
  guint32 length = self->len - LENGTH_BYTES;
  guint32 bytes = GUINT32_TO_BE (length);
  memcpy (self->data, &bytes, sizeof bytes);
}

/* Returns: (nullable): the next @n_bytes */
static const guint8 *
take (PacketReader *self, gsize n_bytes)
{
  const guint8 *bytes = self->at;
  if (self->is_bad || n_bytes > self->n_left)
    {
      self->is_bad = TRUE;
      return NULL;
    }
  self->at += n_bytes;
  self->n_left -= n_bytes;
  return bytes;
}

guint8
packet_read_u8 (PacketReader *self)
{
  const guint8 *bytes = take (self, 1);
  return bytes != NULL ? *bytes : 0;
}

guint32
packet_read_u32 (PacketReader *self)
{
  const guint8 *bytes = take (self, 4);
  if (bytes == NULL)
    return 0;
  return (guint32)bytes[0] << 24 | (guint32)bytes[1] << 16 | (guint32)bytes[2] << 8 | bytes[3];
}

guint64
packet_read_u64 (PacketReader *self)
{
  guint64 high = packet_read_u32 (self);
  guint64 low = packet_read_u32 (self);
  return high << 32 | low;
}

const guint8 *
packet_read_bytes (PacketReader *self, gsize *ret_n_bytes)
{
  gsize n_bytes = packet_read_u32 (self);
  const guint8 *bytes = take (self, n_bytes);
  *ret_n_bytes = bytes != NULL ? n_bytes : 0;
  return bytes;
}

char *
packet_read_text (PacketReader *self)
{
  gsize n_bytes;
  const guint8 *bytes = packet_read_bytes (self, &n_bytes);
  if (bytes == NULL || memchr (bytes, '\0', n_bytes) != NULL)
    return g_strdup ("");
  return g_strndup ((const char *)bytes, n_bytes);
}

PacketAttrs
packet_read_attrs (PacketReader *self)
{
  PacketAttrs attrs = { 0 };
  gsize n_bytes;
  guint32 flags = packet_read_u32 (self);
  if ((flags & PACKET_ATTR_SIZE) != 0)
    attrs.size_bytes = packet_read_u64 (self);
  if ((flags & PACKET_ATTR_OWNER) != 0)
    packet_read_u64 (self);
  if ((flags & PACKET_ATTR_PERMISSIONS) != 0)
    attrs.mode = packet_read_u32 (self);
  if ((flags & PACKET_ATTR_TIMES) != 0)
    packet_read_u64 (self);
  guint32 n_extended = (flags & PACKET_ATTR_EXTENDED) != 0 ? packet_read_u32 (self) : 0;
  for (guint64 i = 0; i < 2 * (guint64)n_extended && !self->is_bad; i++)
    packet_read_bytes (self, &n_bytes);
  return attrs;
}
