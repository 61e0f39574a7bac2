/* watch.c - asks a metadata server again and again whether this machine will be taken away
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "watch.h"

/* After so many failed cycles in a row, a warning tells people. */
#define FAILED_TOLD 3
/* The search ends after so many rounds in which no server has answered. A round begins with EC2. It
 * continues with the next cloud if a server answers, but not like a server of the current cloud. */
#define MAX_ROUNDS 2

typedef enum
{
  WATCH_SEARCHING, /* it is not known in which cloud this machine is */
  WATCH_ASKING,
  WATCH_OVER,
} WatchState;

struct _Watch
{
  SatinLoop *loop; /* (borrowed) */
  WatchOptions options;
  const WatchHost *host; /* (borrowed) */
  gpointer user_data;
  WatchState state;
  Cloud *cloud; /* (owned): the cloud that is asked */
  SatinTimerId timer;
  gint64 began_us; /* when the cycle began */
  guint n_rounds;  /* rounds of the search in which no server has answered */
  guint n_failed;  /* failed cycles in a row */
  WatchFigures figures;
};

static void begin (gpointer user_data);

static void
set_cloud (Watch *self, CloudKind kind)
{
  const CloudOptions options = { kind, self->options.every_us, self->options.has_rebalance };
  cloud_free (self->cloud);
  self->cloud = cloud_new (&options);
}

static const char *
get_name (const Watch *self)
{
  return cloud_names[cloud_get_kind (self->cloud)];
}

/* Begins the next cycle @every_us after the beginning of the current cycle, or now if that time has
 * passed. */
static void
begin_later (Watch *self)
{
  gint64 next_us = self->began_us + self->options.every_us;
  gint64 left_us = next_us - satin_loop_now_us (self->loop);
  self->timer = satin_loop_timer_add (self->loop, MAX (left_us, 0), begin, self);
}

static void
ask_next (Watch *self)
{
  CloudQuestion question;
  if (cloud_next (self->cloud, satin_loop_now_us (self->loop), &question))
    {
      self->figures.n_asked++;
      self->host->ask (&question, self->user_data);
      return;
    }
  if (self->n_failed >= FAILED_TOLD)
    g_message ("the metadata server of %s answers again", get_name (self));
  self->n_failed = 0;
  begin_later (self);
}

static void
begin (gpointer user_data)
{
  Watch *self = user_data;
  self->timer = 0;
  self->began_us = satin_loop_now_us (self->loop);
  cloud_begin (self->cloud);
  ask_next (self);
}

/* ---- the search ---- */

static void
give_up (Watch *self)
{
  g_debug ("no metadata server of a cloud is here; none is asked any more");
  self->state = WATCH_OVER;
}

/* Called when no server has answered, or only with an error of its own (5xx). Begins another round
 * later, because a server may still be starting; after the last round, gives up. */
static void
end_round (Watch *self)
{
  if (++self->n_rounds == MAX_ROUNDS)
    {
      give_up (self);
      return;
    }
  set_cloud (self, CLOUD_EC2);
  begin_later (self);
}

static void
search_on (Watch *self, long status)
{
  CloudKind next = cloud_get_kind (self->cloud) + 1;
  if (status == 0 || status >= 500)
    end_round (self);
  else if (next == N_CLOUDS)
    give_up (self);
  else
    {
      set_cloud (self, next);
      cloud_begin (self->cloud);
      ask_next (self);
    }
}

/* ---- answers ---- */

static void
fail (Watch *self, long status, const GError *error)
{
  g_autofree char *why = error != NULL   ? g_strdup (error->message)
                         : status == 200 ? g_strdup ("it gives an answer that makes no sense")
                                         : g_strdup_printf ("it answers with status %ld", status);
  self->figures.n_failed++;
  g_debug ("the metadata server of %s: %s", get_name (self), why);
  if (self->state == WATCH_SEARCHING)
    {
      search_on (self, status);
      return;
    }
  if (++self->n_failed == FAILED_TOLD)
    g_warning ("the metadata server of %s: %s; no notice can come before it answers",
               get_name (self), why);
  begin_later (self);
}

void
watch_answer (Watch *self, long status, const char *text, gsize n_bytes, const GError *error)
{
  CloudNotice notice;
  AnswerKind kind = ANSWER_WRONG;
  if (self->state == WATCH_OVER)
    return;
  if (error == NULL)
    kind = cloud_take (self->cloud, satin_loop_now_us (self->loop), status, text, n_bytes, &notice);
  if (kind == ANSWER_WRONG)
    {
      fail (self, status, error);
      return;
    }
  if (self->state == WATCH_SEARCHING)
    g_info ("this machine is in the cloud %s", get_name (self));
  self->state = WATCH_ASKING;
  if (kind == ANSWER_NOTHING)
    {
      ask_next (self);
      return;
    }
  self->state = WATCH_OVER;
  self->figures.n_notices++;
  self->host->noticed (&notice, self->user_data);
}

/* ---- life ---- */

Watch *
watch_new (SatinLoop *loop, const WatchOptions *options, const WatchHost *host, gpointer user_data)
{
  Watch *self = g_new0 (Watch, 1);
  *self = (Watch){ .loop = loop, .options = *options, .host = host, .user_data = user_data };
  self->state = options->cloud == N_CLOUDS ? WATCH_SEARCHING : WATCH_ASKING;
  set_cloud (self, options->cloud == N_CLOUDS ? CLOUD_EC2 : options->cloud);
  self->timer = satin_loop_timer_add (loop, 0, begin, self);
  return self;
}

void
watch_free (Watch *self)
{
  if (self == NULL)
    return;
  satin_loop_timer_cancel (self->loop, &self->timer);
  cloud_free (self->cloud);
  g_free (self);
}

gboolean
watch_is_over (const Watch *self)
{
  return self->state == WATCH_OVER;
}

WatchFigures
watch_get_figures (const Watch *self)
{
  return self->figures;
}
