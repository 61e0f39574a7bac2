/* provision-ssh.h - machines on hosts that are reached by ssh: what the files of this plugin share
 *
 *   orders.c   requests, divided among hosts
 *   site.c     a host: its session, what becomes of it when that fails
 *   machine.c     a machine: one command there
 *   close.c    the end
 *
 * Each host has books of its own (satin/adapt/leases.h), and one session with all its machines
 * (session.h). What one host refuses is asked of another before whoever asked is told.
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
  GPtrArray *sites;   /* (owned) of (owned) Site: one for each entry */
  char *parent;       /* (owned): folder there in which its own is made, "" for the usual one */
  char *output;       /* (owned): file there for what commands print, "" for none */
  gint64 patience_us; /* for getting a host ready, and for one start */
  GHashTable *orders; /* (owned) of (owned) Order, by request_id */
  GQueue refusals;    /* of (owned) Refusal: to be told */
  gboolean is_posted; /* they will be */
  guint n_open;       /* sites that are not closed yet, while it closes */
  SatinDoneFunc done; /* (nullable): it is being closed */
  gpointer done_data;
};

struct _Site
{
  Ssh *ssh;               /* (borrowed) */
  const HostEntry *entry; /* (borrowed) */
  SshServer server;       /* (owned) its fields; the session's while there is one */
  SatinLeases *leases;    /* (owned) (nullable): %NULL once they are closed */
  GHashTable *machines;   /* of (owned) Machine, by number */
  guint64 n_machines;     /* that there ever were */
  Session *session;       /* (owned) (nullable) */
  char *folder;           /* (owned) (nullable): the session's, once it is ready */
  gint64 ready_us;        /* since when */
  GError *verdict;        /* (owned) (nullable): why it was given up */
  GPtrArray *remains;     /* (owned) of (owned) char*: folders that may have been left there */
  gboolean has_swept;     /* it was tried at the end to remove them */
  SatinTimerId sweeping;  /* of that */
  GError *trouble;        /* (owned) (nullable): what was wrong last */
  guint n_troubles;       /* in a row */
  gint64 rest_until_us;   /* so long it is left alone */
};

/* ---- orders.c: what the host asks for ---- */

void orders_request (Ssh *self, guint64 request_id, guint n, const char *cluster);
void orders_cancel (Ssh *self, guint64 request_id);
void orders_offers (Ssh *self, SatinOfferFunc func, gpointer user_data);
/* Of the books of all sites, with a Site. */
extern const SatinProvisionHost orders_host;
GHashTable *orders_new (void);

/* ---- site.c ---- */

Site *site_new (Ssh *ssh, const HostEntry *entry, const SatinParams *params);
void site_free (Site *self);
/* How many machines may be started there now; 0 while it is left alone. */
guint site_get_n_free (const Site *self);
/* When it is left alone, how long still; else 0. */
gint64 site_get_rest_us (const Site *self);
/* Begins a session, if there is none. */
void site_connect (Site *self);
/* It is good for nothing now: its session is ended, and all its machines. @error: (transfer full)
 */
void site_give_up (Site *self, GError *error);
/* Leaves it alone for a while, longer each time. */
void site_rest (Site *self, const GError *error);

/* ---- machine.c ---- */

/* Of the books of a site, with it. */
extern const SatinLeaseOps machine_ops;
GHashTable *machines_new (void);
/* The session is ready: those who waited are started. */
void machines_begin (Site *site);
void machines_answer (Site *site, const Answer *answer);
/* The session is over. */
void machines_fail (Site *site, const GError *error);

/* ---- close.c ---- */

void closing_begin (Ssh *self, SatinDoneFunc done, gpointer user_data);
/* The site's books are closed, or its session is over after that: what is next. */
void closing_go_on (Site *site);
/* All refusals were told. */
void closing_check (Ssh *self);
void ssh_free (Ssh *self);
