/* progress.c - how much of each job is done
 *
 * The estimate comes from the shape of the frontier: each child of a frame counts for the same
 * share of the frame. A *piece* is what one worker has of one job: the frames between two borders
 * of its deque. A walk notes every piece, with the children that others have taken out of it. The
 * share of a job that is done is the share of its own piece plus, for each child that was taken,
 * the share of that child.
 *
 *   worker 0 | border root   | done  taken -+  RUNNING | done  taken -----+
 *                                           |                             |
 *   worker 1 | border <---------------------+  done  RUNNING | ...        |
 *   a thief on another node says from time to time: "a third is done" <---+
 *
 * A walk does not see all workers at one instant, because each looks when it comes to a safe point.
 * So an estimate may be a little wrong, and a slot may even seem to lie in two pieces.
 *
 * Threads: as said for each function. The pool's lock guards PoolProgress.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* A child that another worker or node has. */
typedef struct
{
  const SatinSlot *slot;
  double weight; /* its share of the job of its piece */
} Taken;

/* A piece of a job: see the head of the file. Its taken children are the entries [first, end) of
 * @taken in the worker's Sight. */
typedef struct
{
  const SatinSlot *source; /* (nullable): the slot from which the job was taken */
  guint64 import_id;       /* the imported job that this is; 0: none */
  gboolean is_root;
  gboolean is_added; /* the shares of the taken children are in @done, or just being added */
  guint worker, first, end;
  double done;
} Piece;

/* What a walk has seen of one worker. */
typedef struct
{
  GArray *pieces; /* (owned) (nullable) of Piece, the oldest first */
  GArray *taken;  /* (owned) (nullable) of Taken */
  /* The frame at which the walk is. */
  guint depth;
  guint first_taken; /* index of the frame's first child in taken */
  guint n_jobs, n_done;
  double weight; /* the frame's share of the piece's job */
} Sight;

typedef struct
{
  SatinWorkers *pool;
  guint n;
  Sight sights[];
} ProgressWalk;

typedef struct
{
  guint64 import_id;
  double share;
} ImportShare;

typedef struct _PoolProgress
{
  gboolean is_asked;  /* a walk is on its way */
  ProgressWalk *seen; /* (owned) (nullable) the last walk, until it is evaluated */
  double root;        /* the largest share of a root job so far */
  GArray *imports;    /* (owned) of ImportShare: the imported jobs in the last walk */
  GHashTable *told;   /* (owned) SatinSlot to (owned) double: what thieves on other nodes said */
} PoolProgress;

/* ---- the walk ---- */

static void
walk_free (ProgressWalk *self)
{
  for (guint i = 0; self != NULL && i < self->n; i++)
    {
      g_clear_pointer (&self->sights[i].pieces, g_array_unref);
      g_clear_pointer (&self->sights[i].taken, g_array_unref);
    }
  g_free (self);
}

/* Ends the current frame. The next frame is that of its running child. */
static void
close_frame (Sight *self)
{
  if (self->n_jobs == 0)
    return;
  Piece *piece = &g_array_index (self->pieces, Piece, self->pieces->len - 1);
  self->weight /= self->n_jobs;
  piece->done += self->weight * self->n_done;
  for (guint i = self->first_taken; i < self->taken->len; i++)
    g_array_index (self->taken, Taken, i).weight = self->weight;
  self->first_taken = piece->end = self->taken->len;
  self->n_jobs = self->n_done = 0;
}

static void
begin_piece (Sight *self, guint worker, const SatinSlot *border)
{
  Piece piece = { .worker = worker };
  if (self->pieces == NULL)
    {
      self->pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
      self->taken = g_array_new (FALSE, FALSE, sizeof (Taken));
    }
  if (border != NULL && border->args[0] != 0)
    piece.source = border->result;
  else if (border != NULL)
    {
      const Job *job = border->result;
      piece.is_root = !job->is_remote;
      piece.import_id = job->is_remote ? jobs_get_import_id (job) : 0;
    }
  piece.first = piece.end = self->taken->len;
  g_array_append_val (self->pieces, piece);
  self->weight = 1;
}

static void
see_slot (Worker *worker, const WorkerSlot *at, gpointer user_data)
{
  ProgressWalk *walk = user_data;
  Sight *self = &walk->sights[worker->index];
  if (at->is_border || at->depth != self->depth)
    close_frame (self);
  self->depth = at->depth;
  if (at->is_border || self->pieces == NULL)
    begin_piece (self, worker->index, at->is_border ? at->slot : NULL);
  if (at->is_border)
    return;
  self->n_jobs++;
  self->n_done += at->state == SATIN_FRONTIER_DONE;
  if (at->state == SATIN_FRONTIER_STOLEN || at->is_awaited)
    g_array_append_val (self->taken, (Taken){ .slot = at->slot });
}

static void
walk_done (gpointer user_data)
{
  ProgressWalk *self = user_data;
  for (guint i = 0; i < self->n; i++)
    close_frame (&self->sights[i]);
  PoolProgress *progress = self->pool->progress;
  pthread_mutex_lock (&self->pool->lock);
  walk_free (progress->seen);
  progress->seen = self;
  progress->is_asked = FALSE;
  pthread_mutex_unlock (&self->pool->lock);
}

/* ---- adding up ---- */

typedef struct
{
  const ProgressWalk *walk;
  GHashTable *told;      /* (borrowed) */
  GHashTable *by_source; /* (owned) source to (borrowed) Piece */
} Sum;

