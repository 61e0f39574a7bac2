/* test-leases.c - tests the leases of a provisioner, on a loop that the test moves
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/adapt/leases.h>
#include <string.h>

/* A host that notes its calls, a word each, and a provisioner whose machines start when the test
 * says so and stop at once. */
typedef struct
{
  SatinLoop *loop;
  SatinLeases *leases;
  GString *told;
  SatinLease *last;
} Books;

static void
on_granted (const SatinMachine *machine, gpointer user_data)
{
  g_string_append (((Books *)user_data)->told, "granted ");
}

static void
on_refused (guint64 request_id, guint n, const GError *reason, gpointer user_data)
{
  g_string_append_printf (((Books *)user_data)->told, "refused-%u ", n);
}

static void
on_ended (const char *name, const GError *reason, gpointer user_data)
{
  g_string_append (((Books *)user_data)->told, "ended ");
}

static void
on_said (const char *name, const char *text, gboolean has_failed, gpointer user_data)
{
  g_string_append_printf (((Books *)user_data)->told, "%s-%s ", has_failed ? "failed" : "said",
                          text);
}

static const SatinProvisionHost host = {
  .struct_size = sizeof (SatinProvisionHost),
  .granted = on_granted,
  .refused = on_refused,
  .ended = on_ended,
  .said = on_said,
};

static void
start (SatinLease *lease, gpointer user_data)
{
  ((Books *)user_data)->last = lease;
}

static void
stop (SatinLease *lease, gint64 deadline_us, gpointer user_data)
{
  satin_lease_ended (lease, NULL);
}

static const SatinLeaseOps ops = {
  .struct_size = sizeof (SatinLeaseOps),
  .start = start,
  .stop = stop,
};

static void
books_open_for (Books *self, const char *cluster)
{
  const SatinLeaseLimits limits = { "machine", cluster, 2, 2 };
  self->loop = satin_loop_new_manual (1);
  self->told = g_string_new (NULL);
  self->leases = satin_leases_new (self->loop, &limits, &host, self, &ops, self);
}

static void
books_open (Books *self)
{
  books_open_for (self, "");
}

static void
on_closed (const GError *error, gpointer user_data)
{
  g_string_append (((Books *)user_data)->told, "closed");
}

/* Closes the leases, and checks all that the host was told. */
static void
books_expect (Books *self, const char *told)
{
  satin_leases_close (self->leases, on_closed, self);
  satin_loop_advance (self->loop, 0);
  g_assert_cmpstr (self->told->str, ==, told);
  g_string_free (self->told, TRUE);
  satin_loop_free (self->loop);
}

static void
test_more_is_refused (void)
{
  Books books;
  books_open (&books);
  satin_leases_request (books.leases, 1, 5, "");
  satin_loop_advance (books.loop, 0);
  books_expect (&books, "refused-3 refused-1 refused-1 closed");
}

static void
test_short_life_is_told (void)
{
  Books books;
  books_open (&books);
  satin_leases_request (books.leases, 1, 1, "");
  satin_loop_advance (books.loop, 0);
  satin_lease_started (books.last);
  satin_lease_ended (books.last, NULL);
  satin_loop_advance (books.loop, 0);
  books_expect (&books, "granted ended closed");
}

/* The machine runs, but the host does not know yet. */
static void
test_cancelled_is_not_granted (void)
{
  Books books;
  books_open (&books);
  satin_leases_request (books.leases, 1, 1, "");
  satin_loop_advance (books.loop, 0);
  satin_lease_started (books.last);
  satin_leases_cancel (books.leases, 1);
  satin_loop_advance (books.loop, 0);
  books_expect (&books, "refused-1 closed");
}

static void
test_number_of_machines_changes (void)
{
  Books books;
  books_open (&books);
  satin_leases_set_machines (books.leases, 3);
  satin_leases_request (books.leases, 1, 4, "");
  satin_loop_advance (books.loop, 0);
  g_assert_cmpstr (books.told->str, ==, "refused-1 ");
  satin_leases_set_machines (books.leases, 1);
  satin_leases_request (books.leases, 2, 1, "");
  satin_loop_advance (books.loop, 0);
  books_expect (&books, "refused-1 refused-1 refused-1 refused-1 refused-1 closed");
}

