/* provision-ssh.h - machines on hosts that are reached by ssh: declarations that all files share
 *
 *   orders.c   requests, and how they are divided among hosts
 *   site.c     a host: its session, and what happens when the session fails
 *   machine.c  a machine: one command on a host
 *   close.c    closes the handle
 *
 * Each host has its own SatinLeases (satin/adapt/leases.h), and one session for all its machines
 * (session.h): a connection with the warden, a script that starts and ends commands on the host. If
 * one host refuses machines, other hosts are asked before the caller is told.
 *
 * Threads: the loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "hosts.h"
#include "pack.h"
#include "session.h"

#include <satin/adapt/leases.h>

typedef struct _Ssh Ssh;
typedef struct _Site Site;

struct _Ssh
{
  SatinLoop *loop; /* (borrowed) */
  SatinProvisionHost host;
  gpointer user_data;
  SatinStart *start;  /* (owned) */
  Pack *pack;         /* (owned) */
  GPtrArray *entries; /* (owned) of (owned) HostEntry */
  GPtrArray *sites;   /* (owned) of (owned) Site, one for each entry */
  char *parent;       /* (owned): folder on the hosts for the private folder, "" for the default */
  char *output;       /* (owned): file on the hosts for the commands' output, "" for none */
  gint64 patience_us; /* limit for preparing a host, and for one start */
  GHashTable *orders; /* (owned) of (owned) Order, by request_id */
  GQueue refusals;    /* of (owned) Refusal that the caller was not told yet */
  gboolean is_posted; /* a call that reports the refusals is posted */
  guint n_open;       /* while closing: sites that are not closed yet */
  SatinDoneFunc done; /* (nullable): set while closing */
  gpointer done_data;
};

struct _Site
{
  Ssh *ssh;               /* (borrowed) */
  const HostEntry *entry; /* (borrowed) */
  SshServer server;       /* its fields are (owned); the session uses them while there is one */
  SatinLeases *leases;    /* (owned) (nullable): %NULL once they are closed */
  GHashTable *machines;   /* of (owned) Machine, by their numbers */
  guint64 n_machines;     /* number of the last machine */
  Session *session;       /* (owned) (nullable) */
  char *folder;           /* (owned) (nullable): the warden's folder, set once the session is ready
                           */
  gint64 ready_us;        /* when the session got ready */
  GError *verdict;        /* (owned) (nullable): why the session was given up */
  GPtrArray *remains;     /* (owned) of (owned) char*: folders that may be left on the host */
  gboolean has_swept;     /* while closing: a session to remove @remains was tried */
  SatinTimerId sweeping;  /* limits that session's time */
  GError *trouble;        /* (owned) (nullable): the last error of the host */
  guint n_troubles;       /* errors in a row */
  gint64 rest_until_us;   /* until then the host gets no machines */
};

/* ---- orders.c: requests of the caller ---- */

void orders_request (Ssh *self, guint64 request_id, guint n, const char *cluster);
void orders_cancel (Ssh *self, guint64 request_id);
void orders_offers (Ssh *self, SatinOfferFunc func, gpointer user_data);
/* The events of the leases of all sites; their user data is the Site. */
extern const SatinProvisionHost orders_host;
GHashTable *orders_new (void);

/* ---- site.c ---- */

Site *site_new (Ssh *ssh, const HostEntry *entry, const SatinParams *params);
void site_free (Site *self);
/* Returns: how many machines may be started on the host now; 0 while the host rests */
guint site_get_n_free (const Site *self);
/* Returns: how much longer the host rests; 0 when it does not rest */
gint64 site_get_rest_us (const Site *self);
/* Begins a session, if the site has none. */
void site_connect (Site *self);
/* Ends the session and so all machines of the host, because something there does not work. @error:
 * (transfer full)
 */
void site_give_up (Site *self, GError *error);
/* Gives the host no machines for a while, longer after each error in a row. */
void site_rest (Site *self, const GError *error);

/* ---- machine.c ---- */

/* The operations of a site's leases; their user data is the Site. */
extern const SatinLeaseOps machine_ops;
GHashTable *machines_new (void);
/* The session is ready: starts the machines that waited for it. */
void machines_begin (Site *site);
void machines_answer (Site *site, const Answer *answer);
/* The session is over: ends all machines of the site. */
void machines_fail (Site *site, const GError *error);

/* ---- close.c ---- */

void closing_begin (Ssh *self, SatinDoneFunc done, gpointer user_data);
/* Takes the next step of closing a site. Called when the site's leases are closed, and whenever a
 * session ends after that. */
void closing_go_on (Site *site);
/* Ends the close if all sites are closed and all refusals were reported. */
void closing_check (Ssh *self);
void ssh_free (Ssh *self);
