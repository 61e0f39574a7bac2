/* script.h - what is said to the warden on a host, and what it answers
 *
 * Pure functions. warden.sh has the orders and the answers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt/provision.h>

/* What is run on the host, by whichever shell the user has: takes the warden from the first line
 * of its input. */
#define SCRIPT_COMMAND                                                                             \
  "exec sh -c 'read -r script && eval \"$(printf %s \"$script\" | base64 -d)\"'"

/* Bytes of a line of the warden. */
#define SCRIPT_LINE_MAX ((gsize)4096)

/* warden.sh, put into a variable by meson. */
extern const char warden_text[];

/**
 * ScriptPlace:
 * @nonce: by which the warden's hello is told from what a login prints
 * @parent: folder there in which its own is made, "" for that of temporary files
 * @limit_s: it ends by itself when it has heard nothing for so long, or twice that
 * @patience_s: so long the archive may take
 * @size_bytes: of the archive that follows, 0 for none
 * @digest: of it, SHA-256
 * @remains: (array zero-terminated=1): folders that earlier ones may have left
 *
 * What the warden must know.
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
 * @number: of the machine
 * @arguments: (array zero-terminated=1): with names put in
 * @variables: (array zero-terminated=1): KEY=VALUE
 * @output: file there for what the command prints, "" for none
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

/* Returns: (transfer full): the order to start it */
char *script_start (const ScriptCommand *command);

typedef enum
{
  ANSWER_NONE, /* no answer of the warden */
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
 * @number: of the machine, if it is about one
 * @value: RUNS: the PID, above 1. ENDED: the status, in [0, 255]
 * @text: (borrowed from the line): FOLDER: its path. FAILED, REFUSED: the reason. ENDED: what the
 *   command complained of, or ""
 */
typedef struct
{
  AnswerKind kind;
  guint64 number;
  guint value;
  const char *text;
} Answer;

/* @line: in UTF-8, without its end. */
Answer script_read (const char *line, const char *nonce);

/* Returns: the end of a command as waitpid() tells it; a shell has only 128 and the signal */
int script_wait_status (guint status);
