/* fake-registry.h - a registry inside one process that does what a test says
 *
 * All that open it on one loop are in that loop's FakeRegistry. Events to a member
 * come on the loop, in order; a test may hold them back.
 *
 * Threads: one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net/net.h>

typedef struct _FakeRegistry FakeRegistry;

extern const SatinRegistryOps fake_registry_ops;

FakeRegistry *fake_registry_new (SatinLoop *loop);
void fake_registry_free (FakeRegistry *self);

/* From now on the number of the next that opens it is @id (at first 1, then one more each time). */
void fake_registry_set_next_id (FakeRegistry *self, SatinNodeId id);
/* From now on who opens it gets no events until released. */
void fake_registry_hold_new (FakeRegistry *self, gboolean is_held);
/* Events for @id wait until FALSE. */
void fake_registry_hold (FakeRegistry *self, SatinNodeId id, gboolean is_held);
/* From now on the others are not told of who opens it, though it is told of them. */
void fake_registry_hide_new (FakeRegistry *self, gboolean is_hidden);
/* From now on @id knows that there are others. */
void fake_registry_partial (FakeRegistry *self, SatinNodeId id);
/* From now on the others are told that who opens it is at @address, NULL: where it is. */
void fake_registry_set_address (FakeRegistry *self, const char *address);
/* The answers to a question of @id for @other: that it joined, or is unknown. */
void fake_registry_introduce (FakeRegistry *self, SatinNodeId id, SatinNodeId other);
void fake_registry_unknown (FakeRegistry *self, SatinNodeId id, SatinNodeId other);
/* It cannot be reached by anybody, or can be again. */
void fake_registry_lose (FakeRegistry *self, gboolean is_lost);
/* The others hear that it died; it hears nothing. */
void fake_registry_kill (FakeRegistry *self, SatinNodeId id);
/* From now on deaths are told with that signal, 0: without one. */
void fake_registry_set_death_signal (FakeRegistry *self, int signal_number);
/* Its membership ends with @code. */
void fake_registry_end_member (FakeRegistry *self, SatinNodeId id, int code);
void fake_registry_complete (FakeRegistry *self);
void fake_registry_ask (FakeRegistry *self, SatinNodeId id);
/* Nobody is answered when it leaves. */
void fake_registry_ignore_leave (FakeRegistry *self);

/* "ID suspects ID," in order. */
const char *fake_registry_get_suspects (FakeRegistry *self);
/* "ID asks for ID," in order. */
const char *fake_registry_get_questions (FakeRegistry *self);
/* What the last report said, "NAME=VALUE,". */
const char *fake_registry_get_report (FakeRegistry *self);
guint fake_registry_n_members (FakeRegistry *self);
