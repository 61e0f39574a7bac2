/* slow-rename.c - makes rename() slow in the program that preloads this library
 *
 * A server that replaces a file in two steps is then long between them, so a test sees what is
 * there meanwhile.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define PAUSE_US 20000

int
rename (const char *old_path, const char *new_path)
{
  usleep (PAUSE_US);
  return renameat (AT_FDCWD, old_path, AT_FDCWD, new_path);
}