static void
test_foreign_cluster_is_refused (void)
{
  Books books;
  books_open (&books);
  satin_leases_request (books.leases, 1, 2, "north");
  satin_loop_advance (books.loop, 0);
  books_expect (&books, "refused-2 closed");
}

static void
on_listed (const SatinMachine *machine, gpointer user_data)
{
  g_string_append_printf (((Books *)user_data)->told, "%s/%s ", machine->name, machine->cluster);
}

static void
test_machine_is_named_when_it_is_known (void)
{
  Books books;
  books_open_for (&books, NULL);
  satin_leases_request (books.leases, 1, 1, "");
  satin_loop_advance (books.loop, 0);
  g_assert_cmpstr (satin_lease_get_cluster (books.last), ==, "");
  satin_lease_set_machine (books.last, "job 7 on c1", "south");
  satin_lease_started (books.last);
  satin_loop_advance (books.loop, 0);
  satin_leases_list (books.leases, on_listed, &books);
  g_assert_nonnull (satin_leases_find (books.leases, "job 7 on c1"));
  books_expect (&books, "granted job 7 on c1/south ended closed");
}

static void
test_any_cluster_may_be_asked_for (void)
{
  Books books;
  books_open_for (&books, NULL);
  satin_leases_request (books.leases, 1, 1, "north");
  satin_loop_advance (books.loop, 0);
  g_assert_cmpstr (satin_lease_get_cluster (books.last), ==, "north");
  satin_lease_started (books.last);
  satin_loop_advance (books.loop, 0);
  books_expect (&books, "granted ended closed");
}

static void
test_last_words_come_before_the_end (void)
{
  Books books;
  books_open (&books);
  satin_leases_request (books.leases, 1, 1, "");
  satin_loop_advance (books.loop, 0);
  satin_lease_started (books.last);
  satin_lease_said (books.last, "words");
  satin_lease_ended (books.last, NULL);
  satin_loop_advance (books.loop, 0);
  books_expect (&books, "granted said-words ended closed");
}

static void
test_last_words_are_bounded_and_utf8 (void)
{
  Books books;
  g_autofree char *text = g_strnfill (2 * SATIN_LEASE_MAX_SAID_BYTES, 'x');
  g_autoptr (GError) error = g_error_new (SATIN_ERROR, SATIN_ERROR_JOB, "broken");
  strcpy (text + strlen (text) - 2, "\xff");
  books_open (&books);
  satin_leases_request (books.leases, 1, 1, "");
  satin_loop_advance (books.loop, 0);
  satin_lease_started (books.last);
  satin_lease_said (books.last, text);
  satin_lease_ended (books.last, error);
  satin_loop_advance (books.loop, 0);
  g_assert_true (g_str_has_prefix (books.told->str, "granted failed-xxx"));
  g_assert_true (g_utf8_validate (books.told->str, -1, NULL));
  g_assert_cmpuint (books.told->len, <, SATIN_LEASE_MAX_SAID_BYTES + 100);
  g_string_truncate (books.told, 0);
  books_expect (&books, "closed");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/adapt/leases/more-than-there-is-is-refused", test_more_is_refused);
  g_test_add_func ("/adapt/leases/short-life-is-granted-and-ends", test_short_life_is_told);
  g_test_add_func ("/adapt/leases/what-is-cancelled-is-not-granted", test_cancelled_is_not_granted);
  g_test_add_func ("/adapt/leases/number-of-machines-changes", test_number_of_machines_changes);
  g_test_add_func ("/adapt/leases/a-cluster-that-is-not-there-is-refused",
                   test_foreign_cluster_is_refused);
  g_test_add_func ("/adapt/leases/a-machine-is-named-when-it-is-known",
                   test_machine_is_named_when_it_is_known);
  g_test_add_func ("/adapt/leases/any-cluster-may-be-asked-for-where-each-has-its-own",
                   test_any_cluster_may_be_asked_for);
  g_test_add_func ("/adapt/leases/last-words-come-before-the-end",
                   test_last_words_come_before_the_end);
  g_test_add_func ("/adapt/leases/last-words-are-bounded-and-utf8",
                   test_last_words_are_bounded_and_utf8);
  return g_test_run ();
}
