/* cloud.c - what to ask the metadata server of a cloud, one question after the other
 *
 * Sources: the manuals of Amazon EC2 (Instance Metadata Service Version 2, Spot Instance
 * interruption notices), Google Compute Engine (metadata server) and Azure (Scheduled Events).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cloud.h"

#include <string.h>

#define WORD_MAX_BYTES 1024

/* How long EC2 keeps a token, in seconds, and after what time this code asks for the next token. */
#define TOKEN_S       "21600"
#define TOKEN_HALF_US ((gint64)10800000000)

const char *const cloud_names[N_CLOUDS + 1] = { "ec2", "gcp", "azure", NULL };

typedef enum
{
  STEP_FIRST,  /* the token, or the name; nothing for GCP */
  STEP_SECOND, /* the notice */
  STEP_THIRD,  /* another kind of notice */
  STEP_OVER,
} Step;

struct _Cloud
{
  CloudOptions options;
  Step step;
  char *word; /* (owned) (nullable): EC2's token, or Azure's name of this machine */
  gint64 word_until_us;
  char *text;           /* (owned) (nullable): a string of the last question */
  gboolean has_cycled;  /* a cycle has ended with an answer to each question */
  gboolean was_refused; /* the token was refused in this cycle */
};

Cloud *
cloud_new (const CloudOptions *options)
{
  Cloud *self = g_new0 (Cloud, 1);
  self->options = *options;
  self->step = STEP_OVER;
  return self;
}

void
cloud_free (Cloud *self)
{
  if (self == NULL)
    return;
  g_free (self->word);
  g_free (self->text);
  g_free (self);
}

CloudKind
cloud_get_kind (const Cloud *self)
{
  return self->options.kind;
}

void
cloud_begin (Cloud *self)
{
  self->step = self->options.kind == CLOUD_GCP ? STEP_SECOND : STEP_FIRST;
  self->was_refused = FALSE;
}

/* ---- questions ---- */

/* Keeps @text (transfer full) until the next text is kept. Returns: @text */
static const char *
keep_text (Cloud *self, char *text)
{
  g_free (self->text);
  self->text = text;
  return text;
}

static void
ask_ec2 (Cloud *self, CloudQuestion *question)
{
  if (self->step == STEP_FIRST)
    {
      *question = (CloudQuestion){ "PUT", "/latest/api/token",
                                   "X-aws-ec2-metadata-token-ttl-seconds: " TOKEN_S, 0 };
      return;
    }
  const char *path = self->step == STEP_SECOND
                         ? "/latest/meta-data/spot/instance-action"
                         : "/latest/meta-data/events/recommendations/rebalance";
  const char *header =
      keep_text (self, g_strconcat ("X-aws-ec2-metadata-token: ", self->word, NULL));
  *question = (CloudQuestion){ "GET", path, header, 0 };
}

/* After the first complete cycle, asks the server to answer about preemption only when its value
 * changes, or after the length of a cycle (in whole seconds; if that is 0, it does not ask so). So
 * a notice comes at once. The server does not see a change between two questions: then its answer,
 * with the new value, comes after the length of a cycle. */
static void
ask_gcp (Cloud *self, CloudQuestion *question)
{
  static const char preempted[] = "/computeMetadata/v1/instance/preempted";
  static const char maintenance[] = "/computeMetadata/v1/instance/maintenance-event";
  *question = (CloudQuestion){ "GET", self->step == STEP_SECOND ? preempted : maintenance,
                               "Metadata-Flavor: Google", 0 };
  gint64 wait_s = self->options.every_us / G_USEC_PER_SEC;
  if (self->step != STEP_SECOND || !self->has_cycled || wait_s == 0)
    return;
  question->wait_us = wait_s * G_USEC_PER_SEC;
  question->path =
      keep_text (self, g_strdup_printf ("%s?wait_for_change=true&timeout_sec=%" G_GINT64_FORMAT,
                                        preempted, wait_s));
}

static void
ask_azure (Cloud *self, CloudQuestion *question)
{
  const char *path = self->step == STEP_FIRST
                         ? "/metadata/instance/compute/name?api-version=2021-02-01&format=text"
                         : "/metadata/scheduledevents?api-version=2020-07-01";
  *question = (CloudQuestion){ "GET", path, "Metadata: true", 0 };
}

