/* story.h - stories of a storage and a disk, in which something goes wrong
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "play.h"

/* What a hook needs to know. */
typedef struct
{
  Play *play;
  guint call; /* in which the fault comes, counted from 1; 0: in none */
  SimFate fate;
  guint64 seed;
  gboolean has_come;
  char *where; /* (owned) (nullable): in which call the fault came */
} Fault;

/* The name of a call, and what it is about. Returns: (transfer full) */
char *story_describe (const Call *call);
/* Shows a call, if operations are shown. */
void story_show (const Play *play, const Call *call);
/* Random operations, up to the first one that fails, or in which the fault has come. Returns:
 * whether all succeeded */
gboolean story_storm (Play *play, guint n_steps, const gboolean *should_end);

/* A kind of story: @n stories, each worth a point. @run: runs story @number, from 1. */
typedef struct
{
  const char *name;
  guint n;
  void (*run) (Play *play, guint64 seed, guint number, gboolean is_shown);
} Kind;

/* cuts.c: one loss of power in each */
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
