/* rup.c - checks a proof that a formula is unsatisfiable: rup FORMULA.cnf PROOF
 *
 * The proof has a lemma on each line, and deletions on lines that begin with d, as in the DRAT
 * format. The program checks the lemmas from the first to the last. A lemma must follow by unit
 * propagation: if all its literals are false, the clauses so far lead to a conflict. The proof is
 * good if at its end the clauses lead to a conflict by themselves. The program has no code in
 * common with the solvers whose proofs it checks.
 *
 * Exit status: 0 the proof is good; 1 it is not; 2 wrong usage, a file cannot be read, or a
 * variable is above MAX_VARIABLE. Each clause stays in memory; a deleted clause is not used any
 * more.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <glib.h>

#define MAX_VARIABLE 10000000

/* A clause. The first two literals are watched. */
typedef struct
{
  gboolean is_deleted;
  guint n;
  gint32 literals[];
} Lemma;

/* @watches: for each literal (see of ()) the clauses that watch it; @values: for each literal
 * whether it is true (1) or false (-1) */
static GPtrArray **watches;
static gint8 *values;
static gsize n_rooms;
static GArray *trail;
static guint n_done;
static GHashTable *known;
static gboolean is_refuted;

static gsize
of (gint32 literal)
{
  return 2 * (gsize)ABS (literal) + (literal < 0);
}

static void
make_room (gint32 literal)
{
  gsize n = of (-ABS (literal)) + 1;

  if (n <= n_rooms)
    return;
  n *= 2;
  watches = g_renew (GPtrArray *, watches, n);
  values = g_renew (gint8, values, n);
  memset (values + n_rooms, 0, n - n_rooms);
  for (; n_rooms < n; n_rooms++)
    watches[n_rooms] = g_ptr_array_new ();
}

static void
assign (gint32 literal)
{
  values[of (literal)] = 1;
  values[of (-literal)] = -1;
  g_array_append_val (trail, literal);
}

/* Moves a literal that is not false to place @to, from that place or a later one. Returns: whether
 * there is such a literal */
static gboolean
watch_other (Lemma *lemma, guint to)
{
  for (guint i = to; i < lemma->n; i++)
    if (values[of (lemma->literals[i])] >= 0)
      {
        gint32 literal = lemma->literals[i];
        lemma->literals[i] = lemma->literals[to];
        lemma->literals[to] = literal;
        return TRUE;
      }
  return FALSE;
}

/* Visits a clause that watches @falsified. Returns: %FALSE when the clause is false now.
 * *@ret_is_moved says whether the clause watches another literal instead. */
static gboolean
visit (Lemma *lemma, gint32 falsified, gboolean *ret_is_moved)
{
  gint32 *literals = lemma->literals;

  if (literals[0] == falsified)
    {
      literals[0] = literals[1];
      literals[1] = falsified;
    }
  *ret_is_moved = FALSE;
  if (values[of (literals[0])] > 0)
    return TRUE;
  if (watch_other (lemma, 1))
    {
      g_ptr_array_add (watches[of (literals[1])], lemma);
      *ret_is_moved = TRUE;
      return TRUE;
    }
  if (values[of (literals[0])] < 0)
    return FALSE;
  assign (literals[0]);
  return TRUE;
}

/* Returns: %FALSE when there is a conflict */
static gboolean
propagate (void)
{
  gboolean is_good = TRUE, is_moved;

  while (is_good && n_done < trail->len)
    {
      gint32 falsified = -g_array_index (trail, gint32, n_done++);
      GPtrArray *list = watches[of (falsified)];
      guint n = 0;
      for (guint i = 0; i < list->len; i++)
        {
          Lemma *lemma = list->pdata[i];
          if (lemma->is_deleted)
            continue;
          is_moved = FALSE;
          is_good = is_good && visit (lemma, falsified, &is_moved);
          if (!is_moved)
            list->pdata[n++] = lemma;
        }
      g_ptr_array_set_size (list, (gint)n);
    }
  return is_good;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  gint32 x = *(const gint32 *)a, y = *(const gint32 *)b;
  return x < y ? -1 : x > y;
}

/* Returns: (transfer full): the sorted literals: the key by which clauses are found */
static GBytes *
make_key (const GArray *literals)
{
  g_autoptr (GArray) sorted = g_array_new (FALSE, FALSE, sizeof (gint32));

  g_array_append_vals (sorted, literals->data, literals->len);
  g_array_sort (sorted, compare);
  return g_bytes_new (sorted->data, sorted->len * sizeof (gint32));
}

