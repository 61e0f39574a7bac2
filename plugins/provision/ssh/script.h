/* script.h - the orders for the warden on a host, and its answers
 *
 * The warden is a shell script that starts and ends commands on the host; warden.sh documents its
 * orders and answers. These functions are pure.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt/provision.h>

/* The command that ssh runs on the host, in the user's login shell. It reads the warden's script
 * from the first line of its input. */
#define SCRIPT_COMMAND                                                                             \
  "exec sh -c 'read -r script && eval \"$(printf %s \"$script\" | base64 -d)\"'"

/* The most bytes of a line from the warden. */
#define SCRIPT_LINE_MAX ((gsize)4096)

/* The text of warden.sh, put into a variable by meson. */
extern const char warden_text[];

/**
 * ScriptPlace:
 * @nonce: distinguishes the warden's hello from the output of the login
 * @parent: folder on the host for the warden's own folder, "" for the folder of temporary files
 * @limit_s: the warden ends when it has got no order "alive" for between @limit_s and twice
 *   @limit_s
 * @patience_s: how long the archive may take to arrive
 * @size_bytes: size of the archive that follows, 0 for none
 * @digest: SHA-256 digest of the archive
 * @remains: (array zero-terminated=1): folders that earlier wardens may have left
 *
 * The settings of the warden.
 */
typedef struct
{
  const char *nonce;
  const char *parent;
  guint limit_s;
  guint patience_s;
  guint64 size_bytes;
  const char *digest;
  const char *const *remains;
} ScriptPlace;

/* Returns: (transfer full): the first line of the warden's input */
char *script_begin (const ScriptPlace *place);

/**
 * ScriptCommand:
 * @number: the machine's number
 * @arguments: (array zero-terminated=1): with the placeholders replaced
 * @variables: (array zero-terminated=1): KEY=VALUE
 * @output: file on the host for the command's output, "" for none
 * @secret: (nullable)
 *
 * A command to start.
 */
typedef struct
{
  guint64 number;
  const char *const *arguments;
  const char *const *variables;
  const char *output;
  GBytes *secret;
} ScriptCommand;

/* Returns: (transfer full): the order that starts @command */
char *script_start (const ScriptCommand *command);

typedef enum
{
  ANSWER_NONE, /* not an answer of the warden */
  ANSWER_HELLO,
  ANSWER_FOLDER,
  ANSWER_READY,
  ANSWER_FAILED,
  ANSWER_RUNS,
  ANSWER_REFUSED,
  ANSWER_ENDED,
  ANSWER_ALIVE,
  ANSWER_GONE,
} AnswerKind;

/**
 * Answer:
 * @number: the machine's number, if the answer is about a machine
 * @value: RUNS: the PID, above 1. ENDED: the status, in [0, 255]
 * @text: (borrowed from the line): FOLDER: its path. FAILED, REFUSED: the reason. ENDED: the end
 *   of the command's standard error in base64, see script_decode_said()
 */
typedef struct
{
  AnswerKind kind;
  guint64 number;
  guint value;
  const char *text;
} Answer;

/* @line: in UTF-8, without its end. Returns: kind ANSWER_NONE when the line is not an answer */
Answer script_read (const char *line, const char *nonce);

/* @text: base64. Returns: (transfer full): what it says, without bytes 0 */
char *script_decode_said (const char *text);

/* @status: the exit status that a shell reports, 128 + N for signal N. Returns: the wait status
 * that waitpid() would give */
int script_wait_status (guint status);
