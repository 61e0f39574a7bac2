/* fake-registry.h - a registry inside one process, which a test controls
 *
 * There is one FakeRegistry for each loop. Each call of fake_registry_ops.open on that loop makes a
 * new member. A member gets its events on the loop, in order; a test may hold them back.
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

/* The next member gets the number @id, and later ones count up from it. At first @id is 1. */
void fake_registry_set_next_id (FakeRegistry *self, SatinNodeId id);
/* While @is_held, new members get no events until fake_registry_hold() releases them. */
void fake_registry_hold_new (FakeRegistry *self, gboolean is_held);
/* Holds back the events for member @id, or (%FALSE) releases them. */
void fake_registry_hold (FakeRegistry *self, SatinNodeId id, gboolean is_held);
/* While @is_hidden, the members do not hear of a new member, but the new member hears of them. */
void fake_registry_hide_new (FakeRegistry *self, gboolean is_hidden);
/* Tells member @id that its view is partial: the run has members that are not in that view. */
void fake_registry_partial (FakeRegistry *self, SatinNodeId id);
/* Members that join from now on are announced with @address; %NULL: with their real address. */
void fake_registry_set_address (FakeRegistry *self, const char *address);
/* The two answers to a member @id that asked for @other: @other joined, or @other is unknown. */
void fake_registry_introduce (FakeRegistry *self, SatinNodeId id, SatinNodeId other);
void fake_registry_unknown (FakeRegistry *self, SatinNodeId id, SatinNodeId other);
/* Tells each member that it cannot reach the registry, or (%FALSE) that it can again. */
void fake_registry_lose (FakeRegistry *self, gboolean is_lost);
/* The other members hear that @id died; @id itself hears nothing. */
void fake_registry_kill (FakeRegistry *self, SatinNodeId id);
/* From now on a death is reported with @signal_number; 0: without a signal. */
void fake_registry_set_death_signal (FakeRegistry *self, int signal_number);
/* Ends the membership of @id with the error @code; the other members hear that it died. */
void fake_registry_end_member (FakeRegistry *self, SatinNodeId id, int code);
void fake_registry_complete (FakeRegistry *self);
void fake_registry_ask (FakeRegistry *self, SatinNodeId id);
/* From now on, a member that leaves gets no answer. */
void fake_registry_ignore_leave (FakeRegistry *self);

/* Returns: all suspicions in order, as "ID suspects ID," */
const char *fake_registry_get_suspects (FakeRegistry *self);
/* Returns: all questions in order, as "ID asks for ID," */
const char *fake_registry_get_questions (FakeRegistry *self);
/* Returns: the figures of the last report, as "NAME=VALUE," */
const char *fake_registry_get_report (FakeRegistry *self);
guint fake_registry_n_members (FakeRegistry *self);
