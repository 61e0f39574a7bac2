/* type.c - the program's table of object types, and operations on a state of any type
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "objects/private.h"

#include <string.h>

/* All types of the program, by name. The list grows only in constructors, which run one after
 * another before main(), and is constant afterwards. */
static SatinObjectType *types;

void
satin_object_type_register (SatinObjectType *type)
{
  gboolean is_packed = type->pack != NULL && type->copy != NULL && type->clear != NULL;
  if (type->unpack != NULL ? !is_packed : type->pack != NULL)
    g_error (
        "object type %s: give unpack, pack, copy and clear together, or neither unpack nor pack",
        type->name);
  if (type->is_in_place && type->n_kept > 0)
    g_error ("object type %s: is_in_place and n_kept exclude each other", type->name);
  if (type->is_checkpointed && (type->is_in_place || type->n_kept > 0))
    g_error ("object type %s: is_checkpointed excludes is_in_place and n_kept", type->name);
  SatinObjectType **place = &types;
  while (*place != NULL && strcmp ((*place)->name, type->name) < 0)
    place = &(*place)->next;
  if (*place != NULL && g_str_equal ((*place)->name, type->name))
    g_error ("two object types are named %s: rename one", type->name);
  type->next = *place;
  *place = type;
}

void
satin_object_type_add_method (SatinObjectType *type, SatinMethod *method)
{
  SatinMethod **place = &type->methods;
  while (*place != NULL && strcmp ((*place)->name, method->name) < 0)
    place = &(*place)->next;
  if (*place != NULL && g_str_equal ((*place)->name, method->name))
    g_error ("two methods of object type %s are named %s: rename one", type->name, method->name);
  method->next = *place;
  *place = method;
}

const SatinObjectType *
satin_object_type_find (const char *name)
{
  const SatinObjectType *type = types;
  while (type != NULL && !g_str_equal (type->name, name))
    type = type->next;
  return type;
}

const SatinMethod *
satin_object_type_find_method (const SatinObjectType *type, const char *name)
{
  const SatinMethod *method = type->methods;
  while (method != NULL && !g_str_equal (method->name, name))
    method = method->next;
  return method;
}

/* ---- operations, with defaults for what a type leaves out ---- */

/* Makes a state from a record. @ret_state is zeroed. */
gboolean
type_unpack (const SatinObjectType *type, gconstpointer record, gpointer ret_state, GError **error)
{
  if (type->unpack != NULL)
    return type->unpack (record, ret_state, error);
  satin_record_copy (type->record, record, ret_state);
  return TRUE;
}

void
type_clear (const SatinObjectType *type, gpointer state)
{
  if (type->clear != NULL)
    type->clear (state);
  else
    satin_record_clear (type->record, state);
}

/* Makes an equal, independent state in @ret_state, which is zeroed. */
void
type_copy (const SatinObjectType *type, gconstpointer state, gpointer ret_state)
{
  if (type->copy != NULL)
    type->copy (state, ret_state);
  else
    satin_record_copy (type->record, state, ret_state);
}

gint64
type_get_version (const SatinObjectType *type, gconstpointer state)
{
  return type->get_version != NULL ? MAX (type->get_version (state), 0) : 0;
}

/* Returns: (transfer full): the state, encoded */
GBytes *
type_encode (const SatinObjectType *type, gconstpointer state)
{
  if (type->pack == NULL)
    return satin_record_to_bytes (type->record, state);
  g_autofree gpointer record = g_malloc0 (MAX (type->record->size_bytes, 1));
  type->pack (state, record);
  GBytes *bytes = satin_record_to_bytes (type->record, record);
  satin_record_clear (type->record, record);
  return bytes;
}
