/* fake-store.c - a store in memory with revisions, commits, leases and watches, like etcd
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fake-store.h"

#include <string.h>

typedef struct
{
  char *key;     /* (owned) */
  GBytes *value; /* (owned) */
  gint64 revision;
  gint64 lease;
} FakeItem;

typedef struct
{
  FakeStore *store; /* (borrowed) */
  gint64 id;
  gint64 ttl_s;
  gint64 until_us;
  SatinTimerId timer;
} FakeLease;

typedef struct
{
  FakeStore *store; /* (borrowed) */
  GQueue calls;     /* (owned) (element-type FakeCall) */
  SatinTimerId timer;
  char *prefix; /* (owned) (nullable): the prefix of the watched keys */
  gint64 next;  /* the first revision that the watch has not seen */
  gboolean is_broken;
  gboolean is_cut; /* this connection cannot reach the store */
  const StoreWatchFuncs *funcs;
  gpointer user_data;
} FakeConnection;

/* A call, with copies of all that it points to. */
typedef struct
{
  StoreCall call;
  char *prefix;
  GArray *compares; /* (element-type StoreCompare) */
  GArray *writes;   /* (element-type StoreWrite) */
  StoreDone done;
  gpointer user_data;
} FakeCall;

static void wake (FakeConnection *self);

static void
wake_all (FakeStore *self)
{
  for (guint i = 0; i < self->connections->len; i++)
    wake (g_ptr_array_index (self->connections, i));
}

/* ---- keys ---- */

static void
item_free (gpointer data)
{
  FakeItem *item = data;

  g_free (item->key);
  g_bytes_unref (item->value);
  g_free (item);
}

static int
compare_items (gconstpointer a, gconstpointer b)
{
  return strcmp ((*(FakeItem *const *)a)->key, (*(FakeItem *const *)b)->key);
}

static FakeItem *
find_item (FakeStore *self, const char *key)
{
  for (guint i = 0; i < self->items->len; i++)
    if (strcmp (((FakeItem *)g_ptr_array_index (self->items, i))->key, key) == 0)
      return g_ptr_array_index (self->items, i);
  return NULL;
}

gboolean
fake_store_has (FakeStore *self, const char *key)
{
  return find_item (self, key) != NULL;
}

GBytes *
fake_store_get (FakeStore *self, const char *key)
{
  return g_bytes_ref (find_item (self, key)->value);
}

static void
remember (FakeStore *self, const char *key, GBytes *value, gint64 revision)
{
  const StoreItem item = { g_strdup (key), value != NULL ? g_bytes_ref (value) : NULL, revision };

  g_array_append_val (self->history, item);
}

/* Returns: whether delete_items() deletes @item */
typedef gboolean (*IsGoneFunc) (const FakeItem *item, gconstpointer data);

static void
delete_items (FakeStore *self, IsGoneFunc is_gone, gconstpointer data, gint64 revision)
{
  for (guint i = self->items->len; i-- > 0;)
    {
      FakeItem *item = g_ptr_array_index (self->items, i);
      if (!is_gone (item, data))
        continue;
      remember (self, item->key, NULL, revision);
      self->revision = revision;
      g_ptr_array_remove_index (self->items, i);
    }
}

static gboolean
is_named (const FakeItem *item, gconstpointer data)
{
  const StoreWrite *write = data;

  return write->is_prefix ? g_str_has_prefix (item->key, write->key)
                          : strcmp (item->key, write->key) == 0;
}

static gboolean
has_lease (const FakeItem *item, gconstpointer data)
{
  return item->lease == *(const gint64 *)data;
}

static void
put_item (FakeStore *self, const StoreWrite *write, gint64 revision)
{
  FakeItem *item = find_item (self, write->key);

  if (item == NULL)
    {
      item = g_new0 (FakeItem, 1);
      item->key = g_strdup (write->key);
      g_ptr_array_add (self->items, item);
      g_ptr_array_sort (self->items, compare_items);
    }
  g_clear_pointer (&item->value, g_bytes_unref);
  item->value = g_bytes_ref (write->value);
  item->revision = revision;
  if (write->lease != STORE_SAME_LEASE)
    item->lease = write->lease;
  remember (self, item->key, item->value, revision);
  self->revision = revision;
}

