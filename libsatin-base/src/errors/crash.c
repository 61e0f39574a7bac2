/* crash.c - the report of a node that a job crashes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/run.h>

#include <signal.h>
#include <string.h>

/* The longest description of a job that a node sends. */
#define JOB_MAX_BYTES 1023

const char *
satin_crash_name (int signal_number)
{
  switch (signal_number)
    {
    case SIGSEGV:
      return "segmentation fault";
    case SIGABRT:
      return "aborted";
    case SIGBUS:
      return "bus error";
    case SIGILL:
      return "illegal instruction";
    case SIGFPE:
      return "arithmetic error";
    case SIGTRAP:
      return "trap";
    case SATIN_DEATH_OUT_OF_MEMORY:
      return "out of memory";
    default:
      return NULL;
    }
}

static gboolean
makes_sense (const SatinCrash *crash)
{
  gboolean has_owner = crash->owner >= 0 && crash->owner < G_MAXINT32;
  return crash->node > 0 && crash->node < G_MAXINT32
         && satin_crash_name (crash->signal_number) != NULL
         && (has_owner || crash->owner == SATIN_CRASH_NOBODY)
         && strlen (crash->job) <= JOB_MAX_BYTES && crash->memory_bytes >= 0;
}

gboolean
satin_crash_read (GBytes *payload, SatinCrash *ret_crash)
{
  gsize n_bytes = 0;
  const guint8 *bytes = payload != NULL ? g_bytes_get_data (payload, &n_bytes) : NULL;
  SatinCrash crash;
  g_autoptr (GError) error = NULL;
  if (!satin_record_decode (&SatinCrash_record, bytes, n_bytes, &crash, &error))
    {
      g_info ("a node's last words cannot be read: %s", error->message);
      return FALSE;
    }
  if (!makes_sense (&crash))
    {
      g_info ("a node's last words make no sense: node %" G_GINT64_FORMAT ", signal %d", crash.node,
              crash.signal_number);
      satin_record_clear (&SatinCrash_record, &crash);
      return FALSE;
    }
  *ret_crash = crash;
  return TRUE;
}

/* Returns: (transfer full): "signal 11 (segmentation fault)" or "lack of memory" */
static char *
describe_signal (int number)
{
  return number == SATIN_DEATH_OUT_OF_MEMORY
             ? g_strdup ("lack of memory")
             : g_strdup_printf ("signal %d (%s)", number, satin_crash_name (number));
}

char *
satin_crash_describe (const SatinCrash *crash)
{
  g_autofree char *cause = describe_signal (crash->signal_number);
  g_autofree char *memory =
      crash->memory_bytes > 0
          ? g_strdup_printf ("; it had %" G_GINT64_FORMAT " MiB", crash->memory_bytes >> 20)
          : g_strdup ("");
  return g_strdup_printf ("%s crashed node %" G_GINT64_FORMAT " by %s%s", crash->job, crash->node,
                          cause, memory);
}
