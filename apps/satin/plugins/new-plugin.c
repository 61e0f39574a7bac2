/* new-plugin.c - `satin new-plugin`: makes the folder of a new plugin from a template
 *
 * For each kind in the table below there is a template: a small working plugin with its build file,
 * test and page. All files of the template are read and rewritten before the folder is made, so
 * that an error in the template leaves nothing behind.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#define MAX_NAME_BYTES 40

static const char details_format[] =
    "KIND     what the template does, and what yours does in its place\n"
    "  policy     asks the other nodes in turn: whom an idle node asks for work\n"
    "  transport  unix sockets: how bytes go from node to node\n"
    "  registry   a file that all nodes read and write: who is in the run, and who is its master\n"
    "  storage    files in a folder: where checkpoints lie\n"
    "  provision  processes of this machine: where nodes come from\n"
    "  adaptation keeps the efficiency between two thresholds: which nodes a run should have\n"
    "  part       counts nodes that join and leave: anything that a node does beside its work\n\n"
    "NAME has letters, digits and dashes. DIRECTORY is made (default: KIND-NAME).\n\n"
    "Example, a policy from nothing to a run:\n"
    "  satin new-plugin policy mine\n"
    "  cd policy-mine\n"
    "  meson setup build\n"
    "  meson test -C build\n"
    "  SATIN_PLUGIN_PATH=$PWD/build satin run -n 4 --stats --policy mine fib 40\n\n"
    "Then read its README.md: it says what to change. Templates lie in SATIN_TEMPLATE_DIR, or "
    "else in\n%s.";

/* The kinds that have a template, each with a command that uses the new plugin. */
static const struct
{
  const char *kind;
  const char *use; /* NAME stands for the plugin's name */
} kinds[] = {
  { "policy", "satin run -n 4 --stats --policy NAME fib 40" },
  { "transport", "satin run -n 4 --transport NAME fib 40" },
  { "registry", "satin inspect registry-NAME" },
  { "storage", "satin conformance storage-NAME uri=NAME:/tmp/files" },
  { "provision", "satin conformance provision-NAME max=8" },
  { "adaptation",
    "satin sim --clusters 1x2 --pool 1x8 --with adapt:policy=NAME,period=1s tree 60s" },
  { "part", "satin run -n 4 --stats-json figures.json --with NAME fib 40" },
};

/* A new plugin and the three forms of its name. */
typedef struct
{
  const char *kind; /* (borrowed, static) */
  const char *use;  /* (borrowed, static) */
  const char *name; /* (borrowed) "round-robin" */
  char *identifier; /* (owned) "round_robin" */
  char *type;       /* (owned) "RoundRobin" */
  char *folder;     /* (owned): the folder to make */
} NewPlugin;

/* One file of the new plugin. */
typedef struct
{
  char *file_name; /* (owned) */
  char *text;      /* (owned) */
} Page;

static void
page_free (gpointer data)
{
  Page *self = data;
  g_free (self->file_name);
  g_free (self->text);
  g_free (self);
}

static void
new_plugin_clear (NewPlugin *self)
{
  g_free (self->identifier);
  g_free (self->type);
  g_free (self->folder);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (NewPlugin, new_plugin_clear)

/* ---- names ---- */

static gboolean
check_kind (NewPlugin *self, const char *kind, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", kinds[i].kind);
      if (!g_str_equal (kinds[i].kind, kind))
        continue;
      self->kind = kinds[i].kind;
      self->use = kinds[i].use;
      return TRUE;
    }
  for (SatinPluginKind i = SATIN_PLUGIN_TRANSPORT; i < SATIN_PLUGIN_N_KINDS; i++)
    if (g_str_equal (satin_plugin_kind_name (i), kind))
      return command_refuse (error, "new-plugin",
                             "there is no template for the kind %s: the manual's guide for plugin "
                             "authors says what it needs. There are templates for %s",
                             kind, known->str);
  return command_refuse (error, "new-plugin", "there is no kind \"%s\": choose one of %s", kind,
                         known->str);
}

