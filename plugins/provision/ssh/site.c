/* site.c - a host: its session, and what happens when the session fails
 *
 * The warden is a script that runs on the host, and starts and ends commands there (warden.sh).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "provision-ssh.h"

/* How long a host rests (gets no machines) after its first error in a row, and the longest rest.
 * Each further error doubles the rest. */
#define REST_MIN_US ((gint64)5 * G_USEC_PER_SEC)
#define REST_MAX_US ((gint64)300 * G_USEC_PER_SEC)

/* ---- resting after errors ---- */

void
site_rest (Site *self, const GError *error)
{
  gint64 rest_us = REST_MIN_US << MIN (self->n_troubles, 10);
  self->n_troubles++;
  self->rest_until_us = satin_loop_now_us (self->ssh->loop) + MIN (rest_us, REST_MAX_US);
  g_clear_error (&self->trouble);
  self->trouble = g_error_copy (error);
}

gint64
site_get_rest_us (const Site *self)
{
  gint64 now_us = satin_loop_now_us (self->ssh->loop);
  return MAX (self->rest_until_us - now_us, 0);
}

static void
on_offer (const SatinOffer *offer, gpointer user_data)
{
  *(guint *)user_data = offer->n_machines;
}

guint
site_get_n_free (const Site *self)
{
  guint n_free = 0;
  gint64 rest_us = site_get_rest_us (self);
  if (rest_us == 0 && self->leases != NULL && self->verdict == NULL)
    satin_leases_offer (self->leases, self->entry->speed, on_offer, &n_free);
  return n_free;
}

/* ---- its session ---- */

static void
on_ready (Site *self, const char *folder)
{
  self->folder = g_strdup (folder);
  self->ready_us = satin_loop_now_us (self->ssh->loop);
  /* The warden has removed these folders before it was ready. */
  g_ptr_array_set_size (self->remains, 0);
  if (self->leases == NULL)
    session_close (self->session);
  else if (self->verdict == NULL)
    machines_begin (self);
}

static void
on_over (Site *self, const SessionEvent *event)
{
  g_autoptr (GError) verdict = g_steal_pointer (&self->verdict);
  g_autoptr (GError) closed = g_error_new (SATIN_ERROR, SATIN_ERROR_CLOSED,
                                           "%s: the session with it is over", self->entry->name);
  const GError *trouble = verdict != NULL ? verdict : event->error;
  /* After a session that worked for long, errors are counted from 0 again. */
  if (self->folder != NULL && satin_loop_now_us (self->ssh->loop) - self->ready_us > REST_MAX_US)
    self->n_troubles = 0;
  g_clear_pointer (&self->folder, g_free);
  g_clear_pointer (&self->session, session_free);
  if (event->text != NULL)
    g_ptr_array_add (self->remains, g_strdup (event->text));
  if (trouble != NULL)
    site_rest (self, trouble);
  machines_fail (self, trouble != NULL ? trouble : closed);
  if (self->leases == NULL)
    closing_go_on (self);
}

static void
on_event (Session *session, const SessionEvent *event, gpointer user_data)
{
  Site *self = user_data;
  switch (event->kind)
    {
    case SESSION_READY:
      on_ready (self, event->text);
      break;
    case SESSION_ANSWER:
      machines_answer (self, &event->answer);
      break;
    case SESSION_OVER:
      on_over (self, event);
      break;
    }
}

void
site_connect (Site *self)
{
  if (self->session != NULL)
    return;
  g_auto (GStrv) remains = g_new0 (char *, self->remains->len + 1);
  for (guint i = 0; i < self->remains->len; i++)
    remains[i] = g_strdup (g_ptr_array_index (self->remains, i));
  /* While closing, the session serves only to remove what was left, so it brings no program. */
  gboolean is_sweep = self->leases == NULL;
  const SessionPlace place = {
    .server = &self->server,
    .name = self->entry->name,
    .parent = self->ssh->parent,
    .pack = is_sweep || pack_is_empty (self->ssh->pack) ? NULL : self->ssh->pack,
    .remains = (const char *const *)remains,
    .patience_us = self->ssh->patience_us,
  };
  self->session = session_new (self->ssh->loop, &place, on_event, self);
}

void
site_give_up (Site *self, GError *error)
{
  if (self->verdict == NULL && self->session != NULL)
    {
      self->verdict = error;
      session_close (self->session);
    }
  else
    g_error_free (error);
}

/* ---- its life ---- */

static SshAddress *
copy_address (const SshAddress *address)
{
  SshAddress *copy = g_new0 (SshAddress, 1);
  copy->uri = g_strdup (address->uri);
  copy->user = g_strdup (address->user);
  copy->host = g_strdup (address->host);
  copy->port = address->port;
  copy->path = g_strdup (address->path);
  copy->known = g_strdup (address->known);
  return copy;
}

Site *
site_new (Ssh *ssh, const HostEntry *entry, const SatinParams *params)
{
  Site *self = g_new0 (Site, 1);
  const SatinLeaseLimits limits = {
    .prefix = entry->name,
    .cluster = entry->cluster,
    .n_machines = entry->n_slots,
    .n_starting = entry->n_slots,
  };
  self->ssh = ssh;
  self->entry = entry;
  ssh_server_init (&self->server, copy_address (entry->address), params, "commands");
  self->machines = machines_new ();
  self->remains = g_ptr_array_new_with_free_func (g_free);
  self->leases = satin_leases_new (ssh->loop, &limits, &orders_host, self, &machine_ops, self);
  return self;
}

void
site_free (Site *self)
{
  ssh_server_clear (&self->server);
  g_hash_table_unref (self->machines);
  g_ptr_array_unref (self->remains);
  g_clear_error (&self->trouble);
  g_clear_error (&self->verdict);
  g_free (self->folder);
  g_free (self);
}
