/* leases.c - the books of a provisioner: requested machines, their states, and pending events
 *
 * The host (SatinProvisionHost) is the caller of the provisioner. All that happens is only recorded
 * at first. tell() reports it to the host later, in a separate turn of the loop, where the host may
 * call operations again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/adapt/leases.h>

#include <string.h>

/* Longer deadlines are cut to this, so that adding the current time does not overflow. */
#define FOR_EVER_US (G_MAXINT64 / 4)

typedef enum
{
  LEASE_WANTED,   /* start was not called yet */
  LEASE_STARTING, /* the provisioner is getting the machine */
  LEASE_RUNNING,  /* the command runs there */
  LEASE_OVER,     /* the machine is gone */
} LeaseState;

struct _SatinLease
{
  SatinLeases *owner; /* (borrowed) */
  LeaseState state;
  char *name;     /* (owned) */
  guint64 number; /* in its first name */
  char *cluster;  /* (owned) */
  guint64 request_id;
  gpointer data;         /* (borrowed) (nullable): set by satin_lease_set_data() */
  gboolean has_run;      /* the command was started */
  gboolean is_told;      /* its grant was reported to the host */
  gboolean is_unwanted;  /* cancelled or withdrawn */
  gint64 stop_at_us;     /* if @is_unwanted: the deadline for its end */
  gint64 notice_left_us; /* the notice to be reported, or -1 */
  GError *reason;        /* (owned) (nullable): why the lease is over */
  char *said;            /* (owned) (nullable): the end of the command's standard error */
};

/* Machines that were refused without a lease. */
typedef struct
{
  guint64 request_id;
  guint n;
  GError *reason; /* (owned) */
} Refusal;

struct _SatinLeases
{
  SatinLoop *loop; /* (borrowed) */
  char *prefix;    /* (owned) */
  char *cluster;   /* (owned) (nullable): as in #SatinLeaseLimits */
  guint n_machines_max;
  guint n_starting_max;
  const SatinProvisionHost *host;
  gpointer host_data;
  const SatinLeaseOps *ops;
  gpointer user_data;

  GPtrArray *leases; /* (owned) (element-type SatinLease): in the order of requests */
  GQueue refusals;   /* (owned) (element-type Refusal) */
  GString *left;     /* (owned): what may have been left behind */
  guint64 n_named;
  gboolean is_posted; /* tell() was posted and will run */
  SatinDoneFunc done; /* (nullable): set while the books are being closed */
  gpointer done_data;
};

static void tell (gpointer user_data);

static void
post_tell (SatinLeases *self)
{
  if (self->is_posted)
    return;
  self->is_posted = TRUE;
  satin_loop_post (self->loop, tell, self);
}

static void
lease_free (gpointer data)
{
  SatinLease *self = data;
  g_clear_error (&self->reason);
  g_free (self->said);
  g_free (self->name);
  g_free (self->cluster);
  g_free (self);
}

static void
refusal_free (gpointer data)
{
  Refusal *self = data;
  g_error_free (self->reason);
  g_free (self);
}

SatinLeases *
satin_leases_new (SatinLoop *loop, const SatinLeaseLimits *limits, const SatinProvisionHost *host,
                  gpointer host_data, const SatinLeaseOps *ops, gpointer user_data)
{
  g_return_val_if_fail (limits->n_starting > 0, NULL);
  SatinLeases *self = g_new0 (SatinLeases, 1);
  self->loop = loop;
  self->prefix = g_strdup (limits->prefix);
  self->cluster = g_strdup (limits->cluster);
  self->n_machines_max = MIN (limits->n_machines, SATIN_PROVISION_MAX);
  self->n_starting_max = limits->n_starting;
  self->host = host;
  self->host_data = host_data;
  self->ops = ops;
  self->user_data = user_data;
  self->leases = g_ptr_array_new_with_free_func (lease_free);
  self->left = g_string_new (NULL);
  return self;
}

static void
leases_free (SatinLeases *self)
{
  g_ptr_array_unref (self->leases);
  g_queue_clear_full (&self->refusals, refusal_free);
  g_string_free (self->left, TRUE);
  g_free (self->prefix);
  g_free (self->cluster);
  g_free (self);
}

static SatinLease *
get_lease (const SatinLeases *self, guint place)
{
  return g_ptr_array_index (self->leases, place);
}

static guint
count (const SatinLeases *self, LeaseState first, LeaseState last)
{
  guint n = 0;
  for (guint i = 0; i < self->leases->len; i++)
    n += get_lease (self, i)->state >= first && get_lease (self, i)->state <= last;
  return n;
}

static guint
count_free (const SatinLeases *self)
{
  guint n_taken = count (self, LEASE_WANTED, LEASE_RUNNING);
  return n_taken < self->n_machines_max ? self->n_machines_max - n_taken : 0;
}

/* ---- events ---- */

static void
tell_granted (SatinLease *lease)
{
  SatinLeases *self = lease->owner;
  const SatinMachine machine = { lease->name, lease->cluster, lease->request_id };
  lease->is_told = TRUE;
  self->host->granted (&machine, self->host_data);
}

