/* folder-lease.c - ensures that one run at a time uses a checkpoint's folder
 *
 * Two newcomers may both find no lease, and both write one. So each looks again after it has
 * written. If it sees another lease, it removes its own lease. The newcomer whose lease has the
 * lower name tries again at its next look, the other newcomer SATIN_LEASE_WATCH_US later.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/bytes.h>
#include <satin/ft/folder-lease.h>

#include <string.h>

#define NAME_BEGIN     "satin-lease-"
#define RUN_BYTES      16
#define RUN_DIGITS     (2 * RUN_BYTES)
#define COUNTER_DIGITS 10
/* A lease counts as dead only after it has stayed the same for this many looks. With a slow server,
 * these looks take longer than SATIN_LEASE_WATCH_US. */
#define N_LOOKS 8
/* The longest text that names the holder, bytes. */
#define HOLDER_MAX 200

struct _SatinFolderLease
{
  char run[RUN_DIGITS + 1];
  guint32 node;
  char *holder; /* (owned) */
  guint64 counter;
  char *held; /* (owned) (nullable): the name of this node's lease that is in the folder, if no
                 other run has removed it */
  /* while the lease is being acquired */
  GPtrArray *seen; /* (owned) (nullable) of (owned) names: other leases when the watch began */
  guint n_looks;
  gint64 watch_since_us;
  gint64 not_before_us; /* the next try comes after this time: another newcomer goes first */
};

typedef struct
{
  const SatinFolderLease *lease; /* (borrowed) */
  GPtrArray *own;                /* (owned) of (owned) names of this run's leases */
  GPtrArray *others;             /* (owned) of (owned) names of other runs' leases */
} Leases;

/* ---- leases in the folder ---- */

static void
add_name (const char *name, guint64 size_bytes, gpointer user_data)
{
  Leases *self = user_data;
  const char *run = name + strlen (NAME_BEGIN);
  if (!g_str_has_prefix (name, NAME_BEGIN) || strlen (run) <= RUN_DIGITS || run[RUN_DIGITS] != '-')
    return;
  gboolean is_own = strncmp (run, self->lease->run, RUN_DIGITS) == 0;
  g_ptr_array_add (is_own ? self->own : self->others, g_strdup (name));
}

static int
compare_names (gconstpointer left, gconstpointer right)
{
  return strcmp (*(char *const *)left, *(char *const *)right);
}

