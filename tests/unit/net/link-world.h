/* link-world.h - two sides of a link, and a raw side that may send any bytes, for tests
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net.h>

#include "pipe-transport.h"

/* One side of a link, and its events. */
typedef struct
{
  SatinLink *link; /* %NULL when it is down */
  guint n_open;
  guint n_drained;
  guint n_down;
  GPtrArray *frames; /* (owned) (element-type utf8): "KIND CHANNEL TEXT", from 100 bytes on only the
                      * size; of an early message "KIND CHANNEL NUMBER TEXT" */
  GError *error;     /* (owned): the error with which it went down */
  gint64 measured_us;
  /* (nullable): called for each frame, after the frame was noted */
  void (*on_frame) (SatinLink *link, guint n_frames);
  const char *early; /* (nullable): sent behind the hello, as early message number 1 */
  /* The answer of the check function: 0 accepts, 1 refuses, 2 defers the decision. */
  int answer;
  guint n_checks;
} LinkSide;

typedef struct
{
  SatinLoop *loop;
  PipeNetwork *network;
  SatinTransport *near_transport;
  SatinTransport *far_transport;
  SatinListener *listener; /* the far side's, at pipe:far */
  SatinProgram near_program;
  SatinProgram far_program;
  SatinIdentity near_identity;
  SatinIdentity far_identity;
  LinkSide near;      /* the side that connects */
  LinkSide far;       /* the side that accepts */
  gboolean has_crowd; /* the far side accepts each new link and ignores its events */
} LinkWorld;

void link_world_open (LinkWorld *self, gconstpointer unused);
void link_world_close (LinkWorld *self, gconstpointer unused);
/* Begins a link from the near side to the far side. */
void link_world_dial (LinkWorld *self);
/* Begins a link and waits until it is open. */
void link_world_connect (LinkWorld *self);
void link_world_run (LinkWorld *self, gint64 duration_us);

void link_side_send (LinkSide *self, const char *text);
void link_side_send_size (LinkSide *self, gsize n_bytes);
/* Returns: (transfer full): the notes of all frames, joined by commas */
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

/* A side without SatinLink: the test sends and receives bytes through the transport. */
typedef struct
{
  gpointer transport;
  gpointer listener;
  gpointer link; /* %NULL when it is down */
  GByteArray *received;
  guint n_down;
} RawSide;

void raw_side_open (RawSide *self, LinkWorld *world);
void raw_side_close (RawSide *self, LinkWorld *world);
void raw_side_dial (RawSide *self, const char *uri);
void raw_side_listen (RawSide *self, const char *uri);
void raw_side_send (RawSide *self, gconstpointer bytes, gsize n_bytes);
/* Sends a frame with a correct head. */
void raw_side_send_frame (RawSide *self, guint8 kind, guint8 channel, gconstpointer payload,
                          gsize n_bytes);
/* Sends the hello of @identity. If @version is not 0, it replaces the version in the hello. */
void raw_side_send_hello (RawSide *self, const SatinIdentity *identity, guint16 version);
void raw_side_shut (RawSide *self);