static void
add (const GArray *literals)
{
  GBytes *key = make_key (literals);
  Lemma *lemma = g_malloc (sizeof *lemma + literals->len * sizeof (gint32));
  GSList *same = g_hash_table_lookup (known, key);

  lemma->is_deleted = FALSE;
  lemma->n = literals->len;
  if (literals->len > 0)
    memcpy (lemma->literals, literals->data, literals->len * sizeof (gint32));
  g_hash_table_replace (known, key, g_slist_prepend (same, lemma));
  if (!watch_other (lemma, 0))
    is_refuted = TRUE;
  else if (lemma->n == 1 || !watch_other (lemma, 1))
    {
      if (values[of (lemma->literals[0])] == 0)
        assign (lemma->literals[0]);
      is_refuted = is_refuted || !propagate ();
    }
  for (guint i = 0; i < MIN (lemma->n, 2) && lemma->n > 1; i++)
    g_ptr_array_add (watches[of (lemma->literals[i])], lemma);
}

/* Whether the lemma follows by unit propagation. */
static gboolean
follows (const GArray *literals)
{
  guint n = trail->len;
  gboolean is_conflict = FALSE;

  for (guint i = 0; i < literals->len && !is_conflict; i++)
    {
      gint32 literal = g_array_index (literals, gint32, i);
      is_conflict = values[of (literal)] > 0;
      if (values[of (literal)] == 0)
        assign (-literal);
    }
  is_conflict = is_conflict || !propagate ();
  for (; trail->len > n; g_array_set_size (trail, trail->len - 1))
    {
      gint32 literal = g_array_index (trail, gint32, trail->len - 1);
      values[of (literal)] = values[of (-literal)] = 0;
    }
  n_done = n;
  return is_conflict;
}

/* Deletes one clause with these literals, if there is one. A unit stays, as in other checkers. */
static void delete (const GArray *literals)
{
  g_autoptr (GBytes) key = make_key (literals);
  GSList *same = g_hash_table_lookup (known, key);

  if (same == NULL || literals->len < 2)
    return;
  ((Lemma *)same->data)->is_deleted = TRUE;
  g_hash_table_replace (known, g_bytes_ref (key), g_slist_delete_link (same, same));
}

/* Reads the words of a line, up to the 0. Returns: %FALSE for a line without clause */
static gboolean
read_line (char *line, GArray *literals, gboolean *ret_is_deletion)
{
  char *at = g_strstrip (line);

  g_array_set_size (literals, 0);
  *ret_is_deletion = g_str_has_prefix (at, "d ");
  if (*ret_is_deletion)
    at += 2;
  if (*at == '\0' || *at == 'c' || *at == 'p')
    return FALSE;
  for (;;)
    {
      gint32 literal = (gint32)strtol (at, &at, 10);
      if (literal == 0)
        return TRUE;
      if (ABS (literal) > MAX_VARIABLE)
        exit (2);
      make_room (literal);
      g_array_append_val (literals, literal);
    }
}

/* Reads a file up to its end or a conflict. Returns: the line of the first lemma that does not
 * follow; 0: none */
static guint
read_file (const char *path, gboolean is_proof)
{
  g_autofree char *text = NULL;
  g_autoptr (GArray) literals = g_array_new (FALSE, FALSE, sizeof (gint32));
  gboolean is_deletion;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    exit (2);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL && !is_refuted; i++)
    {
      if (!read_line (lines[i], literals, &is_deletion))
        continue;
      if (is_deletion)
        delete (literals);
      else if (is_proof && !follows (literals))
        return i + 1;
      else
        add (literals);
    }
  return 0;
}

int
main (int argc, char **argv)
{
  if (argc != 3)
    return 2;
  trail = g_array_new (FALSE, FALSE, sizeof (gint32));
  known = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
  make_room (1);
  read_file (argv[1], FALSE);
  guint wrong = read_file (argv[2], TRUE);
  if (wrong > 0)
    printf ("line %u does not follow\n", wrong);
  else
    printf (is_refuted ? "the proof is good\n" : "the proof ends before a conflict\n");
  fflush (stdout);
  /* Without exit handlers, because nothing is freed: LeakSanitizer would complain. */
  _exit (wrong == 0 && is_refuted ? 0 : 1);
}