static void
tell_over (SatinLease *lease)
{
  SatinLeases *self = lease->owner;
  /* The machine ended before its grant could be reported: report the grant first. */
  if (lease->has_run && !lease->is_unwanted && !lease->is_told)
    tell_granted (lease);
  if (lease->is_told)
    {
      const GError *cause = lease->is_unwanted ? NULL : lease->reason;
      if (lease->said != NULL && SATIN_HAS (self->host, said))
        self->host->said (lease->name, lease->said, cause != NULL, self->host_data);
      self->host->ended (lease->name, cause, self->host_data);
      return;
    }
  g_autoptr (GError) reason =
      lease->reason != NULL && !lease->is_unwanted
          ? g_error_copy (lease->reason)
          : g_error_new_literal (SATIN_ERROR, SATIN_ERROR_CANCELLED, "it was cancelled");
  self->host->refused (lease->request_id, 1, reason, self->host_data);
}

/* Reports to the host what has happened to the lease. Returns: whether the lease is over and can be
 * freed */
static gboolean
tell_lease (SatinLease *lease)
{
  SatinLeases *self = lease->owner;
  if (lease->state == LEASE_RUNNING && !lease->is_told && !lease->is_unwanted)
    tell_granted (lease);
  if (lease->notice_left_us >= 0 && lease->state == LEASE_RUNNING && lease->is_told)
    {
      gint64 left_us = lease->notice_left_us;
      lease->notice_left_us = -1;
      self->host->notice (lease->name, left_us, self->host_data);
    }
  if (lease->state != LEASE_OVER)
    return FALSE;
  tell_over (lease);
  return TRUE;
}

static void
start_some (SatinLeases *self)
{
  guint n_starting = count (self, LEASE_STARTING, LEASE_STARTING);
  for (guint i = 0; i < self->leases->len && n_starting < self->n_starting_max; i++)
    {
      SatinLease *lease = get_lease (self, i);
      if (lease->state != LEASE_WANTED)
        continue;
      lease->state = LEASE_STARTING;
      self->ops->start (lease, self->user_data);
      n_starting += lease->state == LEASE_STARTING;
    }
}

/* Reports to the host all that has happened. The host may call operations meanwhile; they only add
 * leases at the end, or change states of leases. */
static void
tell_all (SatinLeases *self)
{
  for (guint i = 0; i < self->leases->len;)
    if (tell_lease (get_lease (self, i)))
      g_ptr_array_remove_index (self->leases, i);
    else
      i++;
  Refusal *refusal;
  while ((refusal = g_queue_pop_head (&self->refusals)) != NULL)
    {
      self->host->refused (refusal->request_id, refusal->n, refusal->reason, self->host_data);
      refusal_free (refusal);
    }
}

static void
tell (gpointer user_data)
{
  SatinLeases *self = user_data;
  self->is_posted = FALSE;
  start_some (self);
  tell_all (self);
  gboolean is_more = self->leases->len > 0 || self->refusals.length > 0 || self->is_posted;
  if (self->done == NULL || is_more)
    return;
  SatinDoneFunc done = self->done;
  gpointer done_data = self->done_data;
  g_autoptr (GError) error = NULL;
  if (self->left->len > 0)
    g_set_error (&error, SATIN_ERROR, SATIN_ERROR_IO, "this may have been left behind: %s",
                 self->left->str);
  leases_free (self);
  done (error, done_data);
}

/* ---- operations ---- */

static void
refuse (SatinLeases *self, guint64 request_id, guint n, GError *reason)
{
  Refusal *refusal = g_new (Refusal, 1);
  *refusal = (Refusal){ request_id, n, reason };
  g_queue_push_tail (&self->refusals, refusal);
}

void
satin_leases_request (SatinLeases *self, guint64 request_id, guint n, const char *cluster)
{
  g_return_if_fail (n > 0 && n <= SATIN_PROVISION_MAX && self->done == NULL);
  const char *ours = self->cluster != NULL ? self->cluster : cluster;
  gboolean is_known = *cluster == '\0' || g_str_equal (cluster, ours);
  guint n_had = is_known ? MIN (n, count_free (self)) : 0;
  for (guint i = 0; i < n_had; i++)
    {
      SatinLease *lease = g_new0 (SatinLease, 1);
      lease->owner = self;
      lease->number = ++self->n_named;
      lease->name = g_strdup_printf ("%s-%" G_GUINT64_FORMAT, self->prefix, lease->number);
      lease->cluster = g_strdup (ours);
      lease->request_id = request_id;
      lease->notice_left_us = -1;
      g_ptr_array_add (self->leases, lease);
    }
  if (!is_known)
    refuse (self, request_id, n,
            g_error_new (SATIN_ERROR, SATIN_ERROR_NOT_FOUND, "there is no cluster \"%s\" here",
                         cluster));
  else if (n_had < n)
    refuse (self, request_id, n - n_had,
            g_error_new (SATIN_ERROR, SATIN_ERROR_LIMIT, "no more than %u can be had at a time",
                         self->n_machines_max));
  post_tell (self);
}

