/* checkpoint.c - `satin checkpoint`: inspects the checkpoint of a run, and copies it elsewhere
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint.h"
#include "screen/background.h"
#include "options/checkpoint.h"
#include "command.h"
#include "runs/figures.h"

#include <satin/base/atomic.h>

static const char details[] =
    "A checkpoint is a folder in a storage, with the results of a run that has not ended yet.\n"
    "URI names it as --checkpoint of satin run does: file:/path, sftp://user@host/path and\n"
    "others. The same run with the same folder continues from there.\n\n"
    "  list URI          its logs, and what is in them\n"
    "  show URI          the results that count, by task and depth\n"
    "  verify URI        whether all of it can be read\n"
    "  compact URI       makes it smaller\n"
    "  export URI FILE   writes it into an archive, FILE.tar.zst, or for other tools\n"
    "  import FILE URI   fills an empty folder from one\n\n"
    "  satin checkpoint WHAT --help   its options\n\n"
    "Examples:\n"
    "  satin checkpoint list file:/var/runs/tsp\n"
    "  satin checkpoint verify --storage key=/root/key sftp://backup.example.org/tsp\n"
    "  satin checkpoint export file:/var/runs/tsp tsp.tar.zst\n"
    "  satin checkpoint import tsp.tar.zst file:/home/ann/tsp";

static const char list_details[] =
    "Prints a line for each log: its size, the node that wrote it, when that node began, how many\n"
    "results are in it, how many bytes are damaged, and its program. A log is covered when other\n"
    "logs have all of it that counts: it will be removed, and damage in it does not matter.\n"
    "Results above 1 MiB are not read.\n\n"
    "Example:\n"
    "  satin checkpoint list file:/var/runs/tsp";

static const char show_details[] =
    "A run that continues from the checkpoint finds the results that are counted here. A result\n"
    "below another one is not needed any more and does not count. Depth is the number of levels\n"
    "between a job and the root job; bytes are those of results.\n\n"
    "Examples:\n"
    "  satin checkpoint show file:/var/runs/tsp\n"
    "  satin checkpoint show --json file:/var/runs/tsp";

static const char verify_details[] =
    "Reads every result and compares all check sums. Prints log, offset and bytes of each damaged\n"
    "piece; then the exit status is 12. Nothing is changed: a run that continues from here uses\n"
    "all that can be read, and does the rest again.\n\n"
    "Example:\n"
    "  satin checkpoint verify file:/var/runs/tsp";

static const char compact_details[] =
    "Copies what counts into a new log, reads that again, and removes the others. A run does so\n"
    "by itself. No run may use the folder meanwhile: it would lose results. A run that uses it\n"
    "has a lease there, a small file that changes every second. If there is a lease, the command\n"
    "waits 4 seconds; if the lease changes, nothing is done without --force.\n\n"
    "Example:\n"
    "  satin checkpoint compact file:/var/runs/tsp";

static const char export_details[] =
    "Writes a list of the logs with sizes and SHA-256, then the logs, compressed. tar can read\n"
    "the archive. FILE gets its name when it is complete. A run may use the folder meanwhile:\n"
    "results that it stores after the beginning are left out.\n\n"
    "With --avro the results are written for other tools, without the logs: FILE is a folder,\n"
    "which gets an Avro object container file TASK.avro for each task. A row has the job's\n"
    "arguments and result, with the types that they have in the program. If something is damaged,\n"
    "the rest is written, and the exit status is 12.\n\n"
    "Examples:\n"
    "  satin checkpoint export sftp://backup.example.org/tsp tsp.tar.zst\n"
    "  satin checkpoint export --avro file:/var/runs/tsp results";

static const char import_details[] =
    "The whole archive is checked before anything is written. The folder is made if it does not\n"
    "exist; a folder with logs that are not in the archive is refused. If the import was stopped,\n"
    "the same command continues it.\n\n"
    "Example:\n"
    "  satin checkpoint import tsp.tar.zst file:/home/ann/tsp";

/* Options and arguments that only some of the commands have. */
enum
{
  HAS_FORCE = 1,
  HAS_JSON = 2,
  HAS_FILE = 4,       /* the path of an archive, or of a folder with --avro, after the URI */
  HAS_FILE_FIRST = 8, /* the path of an archive before the URI */
  HAS_AVRO = 16,
};

typedef struct
{
  const char *name;
  const char *usage;
  const char *summary;
  const char *details;
  const char *advice; /* text for the user after a signal */
  guint has;
  gboolean may_make; /* create the folder if it is missing */
  gboolean (*prepare) (CheckpointCommand *self, GError **error); /* (nullable) */
  gboolean (*work) (CheckpointCommand *self, GError **error);
} Verb;

static const Verb verbs[] = {
  { "list", "URI", "Lists the logs of a checkpoint.", list_details, "nothing was changed", 0, FALSE,
    NULL, checkpoint_list },
  { "show", "URI", "Shows which results of a checkpoint count.", show_details,
    "nothing was changed", HAS_JSON, FALSE, NULL, checkpoint_show },
  { "verify", "URI", "Checks whether all of a checkpoint can be read.", verify_details,
    "nothing was changed", 0, FALSE, NULL, checkpoint_verify },
  { "compact", "URI", "Makes a checkpoint smaller.", compact_details,
    "all results are there; the same command begins anew", HAS_FORCE, FALSE, NULL,
    checkpoint_compact },
  { "export", "URI FILE", "Writes a checkpoint into an archive, or its results for other tools.",
    export_details, "what is written is not complete", HAS_FORCE | HAS_FILE | HAS_AVRO, FALSE, NULL,
    checkpoint_export },
  { "import", "FILE URI", "Makes a checkpoint from an archive.", import_details,
    "the same command goes on where it was", HAS_FILE_FIRST, TRUE, checkpoint_prepare_import,
    checkpoint_import },
};

