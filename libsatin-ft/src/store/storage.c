/* storage.c - checks the names of files in a storage
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/ft/storage.h>

#include <string.h>

#define NAME_CHARACTERS G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS ".-_"

gboolean
satin_storage_name_is_valid (const char *name)
{
  gsize n = strspn (name, NAME_CHARACTERS);
  return n > 0 && n <= SATIN_STORAGE_NAME_MAX && name[n] == '\0' && name[0] != '.';
}