/* ---- leases ---- */

static FakeLease *
find_lease (FakeStore *self, gint64 id)
{
  for (guint i = 0; i < self->leases->len; i++)
    if (((FakeLease *)g_ptr_array_index (self->leases, i))->id == id)
      return g_ptr_array_index (self->leases, i);
  return NULL;
}

static void
end_lease (FakeStore *self, FakeLease *lease)
{
  gint64 id = lease->id;

  satin_loop_timer_cancel (self->loop, &lease->timer);
  g_ptr_array_remove (self->leases, lease);
  delete_items (self, has_lease, &id, self->revision + 1);
  wake_all (self);
}

static void
on_expired (gpointer user_data)
{
  FakeLease *lease = user_data;

  lease->timer = 0;
  end_lease (lease->store, lease);
}

static void
run_lease (FakeLease *self)
{
  SatinLoop *loop = self->store->loop;

  satin_loop_timer_cancel (loop, &self->timer);
  self->until_us = satin_loop_now_us (loop) + self->ttl_s * G_USEC_PER_SEC;
  self->timer = satin_loop_timer_add (loop, self->ttl_s * G_USEC_PER_SEC, on_expired, self);
}

static gint64
grant (FakeStore *self, gint64 ttl_s)
{
  FakeLease *lease = g_new0 (FakeLease, 1);

  lease->store = self;
  lease->id = ++self->last_lease;
  lease->ttl_s = ttl_s;
  g_ptr_array_add (self->leases, lease);
  run_lease (lease);
  return lease->id;
}

void
fake_store_put (FakeStore *self, const char *key, GBytes *value)
{
  const StoreWrite write = { .key = key, .value = value, .lease = STORE_SAME_LEASE };
  gint64 revision = self->revision + 1;

  if (value != NULL)
    put_item (self, &write, revision);
  else
    delete_items (self, is_named, &write, revision);
  wake_all (self);
}

void
fake_store_expire (FakeStore *self, gint64 number)
{
  FakeLease *lease = find_lease (self, number);

  g_assert_nonnull (lease);
  end_lease (self, lease);
}

void
fake_store_set_mood (FakeStore *self, FakeMood mood)
{
  self->mood = mood;
  for (guint i = 0; i < self->leases->len; i++)
    {
      FakeLease *lease = g_ptr_array_index (self->leases, i);
      satin_loop_timer_cancel (self->loop, &lease->timer);
      if (mood != FAKE_DOWN)
        run_lease (lease);
    }
}

/* ---- calls ---- */

static gboolean
does_hold (FakeStore *self, const GArray *compares)
{
  for (guint i = 0; i < compares->len; i++)
    {
      const StoreCompare *compare = &g_array_index (compares, StoreCompare, i);
      const FakeItem *item = find_item (self, compare->key);
      if ((item != NULL ? item->revision : 0) != compare->revision)
        return FALSE;
    }
  return TRUE;
}

static gboolean
has_all_leases (FakeStore *self, const GArray *writes)
{
  for (guint i = 0; i < writes->len; i++)
    {
      const StoreWrite *write = &g_array_index (writes, StoreWrite, i);
      if (write->lease > 0 && find_lease (self, write->lease) == NULL)
        return FALSE;
    }
  return TRUE;
}

static void
commit (FakeStore *self, const FakeCall *call, StoreAnswer *answer)
{
  gint64 revision = self->revision + 1;

  answer->is_lease_lost = !has_all_leases (self, call->writes);
  if (answer->is_lease_lost || !does_hold (self, call->compares))
    return;
  answer->is_committed = TRUE;
  self->n_commits++;
  for (guint i = 0; i < call->writes->len; i++)
    {
      const StoreWrite *write = &g_array_index (call->writes, StoreWrite, i);
      if (write->value != NULL)
        put_item (self, write, revision);
      else
        delete_items (self, is_named, write, revision);
    }
  wake_all (self);
}