/* Returns: the share of the piece's job that is done. If the job seems to lie in itself, the inner
 * piece counts with its own frames only. */
static double
add_up (const Sum *self, Piece *piece)
{
  if (piece->is_added)
    return piece->done;
  piece->is_added = TRUE;
  double done = piece->done;
  for (guint i = piece->first; i < piece->end; i++)
    {
      const Taken *taken = &g_array_index (self->walk->sights[piece->worker].taken, Taken, i);
      Piece *above = g_hash_table_lookup (self->by_source, taken->slot);
      const double *told = g_hash_table_lookup (self->told, taken->slot);
      if (above != NULL)
        done += taken->weight * add_up (self, above);
      else if (told != NULL)
        done += taken->weight * *told;
    }
  return piece->done = CLAMP (done, 0, 1);
}

static void
foreach_piece (const ProgressWalk *walk, void (*func) (Piece *piece, gpointer user_data),
               gpointer user_data)
{
  for (guint i = 0; i < walk->n; i++)
    for (guint j = 0; walk->sights[i].pieces != NULL && j < walk->sights[i].pieces->len; j++)
      func (&g_array_index (walk->sights[i].pieces, Piece, j), user_data);
}

static void
index_piece (Piece *piece, gpointer user_data)
{
  if (piece->source != NULL)
    g_hash_table_insert (user_data, (gpointer)piece->source, piece);
}

typedef struct
{
  Sum sum;
  PoolProgress *progress;
} Evaluation;

static void
evaluate_piece (Piece *piece, gpointer user_data)
{
  const Evaluation *self = user_data;
  PoolProgress *progress = self->progress;
  if (!piece->is_root && piece->import_id == 0)
    return;
  double done = add_up (&self->sum, piece);
  if (piece->is_root)
    progress->root = MAX (progress->root, done);
  else
    g_array_append_val (progress->imports, ((ImportShare){ piece->import_id, done }));
}

/* Call it with the pool's lock held. */
static void
evaluate (PoolProgress *self)
{
  if (self->seen == NULL)
    return;
  Evaluation evaluation = { .progress = self, .sum = { .walk = self->seen, .told = self->told } };
  evaluation.sum.by_source = g_hash_table_new (NULL, NULL);
  foreach_piece (self->seen, index_piece, evaluation.sum.by_source);
  g_array_set_size (self->imports, 0);
  foreach_piece (self->seen, evaluate_piece, &evaluation);
  g_hash_table_unref (evaluation.sum.by_source);
  g_clear_pointer (&self->seen, walk_free);
}

double
satin_workers_progress (SatinWorkers *self)
{
  g_return_val_if_fail (self != NULL, 0);
  pthread_mutex_lock (&self->lock);
  evaluate (self->progress);
  double progress = self->progress->root;
  gboolean is_asked = self->progress->is_asked;
  self->progress->is_asked = TRUE;
  pthread_mutex_unlock (&self->lock);
  if (is_asked)
    return progress;
  guint n_most = SATIN_LOAD_RELAXED (&self->n_most);
  ProgressWalk *walk = g_malloc0 (sizeof (ProgressWalk) + n_most * sizeof (Sight));
  walk->pool = self;
  walk->n = n_most;
  pool_see (self, see_slot, walk_done, walk);
  return progress;
}

/* ---- jobs on other nodes ---- */

void
jobs_note_progress (gpointer data, gpointer handle, double share)
{
  Jobs *self = data;
  ExportedJob *exported = handle;
  double *told = g_new (double, 1);
  *told = exported->share = share;
  pthread_mutex_lock (&self->pool->lock);
  g_hash_table_insert (self->pool->progress->told, exported->slot, told);
  pthread_mutex_unlock (&self->pool->lock);
}

/* Forgets what the thief of a job has said, because the thief does not have the job any more. */
void
jobs_forget_progress (Jobs *self, const ExportedJob *exported)
{
  if (exported->share == 0)
    return;
  pthread_mutex_lock (&self->pool->lock);
  g_hash_table_remove (self->pool->progress->told, exported->slot);
  pthread_mutex_unlock (&self->pool->lock);
}

void
jobs_foreach_progress (gpointer data,
                       void (*func) (guint64 import_id, double share, gpointer user_data),
                       gpointer user_data)
{
  Jobs *self = data;
  g_autoptr (GArray) imports = NULL;
  pthread_mutex_lock (&self->pool->lock);
  imports = g_array_copy (self->pool->progress->imports);
  pthread_mutex_unlock (&self->pool->lock);
  for (guint i = 0; i < imports->len; i++)
    {
      const ImportShare *import = &g_array_index (imports, ImportShare, i);
      func (import->import_id, import->share, user_data);
    }
  GHashTableIter iter;
  ExportedJob *exported;
  g_hash_table_iter_init (&iter, self->exported);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *)&exported))
    if (exported->imported != NULL && exported->share > 0)
      func (exported->imported->import_id, exported->share, user_data);
}

/* ---- the state ---- */

void
pool_progress_init (SatinWorkers *self)
{
  self->progress = g_new0 (PoolProgress, 1);
  self->progress->imports = g_array_new (FALSE, FALSE, sizeof (ImportShare));
  self->progress->told = g_hash_table_new_full (NULL, NULL, NULL, g_free);
}

void
pool_progress_free (SatinWorkers *self)
{
  walk_free (self->progress->seen);
  g_array_unref (self->progress->imports);
  g_hash_table_unref (self->progress->told);
  g_clear_pointer (&self->progress, g_free);
}