/* Warns if the new plugin would have the name of a plugin that is found already. */
static void
warn_of_namesake (const NewPlugin *self)
{
  SatinPluginKind kind = SATIN_PLUGIN_TRANSPORT;
  while (!g_str_equal (satin_plugin_kind_name (kind), self->kind))
    kind++;
  const SatinPlugin *other = satin_plugin_load (kind, self->name, NULL);
  if (other != NULL)
    g_printerr ("satin: there is a plugin %s-%s already, %s: the one in the first folder of "
                "SATIN_PLUGIN_PATH is used\n",
                self->kind, self->name, satin_plugin_get_path (other));
}

/* Checks the plugin's name, which becomes part of a file name, of C functions and of a type. */
static gboolean
check_name (const char *name, GError **error)
{
  gsize n_bytes = strlen (name);
  gboolean is_word = n_bytes >= 2 && n_bytes <= MAX_NAME_BYTES && g_ascii_islower (name[0])
                     && name[n_bytes - 1] != '-' && strstr (name, "--") == NULL
                     && strspn (name, "abcdefghijklmnopqrstuvwxyz0123456789-") == n_bytes;
  if (!is_word)
    return command_refuse (error, "new-plugin",
                           "\"%s\" cannot name a plugin: write 2 to %d small letters, digits and "
                           "single dashes, a letter first, as in round-robin",
                           name, MAX_NAME_BYTES);
  if (g_str_equal (name, "satin") || g_str_has_prefix (name, "satin-"))
    return command_refuse (error, "new-plugin",
                           "\"%s\" would take names of Satin's own functions: choose another",
                           name);
  return TRUE;
}

static char *
make_identifier (const char *name)
{
  return g_strdelimit (g_strdup (name), "-", '_');
}

static char *
make_type (const char *name)
{
  GString *type = g_string_new (NULL);
  for (const char *at = name; *at != '\0'; at++)
    if (*at != '-')
      g_string_append_c (type, at == name || at[-1] == '-' ? g_ascii_toupper (*at) : *at);
  return g_string_free (type, FALSE);
}

/* ---- texts ---- */

/* Replaces the word "template" by the plugin's name. "Template" becomes the type, "template_" the
 * identifier and "_", and any other "template" the name itself. */
static char *
rewrite (const NewPlugin *self, const char *text)
{
  GString *result = g_string_new (text);
  g_string_replace (result, "Template", self->type, 0);
  g_string_replace (result, "template_", "\001", 0);
  g_string_replace (result, "template", self->name, 0);
  g_autofree char *prefix = g_strconcat (self->identifier, "_", NULL);
  g_string_replace (result, "\001", prefix, 0);
  return g_string_free (result, FALSE);
}

static gboolean
read_page (const NewPlugin *self, const char *folder, const char *file_name, GPtrArray *pages,
           GError **error)
{
  g_autofree char *path = g_build_filename (folder, file_name, NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) local = NULL;
  if (!g_file_get_contents (path, &text, NULL, &local))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "the template cannot be read: %s",
                   local->message);
      return FALSE;
    }
  Page *page = g_new0 (Page, 1);
  page->file_name = rewrite (self, file_name);
  page->text = rewrite (self, text);
  g_ptr_array_add (pages, page);
  return TRUE;
}

/* Returns: (transfer full) (element-type Page): all files of the template, rewritten */
static GPtrArray *
read_template (const NewPlugin *self, GError **error)
{
  const char *root = g_getenv ("SATIN_TEMPLATE_DIR");
  g_autofree char *installed = satin_installed_path (SATIN_TEMPLATE_DIR);
  g_autofree char *folder = g_build_filename (root != NULL ? root : installed, self->kind, NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) pages = g_ptr_array_new_with_free_func (page_free);
  const char *file_name;
  while (dir != NULL && (file_name = g_dir_read_name (dir)) != NULL)
    if (!read_page (self, folder, file_name, pages, error))
      return NULL;
  if (pages->len > 0)
    return g_steal_pointer (&pages);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
               "there is no template in %s: install Satin whole, or set SATIN_TEMPLATE_DIR to a "
               "folder of templates",
               folder);
  return NULL;
}