/* Makes the lease end within @deadline_us. */
static void
stop (SatinLease *lease, gint64 deadline_us)
{
  SatinLeases *self = lease->owner;
  gint64 stop_at_us = satin_loop_now_us (self->loop) + MIN (deadline_us, FOR_EVER_US);
  if (lease->state == LEASE_OVER || (lease->is_unwanted && stop_at_us >= lease->stop_at_us))
    return;
  lease->is_unwanted = TRUE;
  lease->stop_at_us = stop_at_us;
  if (lease->state == LEASE_WANTED)
    satin_lease_ended (lease, NULL);
  else
    self->ops->stop (lease, MIN (deadline_us, FOR_EVER_US), self->user_data);
}

void
satin_leases_cancel (SatinLeases *self, guint64 request_id)
{
  for (guint i = 0; i < self->leases->len; i++)
    {
      SatinLease *lease = get_lease (self, i);
      if (lease->request_id == request_id && !lease->is_told)
        {
          /* If the machine is gone already and its grant was not reported, the grant must not be
           * reported after this call. */
          lease->is_unwanted |= lease->state == LEASE_OVER;
          stop (lease, 0);
        }
    }
}

SatinLease *
satin_leases_find (SatinLeases *self, const char *name)
{
  for (guint i = 0; i < self->leases->len; i++)
    if (get_lease (self, i)->state != LEASE_OVER && g_str_equal (get_lease (self, i)->name, name))
      return get_lease (self, i);
  return NULL;
}

void
satin_leases_withdraw (SatinLeases *self, const char *name, gint64 deadline_us)
{
  g_return_if_fail (deadline_us >= 0);
  SatinLease *lease = satin_leases_find (self, name);
  if (lease != NULL && lease->is_told)
    stop (lease, deadline_us);
}

void
satin_leases_list (SatinLeases *self, SatinMachineFunc func, gpointer user_data)
{
  for (guint i = 0; i < self->leases->len; i++)
    {
      const SatinLease *lease = get_lease (self, i);
      const SatinMachine machine = { lease->name, lease->cluster, lease->request_id };
      if (lease->is_told)
        func (&machine, user_data);
    }
}

void
satin_leases_offer (SatinLeases *self, gdouble speed, SatinOfferFunc func, gpointer user_data)
{
  const SatinOffer offer = { self->cluster, count_free (self), speed };
  func (&offer, user_data);
}

void
satin_leases_close (SatinLeases *self, SatinDoneFunc done, gpointer user_data)
{
  self->done = done;
  self->done_data = user_data;
  for (guint i = 0; i < self->leases->len; i++)
    {
      SatinLease *lease = get_lease (self, i);
      lease->is_unwanted |= !lease->is_told && lease->state == LEASE_OVER;
      stop (lease, lease->is_told ? SATIN_PROVISION_CLOSE_US : 0);
    }
  post_tell (self);
}

void
satin_leases_leave_behind (SatinLeases *self, const char *what)
{
  g_string_append_printf (self->left, "%s%s", self->left->len > 0 ? ", " : "", what);
}

/* ---- reports of the provisioner ---- */

void
satin_leases_set_machines (SatinLeases *self, guint n_machines)
{
  self->n_machines_max = MIN (n_machines, SATIN_PROVISION_MAX);
}

void
satin_lease_set_machine (SatinLease *self, const char *name, const char *cluster)
{
  g_return_if_fail (self->state == LEASE_STARTING);
  g_free (self->name);
  g_free (self->cluster);
  self->name = g_strdup (name);
  self->cluster = g_strdup (cluster);
}

void
satin_lease_started (SatinLease *self)
{
  g_return_if_fail (self->state == LEASE_STARTING);
  self->state = LEASE_RUNNING;
  self->has_run = TRUE;
  post_tell (self->owner);
}

void
satin_lease_notice (SatinLease *self, gint64 left_us)
{
  self->notice_left_us = MAX (left_us, 0);
  post_tell (self->owner);
}

void
satin_lease_said (SatinLease *self, const char *text)
{
  g_return_if_fail (text != NULL);
  gsize n_bytes = strlen (text);
  gsize n_cut = n_bytes - MIN (n_bytes, SATIN_LEASE_MAX_SAID_BYTES);
  g_free (self->said);
  self->said = *text != '\0' ? g_utf8_make_valid (text + n_cut, -1) : NULL;
}

void
satin_lease_ended (SatinLease *self, const GError *reason)
{
  g_return_if_fail (self->state != LEASE_OVER);
  self->state = LEASE_OVER;
  self->reason = reason != NULL ? g_error_copy (reason) : NULL;
  post_tell (self->owner);
}

const char *
satin_lease_get_name (const SatinLease *self)
{
  return self->name;
}

guint64
satin_lease_get_number (const SatinLease *self)
{
  return self->number;
}

const char *
satin_lease_get_cluster (const SatinLease *self)
{
  return self->cluster;
}

gpointer
satin_lease_get_data (const SatinLease *self)
{
  return self->data;
}

void
satin_lease_set_data (SatinLease *self, gpointer data)
{
  self->data = data;
}