static void
leases_clear (Leases *self)
{
  g_clear_pointer (&self->own, g_ptr_array_unref);
  g_clear_pointer (&self->others, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Leases, leases_clear)

static gboolean
list (const SatinFolderLease *lease, SatinStorage *storage, Leases *self, GError **error)
{
  leases_clear (self);
  self->lease = lease;
  self->own = g_ptr_array_new_with_free_func (g_free);
  self->others = g_ptr_array_new_with_free_func (g_free);
  if (!storage->ops.list (storage->handle, add_name, self, error))
    return FALSE;
  g_ptr_array_sort (self->own, compare_names);
  g_ptr_array_sort (self->others, compare_names);
  return TRUE;
}

static gboolean
contains (const GPtrArray *names, const char *name)
{
  for (guint i = 0; names != NULL && i < names->len; i++)
    if (g_str_equal (g_ptr_array_index (names, i), name))
      return TRUE;
  return FALSE;
}

static gboolean
remove_all (SatinStorage *storage, const GPtrArray *names, const char *but, GError **error)
{
  for (guint i = 0; i < names->len; i++)
    if (g_strcmp0 (g_ptr_array_index (names, i), but) != 0
        && !storage->ops.remove (storage->handle, g_ptr_array_index (names, i), error))
      return FALSE;
  return TRUE;
}

/* ---- this run's lease ---- */

static char *
own_name (const SatinFolderLease *self)
{
  return g_strdup_printf (NAME_BEGIN "%s-%010u-%0*" G_GUINT64_FORMAT, self->run, self->node,
                          COUNTER_DIGITS, self->counter);
}

/* Writes the next lease. Returns: (transfer full) (nullable): its name; %NULL with @error */
static char *
write_next (SatinFolderLease *self, SatinStorage *storage, GError **error)
{
  self->counter++;
  g_autofree char *name = own_name (self);
  if (!storage->ops.append (storage->handle, name, 0, (const guint8 *)self->holder,
                            strlen (self->holder), error)
      || !storage->ops.sync (storage->handle, name, error))
    {
      /* Even a full disk may have room for an empty file, which must not stay. */
      storage->ops.remove (storage->handle, name, NULL);
      return NULL;
    }
  return g_steal_pointer (&name);
}

/* Notes that the lease @name (transfer full) is this node's. Sets @name to %NULL. */
static void
hold (SatinFolderLease *self, char **name)
{
  g_free (self->held);
  self->held = g_steal_pointer (name);
}

SatinFolderLease *
satin_folder_lease_new (const guint8 *run, guint32 node, const char *holder)
{
  g_return_val_if_fail (run != NULL && holder != NULL && *holder != '\0', NULL);
  SatinFolderLease *self = g_new0 (SatinFolderLease, 1);
  satin_hex_write (run, RUN_BYTES, self->run);
  self->node = node;
  self->holder = g_strndup (holder, HOLDER_MAX);
  return self;
}

void
satin_folder_lease_free (SatinFolderLease *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->seen, g_ptr_array_unref);
  g_free (self->held);
  g_free (self->holder);
  g_free (self);
}

/* ---- acquiring ---- */

/* Reads the text in a lease, and replaces characters that could confuse a terminal. Returns:
 * (transfer full) */
static char *
read_holder (SatinStorage *storage, const char *name)
{
  char text[HOLDER_MAX + 1] = "";
  gsize n = 0;
  if (!storage->ops.read (storage->handle, name, 0, (guint8 *)text, HOLDER_MAX, &n, NULL) || n == 0)
    return g_strdup ("another run");
  for (gsize i = 0; i < n; i++)
    if (!g_ascii_isprint (text[i]))
      text[i] = '?';
  return g_strndup (text, n);
}

static gboolean
refuse (SatinStorage *storage, const char *name, GError **error)
{
  g_autofree char *holder = read_holder (storage, name);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "it is in use by %s: wait until that has ended, or use another folder", holder);
  return FALSE;
}

static void
begin_watch (SatinFolderLease *self, Leases *leases, gint64 now_us)
{
  g_clear_pointer (&self->seen, g_ptr_array_unref);
  self->seen = g_steal_pointer (&leases->others);
  self->n_looks = 0;
  self->watch_since_us = now_us;
}

/* Watches the leases of other runs. @ret_is_dead: (out): whether no lease has changed for so long
 * that their runs count as dead. Returns: %FALSE with @error when a lease is new or has changed, so
 * its run is alive */
static gboolean
watch (SatinFolderLease *self, SatinStorage *storage, Leases *leases, gint64 now_us,
       gboolean *ret_is_dead, GError **error)
{
  *ret_is_dead = FALSE;
  for (guint i = 0; self->seen != NULL && i < leases->others->len; i++)
    if (!contains (self->seen, g_ptr_array_index (leases->others, i)))
      return refuse (storage, g_ptr_array_index (leases->others, i), error);
  if (self->seen == NULL)
    {
      begin_watch (self, leases, now_us);
      return TRUE;
    }
  self->n_looks++;
  *ret_is_dead = self->n_looks >= N_LOOKS && now_us - self->watch_since_us >= SATIN_LEASE_WATCH_US;
  return TRUE;
}