/* Whether the cycle has a third question. */
static gboolean
has_third (const Cloud *self)
{
  return self->options.kind == CLOUD_GCP
         || (self->options.kind == CLOUD_EC2 && self->options.has_rebalance);
}

gboolean
cloud_next (Cloud *self, gint64 now_us, CloudQuestion *ret_question)
{
  if (self->step == STEP_FIRST && self->word != NULL && now_us < self->word_until_us)
    self->step = STEP_SECOND;
  if (self->step == STEP_THIRD && !has_third (self))
    self->step = STEP_OVER;
  if (self->step == STEP_OVER)
    {
      self->has_cycled = TRUE;
      return FALSE;
    }
  if (self->options.kind == CLOUD_EC2)
    ask_ec2 (self, ret_question);
  else if (self->options.kind == CLOUD_GCP)
    ask_gcp (self, ret_question);
  else
    ask_azure (self, ret_question);
  return TRUE;
}

/* ---- answers ---- */

static AnswerKind
take_word (Cloud *self, gint64 now_us, long status, const char *text, gsize n_bytes)
{
  g_free (self->word);
  self->word = status == 200 ? answers_read_word (text, n_bytes, WORD_MAX_BYTES) : NULL;
  self->word_until_us = self->options.kind == CLOUD_EC2 ? now_us + TOKEN_HALF_US : G_MAXINT64;
  return self->word != NULL ? ANSWER_NOTHING : ANSWER_WRONG;
}

/* Whether EC2 refuses the token, because it does not know the token any more. If so, the next
 * question asks for a new token, at most once in a cycle. */
static gboolean
is_token_refused (Cloud *self, long status)
{
  if (self->options.kind != CLOUD_EC2 || status != 401 || self->was_refused)
    return FALSE;
  self->was_refused = TRUE;
  g_clear_pointer (&self->word, g_free);
  self->step = STEP_FIRST;
  return TRUE;
}

static AnswerKind
take_ec2 (const Cloud *self, long status, const char *text, gsize n_bytes, CloudNotice *ret_notice)
{
  if (status == 404)
    return ANSWER_NOTHING;
  if (status != 200)
    return ANSWER_WRONG;
  return self->step == STEP_SECOND ? answers_read_ec2_action (text, n_bytes, ret_notice)
                                   : answers_read_ec2_rebalance (text, n_bytes, ret_notice);
}

/* Servers that imitate the one of GCP may not know maintenance events: they answer with 404. */
static AnswerKind
take_gcp (const Cloud *self, long status, const char *text, gsize n_bytes, CloudNotice *ret_notice)
{
  if (self->step == STEP_THIRD && status == 404)
    return ANSWER_NOTHING;
  if (status != 200)
    return ANSWER_WRONG;
  return self->step == STEP_SECOND ? answers_read_gcp_preempted (text, n_bytes, ret_notice)
                                   : answers_read_gcp_maintenance (text, n_bytes, ret_notice);
}

static AnswerKind
take_notice (Cloud *self, long status, const char *text, gsize n_bytes, CloudNotice *ret_notice)
{
  if (self->options.kind == CLOUD_EC2)
    return take_ec2 (self, status, text, n_bytes, ret_notice);
  if (self->options.kind == CLOUD_GCP)
    return take_gcp (self, status, text, n_bytes, ret_notice);
  return status == 200 ? answers_read_azure_events (text, n_bytes, self->word, ret_notice)
                       : ANSWER_WRONG;
}

AnswerKind
cloud_take (Cloud *self, gint64 now_us, long status, const char *text, gsize n_bytes,
            CloudNotice *ret_notice)
{
  AnswerKind kind;
  if (self->step == STEP_FIRST)
    kind = take_word (self, now_us, status, text, n_bytes);
  else if (is_token_refused (self, status))
    return ANSWER_NOTHING;
  else
    kind = take_notice (self, status, text, n_bytes, ret_notice);
  self->step = kind == ANSWER_WRONG ? STEP_OVER : self->step + 1;
  return kind;
}
