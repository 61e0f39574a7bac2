/* hub.h - the hub of a run: this command's own, one that others hold, or another registry
 *
 * Threads: the main loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "runs/session.h"

G_BEGIN_DECLS

typedef struct _RunHub RunHub;

/**
 * RunHubFuncs:
 * @joined: a node is a member; @id is 0 for a hub of others
 * @leaving: a member says that it will leave; never called for a hub of others
 * @gone: a member left or died; likewise
 * @died: likewise, before @gone: a member was declared dead whose process of this machine may live
 * @over: the run is over for all; never called for a hub of others, where a node learns it and ends
 * @asked: another command says a word to who holds the hub, and hears the error; likewise
 * @told: a member says a word to who holds the hub; likewise
 * @silent: a member is declared dead as it was not heard; likewise
 * @describe: what is added to the status, (transfer full) (nullable); likewise
 */
typedef struct
{
  void (*joined) (SatinNodeId id, gpointer user_data);
  void (*leaving) (SatinNodeId id, gpointer user_data);
  void (*gone) (SatinNodeId id, gpointer user_data);
  void (*died) (SatinNodeId id, gint64 pid, gpointer user_data);
  void (*over) (int exit_status, const char *message, gpointer user_data);
  gboolean (*asked) (const char *word, GBytes *payload, gpointer user_data, GError **error);
  void (*told) (SatinNodeId from, const char *word, GBytes *payload, gpointer user_data);
  GBytes *(*describe) (gpointer user_data);
  void (*silent) (SatinNodeId id, const char *why, gpointer user_data);
} RunHubFuncs;

/**
 * run_hub_new:
 * @uri: where it is to listen
 * @n_nodes: how many members the run waits for, 0 for an open world
 * @funcs: borrowed, static
 *
 * Returns: (transfer full): a hub of this command
 */
RunHub *run_hub_new (Session *session, const char *uri, guint n_nodes, const RunHubFuncs *funcs,
                     gpointer user_data, GError **error);

/**
 * run_hub_join:
 * @uri: where others hold it
 * @error: nobody there, another secret, another protocol
 *
 * Asks it for its status first, and waits for that, so that what is wrong is found before a node
 * is started.
 *
 * Returns: (transfer full): a hub of others
 */
RunHub *run_hub_join (Session *session, const char *uri, const RunHubFuncs *funcs,
                      gpointer user_data, GError **error);

/**
 * run_hub_stand_in:
 * @uri: of a registry that is no hub
 *
 * What stands where a hub would, and knows nothing: the nodes alone speak with the registry.
 *
 * Returns: (transfer full): as a hub of others, but without a status to ask for
 */
RunHub *run_hub_stand_in (Session *session, const char *uri, const RunHubFuncs *funcs,
                          gpointer user_data);

/* Where a member runs. Returns: (nullable): borrowed until it is gone */
const char *run_hub_get_host (const RunHub *self, SatinNodeId id);

gboolean run_hub_is_own (const RunHub *self);
gboolean run_hub_has_status (const RunHub *self);
const char *run_hub_get_uri (const RunHub *self);

/* A node was started: joined is to be heard when it is a member, or soon when nobody tells. */
void run_hub_expect (RunHub *self, gint64 pid);

/* As satin_hub_is_ending(); %FALSE for a hub of others. */
gboolean run_hub_is_ending (const RunHub *self);

/* @func runs once, on the loop, or when the hub is freed. It must have a status. */
void run_hub_ask (RunHub *self, gint64 timeout_us, SatinStatusFunc func, gpointer user_data);

/* As satin_hub_expect_more(); nothing for a hub of others. */
void run_hub_expect_more (RunHub *self, guint n_nodes);

/* The hub itself; %NULL when others hold it. */
SatinHub *run_hub_get (const RunHub *self);

/* As satin_hub_process_killed(), of a process of this host, satin_hub_signal() to all, and
 * satin_hub_end(); nothing for a hub of others. */
void run_hub_process_ended (RunHub *self, gint64 pid, int signal_number, const char *how);
void run_hub_signal (RunHub *self, const char *word);
void run_hub_end (RunHub *self, int exit_status, const char *message);

/* Before its session is closed. */
void run_hub_free (RunHub *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunHub, run_hub_free)

G_END_DECLS
