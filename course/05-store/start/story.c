/* story.c - runs stories of a storage on the simulated disk
 *
 *   story KIND [SEED [NUMBER]]
 *
 * For each story of a kind it prints "ok" and a number, or "lost", a number and the promise that
 * was broken. With a NUMBER it shows each operation and each call to the disk of that story.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "story.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

static const Kind kinds[] = {
  { "log", 10, cuts_log },     { "swap", 10, cuts_swap },      { "folder", 10, cuts_folder },
  { "storm", 10, cuts_storm }, { "reader", 1, faults_reader }, { "nervous", 8, faults_nervous },
  { "full", 5, faults_full },  { "errors", 5, faults_errors },
};

static const char *const call_names[N_CALLS] = {
  [CALL_OPEN] = "open",    [CALL_CLOSE] = "close",        [CALL_READ] = "pread",
  [CALL_WRITE] = "pwrite", [CALL_TRUNCATE] = "ftruncate", [CALL_LENGTH] = "length",
  [CALL_SYNC] = "fsync",   [CALL_RENAME] = "rename",      [CALL_UNLINK] = "unlink",
  [CALL_MKDIR] = "mkdir",  [CALL_LIST] = "list",
};

char *
story_describe (const Call *call)
{
  const char *name = call_names[MIN (call->kind, CALL_LIST)];
  if (call->kind == CALL_READ || call->kind == CALL_WRITE)
    return g_strdup_printf ("%s (%d) of %u bytes at %" G_GINT64_FORMAT, name, call->file,
                            call->n_bytes, call->offset);
  if (call->kind == CALL_RENAME)
    return g_strdup_printf ("%s %s to %s", name, call->path, call->other);
  if (call->path[0] != '\0')
    return g_strdup_printf ("%s %s%s", name, call->path,
                            (call->flags & O_TRUNC) != 0   ? " (truncates)"
                            : (call->flags & O_CREAT) != 0 ? " (creates)"
                                                           : "");
  return g_strdup_printf ("%s (%d)", name, call->file);
}

void
story_show (const Play *play, const Call *call)
{
  g_autofree char *text = play->is_shown ? story_describe (call) : NULL;
  if (text != NULL)
    g_print ("%5u   %s\n", play->n_calls, text);
}

/* ---- random operations ---- */

static gboolean
is_there (const Play *play, guint file)
{
  return model_now (&play->model, file)->is_there;
}

static gboolean
step (Play *play)
{
  guint file = play_draw (play, 0, N_FILES - 1), other = play_draw (play, 0, N_FILES - 1);
  guint action = play_draw (play, 0, 9), n_bytes = play_draw (play, 1, 3000);
  if (action >= 4 && action <= 6 && is_there (play, file))
    return play_sync (play, file);
  if (action == 7 && is_there (play, file) && file != other)
    return play_replace (play, file, other);
  if (action == 8 && is_there (play, file))
    return play_remove (play, file);
  if (action == 9 && is_there (play, file))
    return play_read (play, file);
  return play_append (play, file, n_bytes);
}

gboolean
story_storm (Play *play, guint n_steps, const gboolean *should_end)
{
  gboolean is_done = TRUE;
  for (guint i = 0; i < n_steps && is_done && !*should_end && play->offence == NULL; i++)
    is_done = step (play);
  return is_done;
}

/* ---- main ---- */

static void
run_one (const Kind *kind, guint64 seed, guint number, gboolean is_shown)
{
  Play play = { .ops = satin_plugin_desc ()->ops };
  kind->run (&play, seed * 1000 + number, number, is_shown);
  if (play.offence == NULL)
    g_print ("ok %u\n", number);
  else
    g_print ("lost %u %s\n", number, g_strdelimit (play.offence, "\r\n", ' '));
  g_free (play.offence);
}

int
main (int argc, char **argv)
{
  guint64 seed = argc > 2 ? strtoull (argv[2], NULL, 10) : 1;
  guint number = argc > 3 ? (guint)strtoul (argv[3], NULL, 10) : 0;
  if (argc > 1 && strcmp (argv[1], "cost") == 0)
    faults_cost (seed);
  else if (argc > 1 && strcmp (argv[1], "draw") == 0)
    cuts_draw (seed);
  for (gsize i = 0; argc > 1 && i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (argv[1], kinds[i].name) == 0 && number <= kinds[i].n)
      for (guint n = number > 0 ? number : 1; n <= (number > 0 ? number : kinds[i].n); n++)
        run_one (&kinds[i], seed, n, number > 0);
  if (argc < 2)
    g_printerr ("usage: story log|swap|folder|storm|reader|nervous|full|errors|cost|draw [SEED "
                "[NUMBER]]\n");
  return argc < 2 ? 2 : 0;
}
