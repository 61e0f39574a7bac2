/* client-wants.c - the host's requests, kept until a commit writes them
 *
 * Each function notes the request and calls client_propose(), which writes it as soon as it can.
 *
 * "The host" is the code that uses this plugin; client.h gives an overview.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "client.h"

#include <string.h>

void
client_offer (Client *self)
{
  if (self->view.master != 0)
    return;
  self->is_offering = TRUE;
  client_propose (self);
}

void
client_say_leaving (Client *self, gint64 deadline_us)
{
  if (self->is_going)
    return;
  self->is_going = TRUE;
  self->leave_within_us = deadline_us;
  client_propose (self);
}

void
client_say (Client *self, SatinNodeId to, const char *word, GBytes *payload)
{
  ClientWord *said;
  gsize n_bytes = payload != NULL ? g_bytes_get_size (payload) : 0;

  g_return_if_fail (strlen (word) <= CLIENT_MAX_WORD_BYTES);
  g_return_if_fail (n_bytes <= CLIENT_MAX_PAYLOAD_BYTES);
  if (self->id == 0 || self->words.length >= CLIENT_MAX_WORDS)
    return;
  said = g_new0 (ClientWord, 1);
  said->to = to;
  said->word.serial = ++self->serial;
  said->word.word = g_strdup (word);
  said->word.payload =
      payload != NULL ? g_memdup2 (g_bytes_get_data (payload, NULL), n_bytes) : NULL;
  said->word.n_payload = n_bytes;
  g_queue_push_tail (&self->words, said);
  client_propose (self);
}

void
client_end (Client *self, int exit_status, const char *message)
{
  if (self->id == 0 || self->view.master != self->id || self->wants_end)
    {
      g_info ("node %u cannot end the run: the master is node %" G_GINT64_FORMAT, self->id,
              self->view.master);
      return;
    }
  g_autofree char *text = g_utf8_make_valid (message != NULL ? message : "", -1);
  if (strlen (text) > CLIENT_MAX_TEXT_BYTES)
    *g_utf8_find_prev_char (text, text + CLIENT_MAX_TEXT_BYTES) = '\0';
  self->wants_end = TRUE;
  self->wanted_end.exit_status = exit_status;
  self->wanted_end.message = g_steal_pointer (&text);
  client_propose (self);
}