static void
read_items (FakeStore *self, const FakeCall *call, GArray *items)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      const FakeItem *item = g_ptr_array_index (self->items, i);
      const StoreItem copy = { item->key, item->value, item->revision };
      if (g_str_has_prefix (item->key, call->prefix))
        g_array_append_val (items, copy);
    }
}

static void
look_at_lease (FakeStore *self, const FakeCall *call, StoreAnswer *answer)
{
  FakeLease *lease = find_lease (self, call->call.lease);

  if (lease == NULL)
    return;
  if (call->call.kind == STORE_RENEW)
    run_lease (lease);
  answer->granted_s = lease->ttl_s;
  answer->ttl_s = (lease->until_us - satin_loop_now_us (self->loop)) / G_USEC_PER_SEC;
  if (call->call.kind == STORE_REVOKE)
    end_lease (self, lease);
}

static void
do_call (FakeStore *self, const FakeCall *call, StoreAnswer *answer, GArray *items)
{
  answer->lease = call->call.lease;
  switch (call->call.kind)
    {
    case STORE_GRANT:
      answer->lease = grant (self, call->call.ttl_s);
      break;
    case STORE_RENEW:
    case STORE_TIME_LEFT:
    case STORE_REVOKE:
      look_at_lease (self, call, answer);
      break;
    case STORE_READ:
      read_items (self, call, items);
      break;
    case STORE_COMMIT:
      commit (self, call, answer);
      break;
    case STORE_N_CALLS:
      g_assert_not_reached ();
    }
  answer->revision = self->revision;
}

static void
call_free (gpointer data)
{
  FakeCall *call = data;

  for (guint i = 0; i < call->compares->len; i++)
    g_free ((char *)g_array_index (call->compares, StoreCompare, i).key);
  for (guint i = 0; i < call->writes->len; i++)
    {
      StoreWrite *write = &g_array_index (call->writes, StoreWrite, i);
      g_free ((char *)write->key);
      g_clear_pointer (&write->value, g_bytes_unref);
    }
  g_array_unref (call->compares);
  g_array_unref (call->writes);
  g_free (call->prefix);
  g_free (call);
}

static void
answer_call (FakeConnection *self, FakeCall *call)
{
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (StoreItem));
  g_autoptr (GError) error =
      g_error_new_literal (SATIN_ERROR, SATIN_ERROR_UNREACHABLE, "the store has no quorum");
  FakeMood mood = self->is_cut ? FAKE_DOWN : self->store->mood;
  StoreDone done = call->done;
  gpointer user_data = call->user_data;
  StoreAnswer answer = { 0 };

  if (mood != FAKE_DOWN)
    do_call (self->store, call, &answer, items);
  answer.items = (const StoreItem *)(gpointer)items->data;
  answer.n_items = items->len;
  call_free (call);
  if (mood == FAKE_UP)
    done (&answer, NULL, user_data);
  else
    done (NULL, error, user_data);
}

/* ---- connections ---- */

/* Returns: whether a callback of the watch ran; it may have freed the connection */
static gboolean
tell_watch (FakeConnection *self)
{
  g_autoptr (GArray) changed = g_array_new (FALSE, FALSE, sizeof (StoreItem));
  FakeStore *store = self->store;

  if (self->prefix == NULL || self->is_cut || store->mood != FAKE_UP)
    return FALSE;
  if (self->is_broken || self->next <= store->compacted)
    {
      gboolean is_compacted = !self->is_broken;
      self->is_broken = FALSE;
      g_clear_pointer (&self->prefix, g_free);
      self->funcs->lost (is_compacted, NULL, self->user_data);
      return TRUE;
    }
  for (guint i = 0; i < store->history->len; i++)
    {
      const StoreItem *item = &g_array_index (store->history, StoreItem, i);
      if (item->revision >= self->next && g_str_has_prefix (item->key, self->prefix))
        g_array_append_val (changed, *item);
    }
  self->next = store->revision + 1;
  if (changed->len == 0)
    return FALSE;
  self->funcs->changed ((const StoreItem *)(gpointer)changed->data, changed->len, self->user_data);
  return TRUE;
}

