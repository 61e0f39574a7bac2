/* company.h - the other nodes of a run, and the run itself, which the suite invents
 *
 * The company provides the interfaces "peers" and "run" to a node. It calls the functions of the
 * part in the thread of the loop, never inside an operation of these interfaces.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "conformance/private.h"

#include <satin/base/node.h>
#include <satin/base/run.h>

#define RULE_MESSAGES "part/always/messages-go-to-other-nodes-and-are-not-too-large"

/* The number of the node under test. */
#define COMPANY_SELF ((SatinNodeId)2)

typedef struct _Company Company;

/* Makes a company: node 1, which is the master, and the node under test. @loop: borrowed */
Company *company_new (Case *c, SatinLoop *loop);
void company_free (Company *self);

/* Provides the interfaces to @node. */
void company_enter (Company *self, SatinNode *node);
/* Withdraws the interfaces, after all parts have stopped. */
void company_leave (Company *self, SatinNode *node);

/* Lets another node join. Returns: the number of that node */
SatinNodeId company_add (Company *self);
/* Lets the node @id leave or die, as @change says. */
void company_remove (Company *self, SatinNodeId id, SatinPeerChange change);
/* Reports the change @change of the node @id, without changing the view. */
void company_tell (Company *self, SatinPeerChange change, SatinNodeId id);
void company_set_master (Company *self, SatinNodeId id);
/* Sends a message to the node under test, on each channel on which its part listens. */
void company_send (Company *self, SatinNodeId from, GBytes *payload);
/* @payload: (nullable) */
void company_signal (Company *self, const char *word, GBytes *payload);
void company_end (Company *self);

/* How many functions for messages, changes and events are set at the peers and the run. */
guint company_count_functions (const Company *self);