static gboolean
parse (CheckpointCommand *self, const Verb *verb, int *argc, char ***argv, GError **error)
{
  g_autofree char *name = g_strconcat ("checkpoint ", verb->name, NULL);
  gboolean has_file = (verb->has & (HAS_FILE | HAS_FILE_FIRST)) != 0;
  GOptionEntry entries[6] = {
    { "storage", 0, 0, G_OPTION_ARG_FILENAME, &self->storage_params, "Parameters of the storage",
      "KEY=VALUE,..." },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &self->is_quiet, "No line of progress", NULL },
  };
  const GOptionEntry force = { "force",
                               'f',
                               0,
                               G_OPTION_ARG_NONE,
                               &self->is_forced,
                               has_file ? "Replace a file that is there"
                                        : "Do not check whether a run uses the folder",
                               NULL };
  const GOptionEntry json = { "json", 0, 0, G_OPTION_ARG_NONE, &self->is_json, "As JSON", NULL };
  const GOptionEntry avro = { "avro",
                              0,
                              0,
                              G_OPTION_ARG_NONE,
                              &self->is_avro,
                              "Write the results as Avro files into the folder FILE",
                              NULL };
  if (verb->has & HAS_FORCE)
    entries[2] = force;
  if (verb->has & HAS_JSON)
    entries[2] = json;
  if (verb->has & HAS_AVRO)
    entries[3] = avro;
  const CommandSyntax syntax = {
    .name = name,
    .usage = verb->usage,
    .summary = verb->summary,
    .details = verb->details,
    .options = entries,
    .n_words_min = has_file ? 2 : 1,
    .n_words_max = has_file ? 2 : 1,
  };
  return command_parse (&syntax, argc, argv, error);
}

/* ---- running a command ---- */

typedef struct
{
  CheckpointCommand command;
  const Verb *verb; /* (borrowed) */
} Running;

static gboolean
work (gpointer user_data, GError **error)
{
  Running *self = user_data;
  return self->verb->work (&self->command, error);
}

static void
interrupt (gpointer user_data)
{
  CheckpointCommand *self = &((Running *)user_data)->command;
  SATIN_STORE (&self->is_stopped, TRUE);
  if (self->storage->ops.interrupt != NULL)
    self->storage->ops.interrupt (self->storage->handle);
}

static char *
describe (gpointer user_data, gint64 elapsed_us)
{
  CheckpointCommand *self = &((Running *)user_data)->command;
  guint64 n_total = SATIN_LOAD_RELAXED (&self->n_total);
  guint64 n_done = MIN (SATIN_LOAD_RELAXED (&self->n_done), n_total);
  if (n_total == 0)
    return g_strdup ("satin: looking");
  g_autofree char *total = figure_format_bytes ((double)n_total);
  g_autofree char *done = figure_format_bytes ((double)n_done);
  return g_strdup_printf ("satin: %u %%  %s of %s",
                          (guint)(100.0 * (double)n_done / (double)n_total), done, total);
}

static gboolean
run (Running *self, int *ret_status, GError **error)
{
  static const BackgroundFuncs funcs = { work, interrupt, describe };
  CheckpointCommand *command = &self->command;
  if (self->verb->prepare != NULL && !self->verb->prepare (command, error))
    return FALSE;
  command->storage =
      satin_storage_open (command->uri, command->storage_params, self->verb->may_make, error);
  if (command->storage == NULL)
    return FALSE;
  command->report = g_string_new (NULL);
  gboolean is_right =
      background_run (&funcs, self, command->is_quiet, self->verb->advice, ret_status, error);
  if (*ret_status == 0)
    g_print ("%s", command->report->str);
  return is_right;
}

static gboolean
run_verb (const Verb *verb, int argc, char **argv, int *ret_status, GError **error)
{
  Running self = { .verb = verb };
  CheckpointCommand *command = &self.command;
  gboolean is_right = parse (command, verb, &argc, &argv, error);
  if (is_right)
    {
      gboolean is_file_first = (verb->has & HAS_FILE_FIRST) != 0;
      command->uri = checkpoint_uri_complete (argv[is_file_first ? 2 : 1]);
      command->path = argc > 2 ? argv[is_file_first ? 1 : 2] : NULL;
      is_right = run (&self, ret_status, error);
    }
  g_clear_pointer (&command->storage, satin_storage_close);
  checkpoint_manifest_free (command->manifest);
  if (command->report != NULL)
    g_string_free (command->report, TRUE);
  g_free (command->storage_params);
  g_free (command->uri);
  return is_right;
}

gboolean
command_checkpoint (int argc, char **argv, int *ret_status, GError **error)
{
  const GOptionEntry no_options[] = { G_OPTION_ENTRY_NULL };
  const CommandSyntax syntax = {
    .name = "checkpoint",
    .usage = "list|show|verify|compact|export|import ...",
    .summary = "Lists, verifies and moves the results that a run has stored.",
    .details = details,
    .options = no_options,
    .n_words_min = 1,
    .n_words_max = G_MAXINT,
    .is_strict = TRUE,
  };
  *ret_status = 0;
  for (gsize i = 0; argc > 1 && i < G_N_ELEMENTS (verbs); i++)
    if (g_str_equal (argv[1], verbs[i].name))
      return run_verb (&verbs[i], argc - 1, argv + 1, ret_status, error);
  if (!command_parse (&syntax, &argc, &argv, error))
    return FALSE;
  return command_refuse (error, "checkpoint", "there is no \"%s\" for checkpoints", argv[1]);
}
