/* script.c - the orders for the warden on a host, and its answers
 *
 * The warden is a script that runs on the host, and starts and ends commands there (warden.sh).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "script.h"

#include <string.h>

/* There are no PIDs and no signals above these numbers. */
#define PID_MAX    ((guint64)1 << 30)
#define SIGNAL_MAX 64

/* ---- orders ---- */

static void
add_assignment (GString *script, const char *name, const char *value)
{
  g_autofree char *quoted = g_shell_quote (value);
  g_string_append_printf (script, "%s=%s ", name, quoted);
}

static void
add_words (GString *script, const char *const *words)
{
  for (guint i = 0; words != NULL && words[i] != NULL; i++)
    {
      g_autofree char *quoted = g_shell_quote (words[i]);
      g_string_append_printf (script, " %s", quoted);
    }
  g_string_append_c (script, '\n');
}

char *
script_begin (const ScriptPlace *place)
{
  g_autoptr (GString) script = g_string_new (NULL);
  add_assignment (script, "nonce", place->nonce);
  add_assignment (script, "parent", place->parent);
  add_assignment (script, "digest", place->digest);
  g_string_append_printf (script, "limit_s=%u patience_s=%u size=%" G_GUINT64_FORMAT "\nset --",
                          place->limit_s, place->patience_s, place->size_bytes);
  add_words (script, place->remains);
  g_string_append (script, warden_text);
  g_autofree char *encoded = g_base64_encode ((const guchar *)script->str, script->len);
  return g_strconcat (encoded, "\n", NULL);
}

/* Makes the script that becomes the command. Its $1 is the beginning of its files' names, and of
 * its mark, the variable SATIN_SSH_MACHINE. Its $2 is the user's umask. */
static char *
make_script (const ScriptCommand *command)
{
  GString *script = g_string_new ("umask \"$2\"\n");
  for (guint i = 0; command->variables != NULL && command->variables[i] != NULL; i++)
    {
      g_autofree char *quoted = g_shell_quote (command->variables[i]);
      g_string_append_printf (script, "export %s\n", quoted);
    }
  g_string_append_printf (script,
                          "export SATIN_SSH_MACHINE=\"$1/\"\n"
                          "printf 'runs %" G_GUINT64_FORMAT " %%s\\n' $$\n"
                          "exec </dev/null 2>\"$1.err\" || exit\n",
                          command->number);
  if (*command->output != '\0')
    {
      g_autofree char *quoted = g_shell_quote (command->output);
      g_string_append_printf (script, "exec >>%s 2>&1 || exit\n", quoted);
    }
  else
    g_string_append (script, "exec >/dev/null\n");
  g_string_append (script, "exec");
  add_words (script, command->arguments);
  return g_string_free (script, FALSE);
}

char *
script_start (const ScriptCommand *command)
{
  g_autofree char *script = make_script (command);
  g_autofree char *script64 = g_base64_encode ((const guchar *)script, strlen (script));
  g_autofree char *secret64 = NULL;
  if (command->secret != NULL)
    {
      gsize n_bytes;
      const guchar *bytes = g_bytes_get_data (command->secret, &n_bytes);
      secret64 = g_base64_encode (bytes, n_bytes);
    }
  /* An empty secret is sent as none: "-". */
  const char *secret = secret64 != NULL && *secret64 != '\0' ? secret64 : "-";
  char *order =
      g_strdup_printf ("start %" G_GUINT64_FORMAT " %s %s\n", command->number, secret, script64);
  if (secret64 != NULL)
    explicit_bzero (secret64, strlen (secret64));
  return order;
}

/* ---- answers ---- */

/* Takes a number and the space after it. Returns: whether there is a number */
static gboolean
take_number (const char **at, guint64 max, guint64 *ret_number)
{
  gsize n_bytes = strcspn (*at, " ");
  g_autofree char *word = g_strndup (*at, n_bytes);
  if (!g_ascii_string_to_unsigned (word, 10, 0, max, ret_number, NULL))
    return FALSE;
  *at += n_bytes;
  *at += **at == ' ';
  return TRUE;
}

static Answer
read_machine (AnswerKind kind, const char *at)
{
  const Answer none = { .kind = ANSWER_NONE, .text = "" };
  Answer answer = { .kind = kind };
  guint64 value = 0;
  if (!take_number (&at, G_MAXUINT64, &answer.number))
    return none;
  if (kind != ANSWER_REFUSED && !take_number (&at, kind == ANSWER_RUNS ? PID_MAX : 255, &value))
    return none;
  /* A PID of 0 or 1 is refused: a signal to it would reach other processes. */
  if (kind == ANSWER_RUNS && value < 2)
    return none;
  answer.value = (guint)value;
  answer.text = at;
  return answer;
}

/* Whether @path is a folder of a warden, so that it may be removed later. */
static gboolean
is_folder (const char *path)
{
  const char *name = strrchr (path, '/');
  return path[0] == '/' && g_str_has_prefix (name + 1, "satin-ssh-") && strchr (path, '\n') == NULL;
}

Answer
script_read (const char *line, const char *nonce)
{
  static const struct
  {
    const char *word;
    AnswerKind kind;
  } kinds[] = {
    { "hello ", ANSWER_HELLO },   { "folder ", ANSWER_FOLDER }, { "ready", ANSWER_READY },
    { "failed ", ANSWER_FAILED }, { "runs ", ANSWER_RUNS },     { "refused ", ANSWER_REFUSED },
    { "ended ", ANSWER_ENDED },   { "alive", ANSWER_ALIVE },    { "gone", ANSWER_GONE },
  };
  Answer answer = { .kind = ANSWER_NONE, .text = "" };
  const char *at = "";
  for (guint i = 0; i < G_N_ELEMENTS (kinds) && answer.kind == ANSWER_NONE; i++)
    if (g_str_has_prefix (line, kinds[i].word))
      {
        answer.kind = kinds[i].kind;
        at = line + strlen (kinds[i].word);
      }
  answer.text = at;
  if (answer.kind == ANSWER_RUNS || answer.kind == ANSWER_REFUSED || answer.kind == ANSWER_ENDED)
    return read_machine (answer.kind, at);
  if ((answer.kind == ANSWER_HELLO && !g_str_equal (at, nonce))
      || (answer.kind == ANSWER_FOLDER && !is_folder (at)))
    answer.kind = ANSWER_NONE;
  return answer;
}

char *
script_decode_said (const char *text)
{
  gsize n_bytes = 0;
  g_autofree guchar *bytes = g_base64_decode (text, &n_bytes);
  GString *said = g_string_sized_new (n_bytes);
  for (gsize i = 0; i < n_bytes; i++)
    if (bytes[i] != '\0')
      g_string_append_c (said, (char)bytes[i]);
  return g_string_free (said, FALSE);
}

int
script_wait_status (guint status)
{
  return status > 128 && status <= 128 + SIGNAL_MAX ? (int)status - 128 : (int)status << 8;
}
