/* link-world.h - two sides of a link, and a raw side that may say anything, for tests
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net.h>

#include "pipe-transport.h"

/* One side of a link and what it heard. */
typedef struct
{
  SatinLink *link; /* NULL when it is down */
  guint n_open;
  guint n_drained;
  guint n_down;
  GPtrArray *frames; /* (owned) (element-type utf8): "KIND CHANNEL TEXT", of early ones "KIND
                      * CHANNEL NUMBER TEXT", of large ones the size */
  GError *error;     /* (owned) of its down */
  gint64 measured_us;
  /* What to do when a frame comes, after it was noted. */
  void (*on_frame) (SatinLink *link, guint n_frames);
  const char *early; /* (nullable) a message that goes behind the hello, as number 1 */
  /* What check answers: 0 yes, 1 refuses, 2 not now. */
  int answer;
  guint n_checks;
} LinkSide;

typedef struct
{
  SatinLoop *loop;
  PipeNetwork *network;
  SatinTransport *near_transport;
  SatinTransport *far_transport;
  SatinListener *listener; /* of the far side, pipe:far */
  SatinProgram near_program;
  SatinProgram far_program;
  SatinIdentity near_identity;
  SatinIdentity far_identity;
  LinkSide near;      /* the side that connects */
  LinkSide far;       /* the side that accepts */
  gboolean has_crowd; /* links beyond the first are kept too, and nobody hears of them */
} LinkWorld;

void link_world_open (LinkWorld *self, gconstpointer unused);
void link_world_close (LinkWorld *self, gconstpointer unused);
/* Begins a link from near to far. */
void link_world_dial (LinkWorld *self);
/* Begins it and lets it open. */
void link_world_connect (LinkWorld *self);
void link_world_run (LinkWorld *self, gint64 duration_us);

void link_side_send (LinkSide *self, const char *text);
void link_side_send_size (LinkSide *self, gsize n_bytes);
/* All frames, joined by commas. Free it. */
char *link_side_text (LinkSide *self);

#define assert_link_frames(side, expected)                                                         \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_autofree char *text_ = link_side_text (side);                                                \
    g_assert_cmpstr (text_, ==, expected);                                                         \
  }                                                                                                \
  G_STMT_END

#define assert_link_down(side, code)                                                               \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_assert_cmpuint ((side)->n_down, ==, 1);                                                      \
    g_assert_error ((side)->error, SATIN_ERROR, code);                                             \
  }                                                                                                \
  G_STMT_END

#define assert_link_down_in_order(side)                                                            \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_assert_cmpuint ((side)->n_down, ==, 1);                                                      \
    g_assert_no_error ((side)->error);                                                             \
  }                                                                                                \
  G_STMT_END

/* A side without Satin's links: bytes in, bytes out. */
typedef struct
{
  gpointer transport;
  gpointer listener;
  gpointer link; /* NULL when it is down */
  GByteArray *received;
  guint n_down;
} RawSide;

void raw_side_open (RawSide *self, LinkWorld *world);
void raw_side_close (RawSide *self, LinkWorld *world);
void raw_side_dial (RawSide *self, const char *uri);
void raw_side_listen (RawSide *self, const char *uri);
void raw_side_send (RawSide *self, gconstpointer bytes, gsize n_bytes);
/* A frame with right head. */
void raw_side_send_frame (RawSide *self, guint8 kind, guint8 channel, gconstpointer payload,
                          gsize n_bytes);
/* The hello of @identity, with another version when @version is not 0. */
void raw_side_send_hello (RawSide *self, const SatinIdentity *identity, guint16 version);
void raw_side_shut (RawSide *self);