/* ---- the folder ---- */

static gboolean
make_folder (const NewPlugin *self, GError **error)
{
  if (g_mkdir (self->folder, 0777) == 0)
    return TRUE;
  int failed_errno = errno;
  if (failed_errno == EEXIST)
    return command_refuse (error, "new-plugin",
                           "%s is there already and stays as it is: name another directory, or "
                           "remove it",
                           self->folder);
  g_set_error (error, SATIN_ERROR, failed_errno == ENOENT ? SATIN_ERROR_NOT_FOUND : SATIN_ERROR_IO,
               "cannot make the directory %s: %s", self->folder, g_strerror (failed_errno));
  return FALSE;
}

static gboolean
write_pages (const NewPlugin *self, const GPtrArray *pages, GError **error)
{
  for (guint i = 0; i < pages->len; i++)
    {
      const Page *page = g_ptr_array_index (pages, i);
      g_autofree char *path = g_build_filename (self->folder, page->file_name, NULL);
      g_autoptr (GError) local = NULL;
      if (!g_file_set_contents (path, page->text, -1, &local))
        {
          g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "%s: %s", path, local->message);
          return FALSE;
        }
    }
  return TRUE;
}

static void
print_next (const NewPlugin *self)
{
  gboolean is_plain = strpbrk (self->folder, " \t\n'\"\\$`&|;<>()*?[]#~!") == NULL;
  g_autofree char *folder = is_plain ? g_strdup (self->folder) : g_shell_quote (self->folder);
  g_autoptr (GString) use = g_string_new (self->use);
  g_string_replace (use, "NAME", self->name, 0);
  g_print ("%s is a working %s plugin. Build it, test it, use it:\n"
           "\n"
           "  cd %s\n"
           "  meson setup build\n"
           "  meson test -C build\n"
           "  export SATIN_PLUGIN_PATH=$PWD/build\n"
           "  %s\n"
           "\n"
           "README.md there says what to change.\n",
           self->folder, self->kind, folder, use->str);
}

gboolean
command_new_plugin (int argc, char **argv, int *ret_status, GError **error)
{
  const GOptionEntry entries[] = { G_OPTION_ENTRY_NULL };
  g_autofree char *installed = satin_installed_path (SATIN_TEMPLATE_DIR);
  g_autofree char *details = g_strdup_printf (details_format, installed);
  const CommandSyntax syntax = {
    .name = "new-plugin",
    .usage = "KIND NAME [DIRECTORY]",
    .summary =
        "Makes a directory with a small plugin that works, its tests, and notes on what to change.",
    .details = details,
    .options = entries,
    .n_words_min = 2,
    .n_words_max = 3,
  };
  g_auto (NewPlugin) self = { 0 };
  if (!command_parse (&syntax, &argc, &argv, error))
    return FALSE;
  if (!check_kind (&self, argv[1], error) || !check_name (argv[2], error))
    return FALSE;
  self.name = argv[2];
  self.identifier = make_identifier (self.name);
  self.type = make_type (self.name);
  self.folder = argc > 3 ? g_strdup (argv[3]) : g_strdup_printf ("%s-%s", self.kind, self.name);
  g_autoptr (GPtrArray) pages = read_template (&self, error);
  if (pages == NULL || !make_folder (&self, error) || !write_pages (&self, pages, error))
    return FALSE;
  warn_of_namesake (&self);
  print_next (&self);
  *ret_status = 0;
  return TRUE;
}
