/* source.c - makes each scene once, and keeps it until the process ends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "source.h"
#include <pthread.h>
#include "../../common/file.h"
#include "balls.h"
#include "nff.h"

#define BALLS_PREFIX "balls:"

/* A scene that this process has made. There are few, so the process keeps all until it ends. */
typedef struct _Kept Kept;
struct _Kept
{
  char *digest; /* (owned) */
  Scene *scene; /* (owned) */
  Kept *next;   /* (owned) */
};

static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;
/* (guarded by kept_lock) Entries do not change once they are in the list. */
static Kept *kept;

static char *
digest_of (const char *name, const char *text, gsize n_text)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  g_checksum_update (sum, (const guchar *)name, (gssize)strlen (name) + 1);
  g_checksum_update (sum, (const guchar *)text, (gssize)n_text);
  return g_strdup (g_checksum_get_string (sum));
}

static gboolean
parse_balls (const char *name, guint *ret_n_levels, GError **error)
{
  guint64 n_levels;

  if (!g_str_has_prefix (name, BALLS_PREFIX)
      || !g_ascii_string_to_unsigned (name + strlen (BALLS_PREFIX), 10, 0, BALLS_MAX_LEVELS,
                                      &n_levels, NULL))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "no scene '%s', use balls:0 to balls:%d or an NFF file", name, BALLS_MAX_LEVELS);
      return FALSE;
    }
  *ret_n_levels = (guint)n_levels;
  return TRUE;
}

gboolean
source_generate (const char *name, SceneSource *ret_source, GError **error)
{
  guint n_levels;

  if (!parse_balls (name, &n_levels, error))
    return FALSE;
  *ret_source = (SceneSource){ .name = g_strdup (name), .digest = digest_of (name, "", 0) };
  return TRUE;
}

gboolean
source_load (const char *path, SceneSource *ret_source, GError **error)
{
  g_autofree char *text = NULL;
  gsize n_text;

  if (!app_file_read ("scene file", path, NFF_MAX_BYTES, &text, &n_text, error))
    return FALSE;
  /* A record's strings are UTF-8, but a file's name may have another encoding. */
  char *name = g_filename_display_name (path);
  *ret_source = (SceneSource){ .name = name,
                               .digest = digest_of (name, text, n_text),
                               .text = (const guint8 *)g_steal_pointer (&text),
                               .n_text = n_text };
  return TRUE;
}

static Scene *
make (const SceneSource *source, GError **error)
{
  guint n_levels;

  if (source->n_text > 0)
    return nff_read (source->name, (const char *)source->text, source->n_text, error);
  if (!parse_balls (source->name, &n_levels, error))
    return NULL;
  return balls_scene (n_levels);
}

/* A node that is damaged might send another text. The digest would then name it for all later jobs,
 * and their pixels would be wrong. */
static gboolean
check_digest (const SceneSource *source, GError **error)
{
  g_autofree char *digest = digest_of (source->name, (const char *)source->text, source->n_text);

  if (strcmp (digest, source->digest) == 0)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT, "scene %s: its digest is %s, not %s",
               source->name, digest, source->digest);
  return FALSE;
}

static const Scene *
find_or_make (const SceneSource *source, GError **error)
{
  Scene *scene;
  Kept *entry;

  for (entry = kept; entry != NULL; entry = entry->next)
    if (strcmp (entry->digest, source->digest) == 0)
      return entry->scene;
  scene = check_digest (source, error) ? make (source, error) : NULL;
  if (scene == NULL)
    return NULL;
  entry = g_new (Kept, 1);
  *entry = (Kept){ g_strdup (source->digest), scene, kept };
  kept = entry;
  return scene;
}

const Scene *
source_scene (const SceneSource *source, GError **error)
{
  const Scene *scene;

  pthread_mutex_lock (&kept_lock);
  scene = find_or_make (source, error);
  pthread_mutex_unlock (&kept_lock);
  return scene;
}
