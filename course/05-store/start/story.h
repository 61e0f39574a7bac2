/* story.h - stories of a storage and a disk, in which something goes wrong
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "play.h"

/* The fault of a story, for the hook that makes it come. */
typedef struct
{
  Play *play;
  guint call; /* the number of the call in which the fault comes, from 1; 0: none */
  SimFate fate;
  guint64 seed;
  gboolean has_come; /* the fault has come; in faults_nervous(): calls may fail with EINTR */
  char *where;       /* (owned) (nullable): describes the call in which the fault came */
} Fault;

/* Returns: (transfer full): the name of a call, and its file or paths */
char *story_describe (const Call *call);
/* Prints a call, if the play prints its operations. */
void story_show (const Play *play, const Call *call);
/* Does up to @n_steps random operations. Ends after one that fails or breaks a promise, or when
 * *@should_end is set: the fault has come. Returns: whether all succeeded */
gboolean story_storm (Play *play, guint n_steps, const gboolean *should_end);

/* A kind of story: @n stories, each worth a point. @run: runs story @number, from 1. */
typedef struct
{
  const char *name;
  guint n;
  void (*run) (Play *play, guint64 seed, guint number, gboolean is_shown);
} Kind;

/* cuts.c: stories in which the power fails */
void cuts_log (Play *play, guint64 seed, guint number, gboolean is_shown);
void cuts_swap (Play *play, guint64 seed, guint number, gboolean is_shown);
void cuts_folder (Play *play, guint64 seed, guint number, gboolean is_shown);
void cuts_storm (Play *play, guint64 seed, guint number, gboolean is_shown);
/* Prints points for chart.py: how many bytes of a log are there after a loss of power. */
void cuts_draw (guint64 seed);

/* faults.c */
void faults_reader (Play *play, guint64 seed, guint number, gboolean is_shown);
void faults_nervous (Play *play, guint64 seed, guint number, gboolean is_shown);
void faults_full (Play *play, guint64 seed, guint number, gboolean is_shown);
void faults_errors (Play *play, guint64 seed, guint number, gboolean is_shown);
/* Prints how many calls and bytes a story takes. */
void faults_cost (guint64 seed);
