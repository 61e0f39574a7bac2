/* meet.c - rules: other nodes, the run, figures and waits
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "part.h"

#include <string.h>

#define MAX_BYTES 300

/* Makes a node with the part and the other nodes. Returns: (transfer full) (nullable): %NULL when
 * the part does not start, or itself provides the other nodes */
static Scene *
begin_in_company (Case *c)
{
  g_autoptr (Scene) scene = scene_begin (c);
  if (scene == NULL || !scene_meet (scene))
    return NULL;
  scene_pass (scene);
  return g_steal_pointer (&scene);
}

void
part_meets_others_later (Case *c)
{
  g_autoptr (Scene) scene = begin_in_company (c);
  if (scene != NULL)
    scene_pass (scene);
}

/* Finds out whether the part itself provides the other nodes; scene_is_provider() remembers the
 * answer. Returns: %FALSE when the part does not start, which breaks the rule of @c */
static gboolean
probe (Case *c)
{
  g_autoptr (Scene) scene = scene_begin (c);
  if (scene != NULL)
    scene_is_provider (scene);
  return scene != NULL;
}

void
part_meets_others_that_are_there (Case *c)
{
  g_autoptr (GError) error = NULL;
  if (!probe (c))
    return;
  g_autoptr (Scene) scene = scene_new (c);
  if (!scene_meet (scene))
    return;
  gboolean is_started = scene_start (scene, NULL, &error);
  if (case_expect_open (c, is_started, error))
    scene_pass (scene);
}

void
part_bears_nodes_that_come_and_go (Case *c)
{
  g_autoptr (Scene) scene = begin_in_company (c);
  for (guint turn = 0; scene != NULL && turn < 40; turn++)
    {
      SatinNodeId id = company_add (scene->company);
      if (turn % 2 == 0)
        company_tell (scene->company, SATIN_PEER_LINK_BROKEN, id);
      if (turn % 4 == 3)
        company_remove (scene->company, id, SATIN_PEER_LEFT);
      if (turn % 4 == 1)
        company_remove (scene->company, id - 1, SATIN_PEER_DIED);
      if (turn % 8 == 0)
        scene_pass (scene);
    }
}

void
part_bears_masters_that_change (Case *c)
{
  g_autoptr (Scene) scene = begin_in_company (c);
  if (scene == NULL)
    return;
  SatinNodeId other = company_add (scene->company);
  company_set_master (scene->company, COMPANY_SELF);
  scene_pass (scene);
  company_set_master (scene->company, other);
  scene_pass (scene);
  company_remove (scene->company, other, SATIN_PEER_DIED);
  scene_pass (scene);
  company_set_master (scene->company, COMPANY_SELF);
  scene_pass (scene);
}

/* Returns: (transfer full): a random number of random bytes. Half of the bytes are 0, so that
 * numbers in the message, such as lengths, are often small */
static GBytes *
draw_bytes (GRand *random)
{
  gsize n = (gsize)g_rand_int_range (random, 0, MAX_BYTES);
  guint8 *bytes = g_malloc0 (n + 1);
  for (gsize i = 0; i < n; i++)
    if (g_rand_boolean (random))
      bytes[i] = (guint8)g_rand_int_range (random, 0, 256);
  return g_bytes_new_take (bytes, n);
}

void
part_bears_any_bytes (Case *c)
{
  g_autoptr (Scene) scene = begin_in_company (c);
  if (scene == NULL)
    return;
  GRand *random = g_rand_new_with_seed (1);
  for (guint turn = 0; turn < 25 * c->n_seeds; turn++)
    {
      g_autoptr (GBytes) bytes = draw_bytes (random);
      company_send (scene->company, 1, bytes);
    }
  g_rand_free (random);
  scene_pass (scene);
}

void
part_bears_any_words (Case *c)
{
  g_autoptr (Scene) scene = begin_in_company (c);
  if (scene == NULL)
    return;
  GRand *random = g_rand_new_with_seed (2);
  company_signal (scene->company, "a word that nobody knows", NULL);
  for (guint turn = 0; turn < c->n_seeds; turn++)
    {
      g_autoptr (GBytes) bytes = draw_bytes (random);
      company_signal (scene->company, "a word that nobody knows", bytes);
    }
  g_rand_free (random);
  scene_pass (scene);
}

void
part_bears_the_end_of_the_run (Case *c)
{
  g_autoptr (Scene) scene = begin_in_company (c);
  if (scene == NULL)
    return;
  company_end (scene->company);
  scene_pass (scene);
}

/* ---- figures ---- */

static void
add_name (const char *name, gint64 value, gpointer user_data)
{
  g_ptr_array_add (user_data, g_strdup (name != NULL ? name : ""));
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

/* Returns: (transfer full) (nullable): the sorted names of the part's figures; %NULL when it has
 * none, and the case is skipped */
static GPtrArray *
list_figures (Scene *scene)
{
  if (scene->ops.figures == NULL)
    {
      case_skip (scene->c, "the part has no figures");
      return NULL;
    }
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  scene->ops.figures (scene->part, add_name, names);
  g_ptr_array_sort (names, compare_names);
  return names;
}

void
part_names_figures_alike (Case *c)
{
  g_autoptr (Scene) one = scene_begin (c);
  g_autoptr (Scene) other = one != NULL ? scene_begin (c) : NULL;
  g_autoptr (GPtrArray) names = other != NULL ? list_figures (one) : NULL;
  g_autoptr (GPtrArray) others = names != NULL ? list_figures (other) : NULL;
  if (others == NULL
      || !CASE_EXPECT (c, names->len == others->len, "two nodes have %u and %u figures", names->len,
                       others->len))
    return;
  for (guint i = 0; i < names->len; i++)
    if (!CASE_EXPECT (c, g_str_equal (names->pdata[i], others->pdata[i]),
                      "a figure is called %s on one node and %s on another",
                      (const char *)names->pdata[i], (const char *)others->pdata[i]))
      return;
}

void
part_names_figures_once (Case *c)
{
  g_autoptr (Scene) scene = scene_begin (c);
  g_autoptr (GPtrArray) names = scene != NULL ? list_figures (scene) : NULL;
  for (guint i = 0; names != NULL && i < names->len; i++)
    {
      const char *name = names->pdata[i];
      CASE_EXPECT (c, *name != '\0', "a figure has no name");
      CASE_EXPECT (c, i == 0 || !g_str_equal (name, names->pdata[i - 1]),
                   "the figure %s comes twice", name);
    }
}

/* ---- waits ---- */

/* The case of each rule about waits. All cases check these rules while the part stops. This case
 * also checks them while nodes join. */
void
part_waits_with_words (Case *c)
{
  g_autoptr (Scene) scene = scene_begin (c);
  if (scene == NULL)
    return;
  if (scene->ops.waits == NULL)
    {
      case_skip (c, "the part does not tell for what it waits");
      return;
    }
  scene_check_waits (scene);
  scene_pass (scene);
  scene_check_waits (scene);
  if (scene_is_provider (scene))
    return;
  scene_meet (scene);
  for (guint i = 0; i < 4; i++)
    {
      company_add (scene->company);
      scene_pass (scene);
      scene_check_waits (scene);
    }
}
