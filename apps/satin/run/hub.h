/* hub.h - the hub of a run: this command's own hub, another command's hub, or another registry
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
 * @joined: a node is a member now. With another command's hub: only for the first node of this
 *   command, and @id is 0
 * @leaving: a member announced that it will leave
 * @gone: a member left or died
 * @died: called before @gone when the hub declared a member on this host dead; process @pid may
 *   still live
 * @over: the run is over for all members
 * @asked: another command sent a word to the holder of the hub; that command receives @error
 * @told: a member sent a word to the holder of the hub
 * @describe: returns the bytes that are added to the status (transfer full) (nullable)
 * @elected: a member is the master from now on
 * @silent: the hub is about to declare a member dead, because it has not heard from the member or
 *   because the member did not leave in time; @why says which, in words
 *
 * The events of a hub. With another command's hub only @joined is called.
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
  void (*elected) (SatinNodeId id, gpointer user_data);
  void (*silent) (SatinNodeId id, const char *why, gpointer user_data);
} RunHubFuncs;

/**
 * run_hub_new:
 * @uri: the address to listen on
 * @n_nodes: the number of members that make the run complete, 0 for a run that nodes may join at
 *   any time
 * @funcs: (borrowed): static
 *
 * Returns: (transfer full): a hub that this command holds
 */
RunHub *run_hub_new (Session *session, const char *uri, guint n_nodes, const RunHubFuncs *funcs,
                     gpointer user_data, GError **error);

/**
 * run_hub_join:
 * @uri: the address of another command's hub
 * @error: no hub answers there, or that hub has another secret or another protocol
 *
 * Asks the hub for its status and waits for the answer, so that an error is found before a node is
 * started.
 *
 * Returns: (transfer full): another command's hub
 */
RunHub *run_hub_join (Session *session, const char *uri, const RunHubFuncs *funcs,
                      gpointer user_data, GError **error);

/**
 * run_hub_stand_in:
 * @uri: the address of a registry that is no hub
 *
 * Makes an object that takes the place of a hub. This object knows nothing of the run, because only
 * the nodes speak with the registry.
 *
 * Returns: (transfer full): an object that behaves like another command's hub, but has no status
 */
RunHub *run_hub_stand_in (Session *session, const char *uri, const RunHubFuncs *funcs,
                          gpointer user_data);

/* The host of member @id. Returns: (nullable): borrowed until the member is gone; %NULL if @id is
 * no member, and for another command's hub */
const char *run_hub_get_host (const RunHub *self, SatinNodeId id);

gboolean run_hub_is_own (const RunHub *self);
gboolean run_hub_has_status (const RunHub *self);
const char *run_hub_get_uri (const RunHub *self);

/* Called when process @pid was started as a node. Polls another command's hub until that node is a
 * member, and then calls @joined. If there is no status, calls @joined soon. Does nothing with this
 * command's own hub. */
void run_hub_expect (RunHub *self, gint64 pid);

/* Like satin_hub_is_ending(). %FALSE for another command's hub. */
gboolean run_hub_is_ending (const RunHub *self);

/* Asks for the status of the run. @func runs once, on the loop or when the hub is freed. The hub
 * must have a status. */
void run_hub_ask (RunHub *self, gint64 timeout_us, SatinStatusFunc func, gpointer user_data);

/* Like satin_hub_expect_more(). Does nothing with another command's hub. */
void run_hub_expect_more (RunHub *self, guint n_nodes);

/* Returns: (nullable): the hub itself; %NULL when another command holds it */
SatinHub *run_hub_get (const RunHub *self);

/* Like satin_hub_process_killed() for a process on this host, satin_hub_signal() to all members,
 * and satin_hub_end(). They do nothing with another command's hub. */
void run_hub_process_ended (RunHub *self, gint64 pid, int signal_number, const char *how);
void run_hub_signal (RunHub *self, const char *word);
void run_hub_end (RunHub *self, int exit_status, const char *message);

/* Frees the hub. Called before the session is closed. @self: (nullable) */
void run_hub_free (RunHub *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunHub, run_hub_free)

G_END_DECLS
