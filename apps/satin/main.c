/* main.c - the command `satin`: runs the subcommand that the user named, and prints its error
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bench/bench.h"
#include "command.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

/* Only `satin` itself starts the commands without a summary. The list of commands omits them. */
static const struct
{
  const char *name;
  CommandFunc func;
  const char *summary;
} commands[] = {
  { "run", command_run, "run a program on several nodes of this machine" },
  { "hub", command_hub, "serve a run that nodes on many machines join" },
  { "node", command_node, "start one node, which joins a run" },
  { "sim", command_sim, "run a program on many nodes in simulated time" },
  { "status", command_status, "show the nodes of a running program" },
  { "top", command_top, "show what the nodes of a run do, refreshed in place" },
  { "why", command_why, "say what a run waits for" },
  { "dump", command_dump, "print what each node of a run has and waits for" },
  { "stacks", command_stacks, "print the C stacks of the nodes on this machine" },
  { "nodes", command_nodes, "list, add and remove nodes of a run" },
  { "leave", command_leave, "make nodes leave a run, which continues without them" },
  { "stop", command_stop, "stop a run that has a checkpoint, so that it can continue later" },
  { "migrate", command_migrate, "move a run to other nodes" },
  { "apps", command_apps, "list the applications that run finds by name" },
  { "inspect", command_inspect, "list the plugins and their parameters" },
  { "conformance", command_conformance, "check whether a plugin obeys the rules of its kind" },
  { "checkpoint", command_checkpoint, "list, verify and move the results that a run has stored" },
  { "journal", command_journal, "list the journals of runs, print one" },
  { "page", command_page, "show a run in the browser, while it runs or later" },
  { "report", command_report, "show a run as a web page" },
  { "trace", command_trace, "write a run as a trace for Perfetto" },
  { "copy", command_copy, "copy files from one storage to another" },
  { "new-plugin", command_new_plugin, "begin a new plugin from a template" },
  { "course", command_course, "assignments that grade themselves" },
  { "bench", command_bench, "measure what spawns, steals and messages cost on this machine" },
  { "bench-node", bench_node_main, NULL },
  { "bench-peer", bench_peer_main, NULL },
};

static void
print_usage (void)
{
  g_print ("Usage: satin COMMAND [OPTION...] [ARGUMENT...]\n"
           "\n"
           "Divide and conquer on one machine's cores or on many nodes.\n"
           "\n");
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    if (commands[i].summary != NULL)
      g_print ("  %-13s%s\n", commands[i].name, commands[i].summary);
  g_print ("\n"
           "  satin COMMAND --help   what a command does, its options, examples\n"
           "  satin --version\n"
           "\n"
           "Begin with:\n"
           "  satin apps\n"
           "  satin run fib 40\n"
           "  satin run -n 4 --stats fib 40\n");
}

static const CommandFunc *
find_command (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    if (g_str_equal (commands[i].name, name))
      return &commands[i].func;
  return NULL;
}

/* Turns "satin help run" into "satin run --help", and "satin help" into "satin --help". */
static void
turn_help_around (int *argc, char **argv)
{
  static char help[] = "--help";

  if (*argc == 2)
    {
      argv[1] = help;
      return;
    }
  argv[1] = argv[2];
  argv[2] = help;
  *argc = 3;
}

static int
run_command (int argc, char **argv)
{
  const CommandFunc *func = find_command (argv[1]);
  g_autoptr (GError) error = NULL;
  int status = 0;

  if (func == NULL)
    {
      g_printerr ("satin: there is no command \"%s\"; satin --help lists them, and a program is "
                  "started with satin run PROGRAM\n",
                  argv[1]);
      return 2;
    }
  if ((*func) (argc - 1, argv + 1, &status, &error))
    return status;
  g_printerr ("satin: %s\n", error->message);
  return satin_error_exit_status (error);
}

static int
run (int argc, char **argv)
{
  if (argc >= 2 && g_str_equal (argv[1], "help"))
    turn_help_around (&argc, argv);
  if (argc < 2)
    {
      g_printerr ("satin: a command is missing; satin --help lists them\n");
      return 2;
    }
  if (g_str_equal (argv[1], "--help") || g_str_equal (argv[1], "-h"))
    {
      print_usage ();
      return 0;
    }
  if (g_str_equal (argv[1], "--version"))
    {
      g_print ("satin " SATIN_VERSION "\n");
      return 0;
    }
  return run_command (argc, argv);
}

/* Closes standard output. Output that cannot be written makes the command fail. */
static int
close_output (int status)
{
  gboolean had_failed = ferror (stdout);
  errno = 0;
  if (fclose (stdout) == 0 && !had_failed)
    return status;
  g_autoptr (GError) error =
      g_error_new (SATIN_ERROR, SATIN_ERROR_IO, "cannot write to standard output: %s",
                   errno != 0 ? g_strerror (errno) : "a write has failed; is its disk full?");
  g_printerr ("satin: %s\n", error->message);
  return status != 0 ? status : satin_error_exit_status (error);
}

/* A message or warning of Satin is for people, so it is printed like an error message. Everything
 * else keeps the form that GLib gives it. */
static void
print_log (const char *domain, GLogLevelFlags level, const char *message, gpointer user_data)
{
  gboolean is_ours =
      domain != NULL && (g_str_equal (domain, "satin") || g_str_has_prefix (domain, "satin-"));
  if (is_ours && (level == G_LOG_LEVEL_WARNING || level == G_LOG_LEVEL_MESSAGE))
    g_printerr ("%s: %s\n", g_get_prgname () != NULL ? g_get_prgname () : "satin", message);
  else
    g_log_default_handler (domain, level, message, NULL);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  /* Without this call, GLib prints the messages of G_MESSAGES_DEBUG to standard output. */
  g_log_writer_default_set_use_stderr (TRUE);
  g_log_set_default_handler (print_log, NULL);
  return close_output (run (argc, argv));
}
