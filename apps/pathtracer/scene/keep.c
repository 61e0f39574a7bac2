/* keep.c - makes each scene once, and keeps it until the process ends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scene.h"

#include <pthread.h>

/* A scene that this process has made. There are few, so the process keeps all until it ends. */
typedef struct _Kept Kept;
struct _Kept
{
  gint64 id;
  Scene *scene; /* (owned) */
  Kept *next;   /* (owned) */
};

static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;
/* (guarded by kept_lock) Entries do not change once they are in the list. */
static Kept *kept;

static const Scene *
find_or_make (gint64 id, const SceneData *data, GError **error)
{
  for (Kept *entry = kept; entry != NULL; entry = entry->next)
    if (entry->id == id)
      return entry->scene;
  if (data == NULL)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_JOB, "the scene is not here");
      return NULL;
    }
  Scene *scene = scene_new (data, error);
  if (scene == NULL)
    return NULL;
  Kept *entry = g_new (Kept, 1);
  *entry = (Kept){ id, scene, kept };
  kept = entry;
  return scene;
}

const Scene *
scene_keep (gint64 id, const SceneData *data, GError **error)
{
  pthread_mutex_lock (&kept_lock);
  const Scene *scene = find_or_make (id, data, error);
  pthread_mutex_unlock (&kept_lock);
  return scene;
}
