/* failure.c - how the failure of a job travels to its owner
 *
 * An error travels to the job's owner with the name of its domain, its code and its message. So a
 * program can tell its own errors apart wherever the job ran, and its exit status is the same. All
 * texts are bounded, and bytes that are not UTF-8 are replaced: the owner could not read such a
 * message, and the thief would send it again and again. A domain name that is new to this process
 * becomes a quark, which is never freed. So a node accepts only a few new names from other nodes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

#define DOMAIN_MAX_BYTES  256
#define MESSAGE_MAX_BYTES ((gsize)4096)
/* The most new domain names that this node accepts from others. */
#define MAX_NEW_DOMAINS 64

/* Returns: (transfer full) (nullable): @message as valid UTF-8 of bounded length */
static char *
bound_message (const char *message)
{
  if (message == NULL)
    return NULL;
  gsize n_bytes = strlen (message);
  gboolean is_cut = n_bytes > MESSAGE_MAX_BYTES;
  g_autofree char *text = g_utf8_make_valid (message, MIN (n_bytes, MESSAGE_MAX_BYTES));
  /* A replacement takes more bytes than the byte that it replaces. */
  is_cut |= strlen (text) > MESSAGE_MAX_BYTES;
  if (!is_cut)
    return g_steal_pointer (&text);
  const char *end =
      g_utf8_find_prev_char (text, text + MIN (strlen (text), MESSAGE_MAX_BYTES - strlen ("...")));
  return g_strdup_printf ("%.*s...", (int)(end != NULL ? end - text : 0), text);
}

/* Returns: the name of @domain in messages: "" for %SATIN_ERROR and 0; %NULL when its name cannot
 * travel */
static const char *
domain_name (GQuark domain)
{
  if (domain == 0 || domain == SATIN_ERROR)
    return "";
  const char *name = g_quark_to_string (domain);
  gboolean is_fit = name != NULL && *name != '\0' && strlen (name) <= DOMAIN_MAX_BYTES
                    && g_utf8_validate (name, -1, NULL);
  return is_fit ? name : NULL;
}

/* Returns: the domain that messages call @name (nullable); 0 when the name is not accepted */
static GQuark
read_domain (Steal *self, const char *name)
{
  if (name == NULL || *name == '\0')
    return SATIN_ERROR;
  if (strlen (name) > DOMAIN_MAX_BYTES)
    return 0;
  GQuark known = g_quark_try_string (name);
  if (known != 0)
    return known;
  if (self->n_new_domains >= MAX_NEW_DOMAINS)
    return 0;
  self->n_new_domains++;
  return g_quark_from_string (name);
}

void
steal_outcome_set_error (StealOutcome *self, const GError *error)
{
  self->status = STEAL_FAILED;
  self->domain = error->domain;
  self->code = error->code;
  self->message = error->message;
}

void
steal_failure_keep (Import *import, const StealOutcome *outcome)
{
  gboolean has_name = domain_name (outcome->domain) != NULL;
  import->domain = has_name ? outcome->domain : SATIN_ERROR;
  import->code = has_name ? outcome->code : SATIN_ERROR_JOB;
  import->message = bound_message (outcome->message);
}

void
steal_failure_write (const Import *import, StealResult *ret_result)
{
  ret_result->domain = domain_name (import->domain);
  ret_result->code = import->code;
  ret_result->message = import->message;
}

void
steal_failure_read (Steal *self, const StealResult *result, StealOutcome *ret_outcome)
{
  GQuark domain = read_domain (self, result->domain);
  ret_outcome->domain = domain != 0 ? domain : SATIN_ERROR;
  ret_outcome->code = domain != 0 ? result->code : SATIN_ERROR_JOB;
  ret_outcome->message = result->message;
}