static void
on_turn (gpointer user_data)
{
  FakeConnection *self = user_data;
  FakeCall *call = g_queue_pop_head (&self->calls);

  self->timer = 0;
  if (call == NULL)
    {
      tell_watch (self);
      return;
    }
  wake (self); /* for the next call, and for the watch */
  answer_call (self, call);
}

static void
wake (FakeConnection *self)
{
  if (self->timer == 0)
    self->timer = satin_loop_timer_add (self->store->loop, 0, on_turn, self);
}

static void
fake_call (gpointer store, const StoreCall *what, StoreDone done, gpointer user_data)
{
  FakeConnection *self = store;
  FakeCall *call = g_new0 (FakeCall, 1);

  call->call = *what;
  call->prefix = g_strdup (what->prefix);
  call->compares = g_array_new (FALSE, FALSE, sizeof (StoreCompare));
  call->writes = g_array_new (FALSE, FALSE, sizeof (StoreWrite));
  for (guint i = 0; i < what->n_compares; i++)
    {
      const StoreCompare copy = { g_strdup (what->compares[i].key), what->compares[i].revision };
      g_array_append_val (call->compares, copy);
    }
  for (guint i = 0; i < what->n_writes; i++)
    {
      StoreWrite copy = what->writes[i];
      copy.key = g_strdup (copy.key);
      copy.value = copy.value != NULL ? g_bytes_ref (copy.value) : NULL;
      g_array_append_val (call->writes, copy);
    }
  call->done = done;
  call->user_data = user_data;
  g_queue_push_tail (&self->calls, call);
  wake (self);
}

static void
fake_watch (gpointer store, const char *prefix, gint64 from_revision, const StoreWatchFuncs *funcs,
            gpointer user_data)
{
  FakeConnection *self = store;

  g_free (self->prefix);
  self->prefix = g_strdup (prefix);
  self->next = from_revision;
  self->funcs = funcs;
  self->user_data = user_data;
  wake (self);
}

static void
fake_close (gpointer store)
{
  FakeConnection *self = store;

  satin_loop_timer_cancel (self->store->loop, &self->timer);
  g_ptr_array_remove (self->store->connections, self);
  g_queue_clear_full (&self->calls, call_free);
  g_free (self->prefix);
  g_free (self);
}

const StoreOps fake_store_ops = { .call = fake_call, .watch = fake_watch, .close = fake_close };

gpointer
fake_store_connect (FakeStore *self)
{
  FakeConnection *connection = g_new0 (FakeConnection, 1);

  connection->store = self;
  g_queue_init (&connection->calls);
  g_ptr_array_add (self->connections, connection);
  return connection;
}

void
fake_store_cut (FakeStore *self, guint place, gboolean is_cut)
{
  FakeConnection *connection = g_ptr_array_index (self->connections, place);

  connection->is_cut = is_cut;
  wake (connection);
}

void
fake_store_break_watches (FakeStore *self)
{
  for (guint i = 0; i < self->connections->len; i++)
    ((FakeConnection *)g_ptr_array_index (self->connections, i))->is_broken = TRUE;
  wake_all (self);
}

void
fake_store_compact (FakeStore *self)
{
  self->compacted = self->revision;
}

FakeStore *
fake_store_new (SatinLoop *loop)
{
  FakeStore *self = g_new0 (FakeStore, 1);

  self->loop = loop;
  self->revision = 1;
  self->items = g_ptr_array_new_with_free_func (item_free);
  self->history = g_array_new (FALSE, FALSE, sizeof (StoreItem));
  g_array_set_clear_func (self->history, store_item_clear);
  self->leases = g_ptr_array_new_with_free_func (g_free);
  self->connections = g_ptr_array_new ();
  return self;
}

void
fake_store_free (FakeStore *self)
{
  g_assert_cmpuint (self->connections->len, ==, 0);
  for (guint i = 0; i < self->leases->len; i++)
    satin_loop_timer_cancel (self->loop,
                             &((FakeLease *)g_ptr_array_index (self->leases, i))->timer);
  g_ptr_array_unref (self->items);
  g_array_unref (self->history);
  g_ptr_array_unref (self->leases);
  g_ptr_array_unref (self->connections);
  g_free (self);
}
