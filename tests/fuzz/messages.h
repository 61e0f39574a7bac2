/* messages.h - inputs that are messages of a protocol
 *
 * An input is messages one after the other: a byte that says who speaks, one that says to whom, two
 * for the length (little-endian), and so many bytes. In a message of a protocol the first of them
 * is its kind, the others are a record.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "fuzz.h"
#include <satin/base/record.h>

/* @record: %NULL for nothing behind the kind */
typedef struct
{
  guint8 kind;
  const SatinRecord *record;
} FuzzMessage;

typedef void (*FuzzSayFunc) (guint8 from, guint8 to, const guint8 *bytes, gsize n_bytes,
                             gpointer user_data);

/* Says what is in @bytes, message by message, at most @n_max. */
void fuzz_messages_say (const uint8_t *bytes, size_t n_bytes, guint n_max, FuzzSayFunc say,
                        gpointer user_data);

/* Adds some messages of those kinds, with random values that mean something: small numbers are
 * probable. */
void fuzz_messages_example (GByteArray *out, const FuzzMessage *messages, guint n_messages);

/* Adds one message. */
void fuzz_messages_add (GByteArray *out, guint8 from, guint8 to, const guint8 *bytes,
                        gsize n_bytes);

/* A random valid encoding of @record. */
void fuzz_record_add (GByteArray *out, const SatinRecord *record);

/* Warnings are no failure here, as they say what was wrong with an input. Criticals still abort. */
void fuzz_take_warnings (void);