/* Takes the folder, which no living run has. Then looks whether another newcomer did the same. */
static gboolean
take (SatinFolderLease *self, SatinStorage *storage, Leases *leases, gint64 now_us,
      gboolean *ret_is_ours, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *name = NULL;
  if (!remove_all (storage, leases->others, NULL, &local)
      || (name = write_next (self, storage, &local)) == NULL)
    {
      *ret_is_ours = TRUE; /* as on a full disk: the run uses the folder without a lease */
      return TRUE;
    }
  if (!remove_all (storage, leases->own, NULL, error) || !list (self, storage, leases, error))
    return FALSE;
  *ret_is_ours = leases->others->len == 0;
  if (*ret_is_ours)
    {
      hold (self, &name);
      return TRUE;
    }
  gboolean is_first = strcmp (name, g_ptr_array_index (leases->others, 0)) < 0;
  self->not_before_us = is_first ? now_us : now_us + SATIN_LEASE_WATCH_US;
  g_clear_pointer (&self->seen, g_ptr_array_unref);
  return storage->ops.remove (storage->handle, name, error);
}

gboolean
satin_folder_lease_acquire (SatinFolderLease *self, SatinStorage *storage, gint64 now_us,
                            gboolean *ret_is_ours, GError **error)
{
  g_return_val_if_fail (self != NULL && storage != NULL && ret_is_ours != NULL, FALSE);
  g_auto (Leases) leases = { 0 };
  gboolean is_dead = FALSE, is_ours = FALSE;
  if (!list (self, storage, &leases, error))
    return FALSE;
  if (leases.others->len > 0 && !watch (self, storage, &leases, now_us, &is_dead, error))
    return FALSE;
  gboolean is_free = is_dead || (leases.others != NULL && leases.others->len == 0);
  if (is_free && now_us >= self->not_before_us
      && !take (self, storage, &leases, now_us, &is_ours, error))
    return FALSE;
  *ret_is_ours = is_ours;
  return TRUE;
}

/* Takes the lease @name (nullable) back. Returns: %FALSE with @error */
static gboolean
fence (SatinStorage *storage, const Leases *leases, const char *name, GError **error)
{
  g_autofree char *holder = read_holder (storage, g_ptr_array_index (leases->others, 0));
  if (name != NULL)
    storage->ops.remove (storage->handle, name, NULL);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_FENCED, "%s uses it now", holder);
  return FALSE;
}

/* Lists the leases after the next lease is written: while this node wrote it, another run may have
 * taken this run for dead. That run has removed the lease before. Its own lease alone is no proof,
 * because a newcomer that must give way shows one, too. */
gboolean
satin_folder_lease_renew (SatinFolderLease *self, SatinStorage *storage, GError **error)
{
  g_return_val_if_fail (self != NULL && storage != NULL, FALSE);
  g_auto (Leases) leases = { 0 };
  g_autoptr (GError) local = NULL;
  g_autofree char *name = write_next (self, storage, &local);
  gboolean is_listed = list (self, storage, &leases, local == NULL ? &local : NULL);
  if (is_listed && leases.others->len > 0
      && (self->held == NULL || !contains (leases.own, self->held)))
    return fence (storage, &leases, name, error);
  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  hold (self, &name);
  return remove_all (storage, leases.own, self->held, error);
}

gboolean
satin_folder_lease_release (SatinFolderLease *self, SatinStorage *storage, GError **error)
{
  g_return_val_if_fail (self != NULL && storage != NULL, FALSE);
  g_auto (Leases) leases = { 0 };
  g_autofree char *any = own_name (self);
  gsize n_prefix = strlen (any) - COUNTER_DIGITS;
  if (!list (self, storage, &leases, error))
    return FALSE;
  for (guint i = leases.own->len; i-- > 0;)
    if (strncmp (g_ptr_array_index (leases.own, i), any, n_prefix) != 0)
      g_ptr_array_remove_index (leases.own, i);
  g_clear_pointer (&self->held, g_free);
  return remove_all (storage, leases.own, NULL, error);
}
