/* hosts.c - parses the file of hosts
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "hosts.h"

#include <math.h>
#include <satin/adapt/provision.h>
#include <string.h>
#include <sys/stat.h>

#define SHAPE "[user@]host[:port] [cluster=NAME] [slots=N] [speed=X]"

static void
entry_free (gpointer data)
{
  HostEntry *self = data;
  ssh_address_free (self->address);
  g_free (self->name);
  g_free (self->cluster);
  g_free (self);
}

static gboolean
refuse (const char *word, const char *what, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "\"%s\" %s: write %s", word, what, SHAPE);
  return FALSE;
}

static gboolean
take_host (HostEntry *self, const char *word, GError **error)
{
  const char *sign = strrchr (word, '@');
  if (sign != NULL && memchr (word, ':', (gsize)(sign - word)) != NULL)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "a password does not belong here, and none is ever used: put a key into "
                           "ssh-agent, or name one with key=FILE");
      return FALSE;
    }
  self->address = ssh_address_parse (word, "", SHAPE, error);
  if (self->address == NULL)
    return FALSE;
  self->name = g_strdup (sign != NULL ? sign + 1 : word);
  if (self->address->path[0] != '\0' || strpbrk (self->name, ";,\\") != NULL)
    return refuse (word, "names more than a host", error);
  return strlen (self->name) <= HOSTS_NAME_MAX || refuse (word, "is too long", error);
}

static gboolean
take_slots (HostEntry *self, const char *word, const char *value, GError **error)
{
  guint64 n;
  if (!g_ascii_string_to_unsigned (value, 10, 1, SATIN_PROVISION_MAX, &n, NULL))
    return refuse (word, "has no number from 1 to 4096", error);
  self->n_slots = (guint)n;
  return TRUE;
}

static gboolean
take_speed (HostEntry *self, const char *word, const char *value, GError **error)
{
  char *end;
  self->speed = g_ascii_strtod (value, &end);
  return (end != value && *end == '\0' && isfinite (self->speed) && self->speed > 0)
         || refuse (word, "has no number above 0", error);
}

static gboolean
take_word (HostEntry *self, const char *word, GError **error)
{
  const char *value = strchr (word, '=');
  if (self->address == NULL)
    return take_host (self, word, error);
  if (value != NULL && g_str_has_prefix (word, "slots="))
    return take_slots (self, word, value + 1, error);
  if (value != NULL && g_str_has_prefix (word, "speed="))
    return take_speed (self, word, value + 1, error);
  if (value == NULL || !g_str_has_prefix (word, "cluster="))
    return refuse (word, "is no property of a host", error);
  if (strpbrk (value, ";,\\") != NULL)
    return refuse (word, "has one of ; , \\, which divide parameters", error);
  g_free (self->cluster);
  self->cluster = g_strdup (value + 1);
  return TRUE;
}

/* Returns: %FALSE with @error; *@ret_entry is %NULL for a line without a host */
static gboolean
parse_line (const char *line, guint number, HostEntry **ret_entry, GError **error)
{
  g_auto (GStrv) words = g_strsplit_set (line, " \t\r", -1);
  HostEntry *entry = g_new0 (HostEntry, 1);
  gboolean is_good = TRUE;
  entry->line = number;
  entry->cluster = g_strdup ("");
  entry->n_slots = 1;
  for (guint i = 0; is_good && words[i] != NULL && words[i][0] != '#'; i++)
    is_good = words[i][0] == '\0' || take_word (entry, words[i], error);
  if (!is_good || entry->address == NULL)
    g_clear_pointer (&entry, entry_free);
  *ret_entry = entry;
  return is_good;
}

/* Refuses a host that is in the file twice: it would run more commands than it has slots, and
 * people could not tell its machines apart. */
static gboolean
check_name (GPtrArray *entries, const HostEntry *entry, GError **error)
{
  for (guint i = 0; i < entries->len; i++)
    {
      const HostEntry *other = g_ptr_array_index (entries, i);
      if (!g_str_equal (other->name, entry->name)
          && !g_str_equal (other->address->known, entry->address->known))
        continue;
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "%s is in line %u already: give that one more slots", entry->name, other->line);
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_text (const char *text, gsize n_bytes, GError **error)
{
  if (g_utf8_validate (text, (gssize)n_bytes, NULL))
    return TRUE;
  g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID, "it is no text in UTF-8");
  return FALSE;
}

static gboolean
add_line (GPtrArray *entries, const char *line, guint number, GError **error)
{
  HostEntry *entry;
  if (!parse_line (line, number, &entry, error))
    return FALSE;
  if (entry == NULL)
    return TRUE;
  gboolean is_new = check_name (entries, entry, error);
  if (is_new)
    g_ptr_array_add (entries, entry);
  else
    entry_free (entry);
  return is_new;
}

GPtrArray *
hosts_parse (const char *path, const char *text, gsize n_bytes, GError **error)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func (entry_free);
  if (!check_text (text, n_bytes, error))
    {
      g_prefix_error (error, "%s: ", path);
      return NULL;
    }
  g_autofree char *copy = g_strndup (text, n_bytes);
  g_auto (GStrv) lines = g_strsplit (copy, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (!add_line (entries, lines[i], i + 1, error))
      {
        g_prefix_error (error, "%s:%u: ", path, i + 1);
        return NULL;
      }
  if (entries->len > 0 && entries->len <= SATIN_PROVISION_MAX)
    return g_steal_pointer (&entries);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "%s: it names %u hosts, and from 1 to %d can be used: write a line for each, %s",
               path, entries->len, SATIN_PROVISION_MAX, SHAPE);
  return NULL;
}

GPtrArray *
hosts_read (const char *path, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) local = NULL;
  gsize n_bytes;
  struct stat status;
  gboolean is_there = stat (path, &status) == 0 && S_ISREG (status.st_mode);
  if (is_there && status.st_size > (off_t)HOSTS_FILE_MAX)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT, "%s: it is larger than %u KiB", path,
                   (guint)(HOSTS_FILE_MAX / 1024));
      return NULL;
    }
  if (is_there && g_file_get_contents (path, &text, &n_bytes, &local))
    return hosts_parse (path, text, n_bytes, error);
  if (local != NULL)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot read the hosts: %s", local->message);
  else
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND, "there is no file of hosts %s", path);
  return NULL;
}
