/* engine.cc - CaDiCaL, searching one cube of a formula
 *
 * CaDiCaL writes the trace of its proof to a stream. Here the stream ends in a function that keeps
 * the lemmas, and drops the deletions: a clause that one search does not need any more may be one
 * that other searches begin with. By default CaDiCaL adds only clauses that unit propagation
 * confirms, so lemmas of several searches can stand in one proof.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "engine.h"

#include <cadical.hpp>

/* The letter with which a lemma begins in CaDiCaL's binary trace, and in proof.h. In the trace, any
 * other letter begins a deletion. A byte 0 ends a lemma or a deletion. */
#define TRACE_LEMMA 'a'

/* When the collected clauses of one length have this many literals, no more are collected. */
#define MAX_COLLECTED 40000

namespace
{

/* Collects learned clauses by their length, and counts all learned clauses. */
class Collector : public CaDiCaL::Learner
{
public:
  explicit Collector (guint longest) : max_length (longest)
  {
    for (guint i = 0; i <= max_length; i++)
      clauses[i] = g_array_new (FALSE, FALSE, sizeof (gint32));
  }

  ~Collector () override
  {
    for (guint i = 0; i <= max_length; i++)
      g_array_unref (clauses[i]);
  }

  bool
  learning (int size) override
  {
    n_learned++;
    length = static_cast<guint> (size);
    return length <= max_length && clauses[length]->len < MAX_COLLECTED;
  }

  void
  learn (int literal) override
  {
    g_array_append_vals (clauses[length], &literal, 1);
  }

  const guint max_length;
  GArray *clauses[ENGINE_MAX_LENGTH + 1];
  guint length = 0;
  gint64 n_learned = 0;
};

/* Where take_trace() is in the trace: between two lemmas or deletions, or in one of them. */
enum class Place
{
  BETWEEN,
  LEMMA,
  DELETION,
};

} /* namespace */

struct _Engine
{
  _Engine (gint32 n, guint max_length) : n_variables (n), collector (max_length) {}

  const gint32 n_variables;
  gint64 n_conflicts = 0;
  GByteArray *lemmas = nullptr; /* (owned) (nullable) */
  gsize max_proof_bytes = 0;
  bool is_cut = false;
  Place place = Place::BETWEEN;
  FILE *trace = nullptr; /* (owned) (nullable) */
  Collector collector;
  CaDiCaL::Solver *solver = nullptr; /* (owned) */
};

/* The function to which the stream of the trace writes. */
static ssize_t
take_trace (void *cookie, const char *bytes, size_t n_bytes)
{
  Engine *self = static_cast<Engine *> (cookie);

  for (size_t i = 0; i < n_bytes; i++)
    {
      guint8 byte = static_cast<guint8> (bytes[i]);
      if (self->place == Place::BETWEEN)
        self->place = byte == TRACE_LEMMA ? Place::LEMMA : Place::DELETION;
      else if (byte == 0 && self->place == Place::DELETION)
        {
          self->place = Place::BETWEEN;
          continue;
        }
      if (self->place != Place::LEMMA)
        continue;
      if (self->lemmas->len < self->max_proof_bytes)
        g_byte_array_append (self->lemmas, &byte, 1);
      else
        self->is_cut = true;
      if (byte == 0)
        self->place = Place::BETWEEN;
    }
  return static_cast<ssize_t> (n_bytes);
}

Engine *
engine_new (gint32 n_variables, guint max_length, gsize max_proof_bytes)
{
  Engine *self = new Engine (n_variables, MIN (max_length, ENGINE_MAX_LENGTH));

  self->solver = new CaDiCaL::Solver;
  self->solver->set ("quiet", 1);
  if (max_proof_bytes > 0)
    {
      cookie_io_functions_t functions = {};
      functions.write = take_trace;
      self->lemmas = g_byte_array_new ();
      self->max_proof_bytes = max_proof_bytes;
      self->trace = fopencookie (self, "w", functions);
      if (self->trace == nullptr)
        g_error ("no memory for a proof");
      self->solver->set ("binary", 1);
      self->solver->trace_proof (self->trace, "lemmas");
    }
  self->solver->connect_learner (&self->collector);
  self->solver->reserve (n_variables);
  return self;
}

void
engine_free (Engine *self)
{
  if (self == nullptr)
    return;
  self->solver->disconnect_learner ();
  delete self->solver;
  if (self->trace != nullptr)
    fclose (self->trace);
  if (self->lemmas != nullptr)
    g_byte_array_unref (self->lemmas);
  delete self;
}

void
engine_add (Engine *self, const gint32 *literals, gsize n_literals)
{
  for (gsize i = 0; i < n_literals; i++)
    self->solver->add (literals[i]);
}

EngineAnswer
engine_solve (Engine *self, const gint32 *cube, gsize n_cube, int n_conflicts)
{
  gint64 before = self->collector.n_learned;

  for (gsize i = 0; i < n_cube; i++)
    self->solver->assume (cube[i]);
  if (n_conflicts != ENGINE_NO_LIMIT)
    self->solver->limit ("conflicts", n_conflicts);
  int status = self->solver->solve ();
  gint64 n_learned = self->collector.n_learned - before;
  if (status == 0)
    self->n_conflicts += n_conflicts;
  else
    self->n_conflicts +=
        n_conflicts == ENGINE_NO_LIMIT ? n_learned : MIN (n_learned, gint64{ n_conflicts });
  return status == 10 ? ENGINE_SATISFIABLE : status == 20 ? ENGINE_UNSATISFIABLE : ENGINE_UNKNOWN;
}

gint64
engine_count_conflicts (const Engine *self)
{
  return self->n_conflicts;
}

void
engine_get_model (Engine *self, guint8 *ret_model)
{
  for (gint32 i = 1; i <= self->n_variables; i++)
    ret_model[i - 1] = self->solver->val (i) > 0;
}

GArray *
engine_get_core (Engine *self, const gint32 *cube, gsize n_cube)
{
  GArray *core = g_array_new (FALSE, FALSE, sizeof (gint32));

  for (gsize i = 0; i < n_cube; i++)
    if (self->solver->failed (cube[i]))
      g_array_append_vals (core, &cube[i], 1);
  return core;
}

GArray *
engine_get_learned (const Engine *self, guint max_length, gsize max_literals)
{
  GArray *out = g_array_new (FALSE, FALSE, sizeof (gint32));

  for (guint length = 1; length <= MIN (max_length, self->collector.max_length); length++)
    {
      const GArray *clauses = self->collector.clauses[length];
      gsize n = MIN (clauses->len / (length + 1), (max_literals - out->len) / (length + 1));
      g_array_append_vals (out, clauses->data, static_cast<guint> (n * (length + 1)));
    }
  return out;
}

const GByteArray *
engine_get_lemmas (Engine *self)
{
  self->solver->flush_proof_trace ();
  fflush (self->trace);
  return self->lemmas;
}

gboolean
engine_is_proof_cut (const Engine *self)
{
  return self->is_cut;
}
