/* packet.h - messages of the SFTP protocol, version 3, as bytes
 *
 * A message is a length (4 bytes), a type (1) and a body; numbers have the highest byte first, a
 * text is its length (4) and its bytes. A request's body, and the answer's, begin with a number
 * that tells which belong together.
 *
 * What comes from the server is read through PacketReader alone: behind the end everything is 0 or
 * empty and the reader is bad.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

/* clang-format off */
typedef enum
{
  PACKET_INIT = 1, PACKET_VERSION = 2, PACKET_OPEN = 3, PACKET_CLOSE = 4, PACKET_READ = 5,
  PACKET_WRITE = 6, PACKET_FSTAT = 8, PACKET_FSETSTAT = 10, PACKET_OPENDIR = 11,
  PACKET_READDIR = 12, PACKET_REMOVE = 13, PACKET_MKDIR = 14, PACKET_STAT = 17,
  PACKET_RENAME = 18, PACKET_STATUS = 101, PACKET_HANDLE = 102, PACKET_DATA = 103,
  PACKET_NAME = 104, PACKET_ATTRS = 105, PACKET_EXTENDED = 200, PACKET_EXTENDED_REPLY = 201,
} PacketType;

typedef enum
{
  STATUS_OK = 0, STATUS_EOF = 1, STATUS_NO_SUCH_FILE = 2, STATUS_PERMISSION_DENIED = 3,
  STATUS_FAILURE = 4, STATUS_BAD_MESSAGE = 5, STATUS_NO_CONNECTION = 6,
  STATUS_CONNECTION_LOST = 7, STATUS_UNSUPPORTED = 8,
} PacketStatus;
/* clang-format on */

/* How a file is opened. */
#define PACKET_OPEN_READ   1u
#define PACKET_OPEN_WRITE  2u
#define PACKET_OPEN_CREATE 8u

/* Which attributes follow. */
#define PACKET_ATTR_SIZE        1u
#define PACKET_ATTR_OWNER       2u
#define PACKET_ATTR_PERMISSIONS 4u
#define PACKET_ATTR_TIMES       8u
#define PACKET_ATTR_EXTENDED    0x80000000u

/* Begins a message; its length is set by packet_end(). Returns: (transfer full) */
GByteArray *packet_begin (PacketType type);
void packet_add_u32 (GByteArray *self, guint32 value);
void packet_add_u64 (GByteArray *self, guint64 value);
void packet_add_bytes (GByteArray *self, const void *bytes, gsize n_bytes);
void packet_add_text (GByteArray *self, const char *text);
void packet_end (GByteArray *self);

typedef struct
{
  const guint8 *at;
  gsize n_left;
  gboolean is_bad; /* something was not there */
} PacketReader;

guint8 packet_read_u8 (PacketReader *self);
guint32 packet_read_u32 (PacketReader *self);
guint64 packet_read_u64 (PacketReader *self);
/* Returns: (nullable): the bytes, which lie in what is read */
const guint8 *packet_read_bytes (PacketReader *self, gsize *ret_n_bytes);
/* Returns: (transfer full): "" when there is none, or one with a 0 in it */
char *packet_read_text (PacketReader *self);

/* What is wanted of a file's attributes; what was not told is 0. */
typedef struct
{
  guint64 size_bytes;
  guint32 mode;
} PacketAttrs;

PacketAttrs packet_read_attrs (PacketReader *self);
