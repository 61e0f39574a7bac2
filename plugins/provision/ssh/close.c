/* close.c - closing: ends machines, then sessions, then removes what broken sessions have left
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "provision-ssh.h"

/* How long a host with a broken session has at the end to answer again, so that the folders left
 * there can be removed. */
#define SWEEP_US ((gint64)10 * G_USEC_PER_SEC)

/* Returns: (transfer full) (nullable): an error that names what may have been left behind */
static GError *
name_remains (Ssh *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < self->sites->len; i++)
    {
      const Site *site = g_ptr_array_index (self->sites, i);
      for (guint each = 0; each < site->remains->len; each++)
        g_string_append_printf (text, "%s%s on %s", text->len > 0 ? ", " : "",
                                (const char *)g_ptr_array_index (site->remains, each),
                                site->entry->name);
    }
  if (text->len == 0)
    return NULL;
  return g_error_new (SATIN_ERROR, SATIN_ERROR_IO,
                      "this may have been left behind, if it does not end by itself: %s",
                      text->str);
}

void
closing_check (Ssh *self)
{
  if (self->done == NULL || self->n_open > 0 || self->is_posted)
    return;
  SatinDoneFunc done = self->done;
  gpointer done_data = self->done_data;
  g_autoptr (GError) error = name_remains (self);
  ssh_free (self);
  done (error, done_data);
}

static void
on_sweep_time (gpointer user_data)
{
  Site *site = user_data;
  site->sweeping = 0;
  session_close (site->session);
}

void
closing_go_on (Site *site)
{
  satin_loop_timer_cancel (site->ssh->loop, &site->sweeping);
  if (site->session != NULL)
    {
      session_close (site->session);
      return;
    }
  if (site->remains->len > 0 && !site->has_swept)
    {
      site->has_swept = TRUE;
      site_connect (site);
      site->sweeping = satin_loop_timer_add (site->ssh->loop, SWEEP_US, on_sweep_time, site);
      return;
    }
  site->ssh->n_open--;
  closing_check (site->ssh);
}

static void
on_leases_closed (const GError *error, gpointer user_data)
{
  Site *site = user_data;
  site->leases = NULL;
  closing_go_on (site);
}

void
closing_begin (Ssh *self, SatinDoneFunc done, gpointer user_data)
{
  self->done = done;
  self->done_data = user_data;
  self->n_open = self->sites->len;
  for (guint i = 0; i < self->sites->len; i++)
    {
      Site *site = g_ptr_array_index (self->sites, i);
      satin_leases_close (site->leases, on_leases_closed, site);
    }
}

void
ssh_free (Ssh *self)
{
  g_ptr_array_unref (self->sites);
  g_hash_table_unref (self->orders);
  g_ptr_array_unref (self->entries);
  pack_free (self->pack);
  satin_start_free (self->start);
  g_free (self->parent);
  g_free (self->output);
  g_free (self);
}
