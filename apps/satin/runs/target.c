/* target.c - finds the run that a command works on: the run that the user named, or the only one
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "target.h"
#include "options/secret.h"

void
run_target_take (RunTarget *self, const RunInfo *info)
{
  self->hub = g_strdup (info->uri);
  self->secret_file = g_strdup (info->secret_file);
  self->is_insecure = info->secret_file == NULL && !g_str_has_prefix (info->uri, "unix:");
}

void
run_target_set_none (GError **error)
{
  g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
                       "no run of yours is under way on this machine; for one elsewhere give "
                       "--hub URI");
}

gboolean
run_target_find_one (RunTarget *self, GError **error)
{
  if (self->hub != NULL)
    return TRUE;
  g_autoptr (GPtrArray) runs = run_dir_list ();
  if (runs->len == 0)
    run_target_set_none (error);
  else if (runs->len > 1)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                 "%u runs are under way; name one with --hub, satin status lists them", runs->len);
  else
    run_target_take (self, g_ptr_array_index (runs, 0));
  return self->hub != NULL;
}

Session *
run_target_open (const RunTarget *self, GError **error)
{
  SatinSecret *secret = NULL;
  if (!secret_options_read (self->secret_file, SECRET_FD_NONE, self->is_insecure, &secret, error))
    return NULL;
  return session_open (self->hub, secret, self->is_insecure, error);
}

void
run_target_clear (RunTarget *self)
{
  g_free (self->hub);
  g_free (self->secret_file);
}
