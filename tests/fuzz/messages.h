/* messages.h - fuzz inputs that are a sequence of a protocol's messages
 *
 * For each message, an input has a byte for the sender, a byte for the receiver, two bytes for the
 * length (little-endian), and the message itself. The first byte of a message is its kind, and the
 * rest is a record.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "fuzz.h"
#include <satin/base/record.h>

/* @record: (nullable): %NULL when nothing follows the kind */
typedef struct
{
  guint8 kind;
  const SatinRecord *record;
} FuzzMessage;

typedef void (*FuzzSayFunc) (guint8 from, guint8 to, const guint8 *bytes, gsize n_bytes,
                             gpointer user_data);

/* Calls @say for each message in @bytes, for @n_max messages at most. */
void fuzz_messages_say (const uint8_t *bytes, size_t n_bytes, guint n_max, FuzzSayFunc say,
                        gpointer user_data);

/* Appends some messages of these kinds. Their values are random, but often small, so that many of
 * them make sense. */
void fuzz_messages_example (GByteArray *out, const FuzzMessage *messages, guint n_messages);

/* Appends one message. */
void fuzz_messages_add (GByteArray *out, guint8 from, guint8 to, const guint8 *bytes,
                        gsize n_bytes);

/* Appends a random valid encoding of @record. */
void fuzz_record_add (GByteArray *out, const SatinRecord *record);

/* From now on warnings are ignored: they only say what is wrong with an input. Criticals still
 * abort. */
void fuzz_take_warnings (void);
