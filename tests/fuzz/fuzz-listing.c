/* fuzz-listing.c - fuzzes the parsers of servers' lists of files
 *
 * The first byte of an input chooses between the lines of FTP and the XML of WebDAV. Each file that
 * is reported must have a name that a file of a storage may have, and a size in range.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"
#include "listing.h"
#include "multistatus.h"

#include <string.h>

static void
check_entry (const char *name, guint64 size_bytes, gpointer user_data)
{
  g_assert_true (satin_storage_name_is_valid (name));
  g_assert_cmpuint (size_bytes, <=, G_MAXINT64);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  if (n_bytes == 0)
    return 0;
  const char *text = (const char *)bytes + 1;
  if (bytes[0] % 2 == 0)
    listing_parse (text, n_bytes - 1, check_entry, NULL);
  else
    {
      g_autoptr (GError) error = NULL;
      gboolean is_read = multistatus_parse (text, n_bytes - 1, check_entry, NULL, &error);
      g_assert_true (is_read == (error == NULL));
    }
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  static const char *const examples[] = {
    "\2type=file;size=3;modify=20260101000000; a\r\ntype=dir;size=1; b\r\n",
    "\1<?xml version=\"1.0\"?><D:multistatus xmlns:D=\"DAV:\"><D:response><D:href>/f/a</D:href>"
    "<D:propstat><D:prop><D:resourcetype/><D:getcontentlength>3</D:getcontentlength></D:prop>"
    "</D:propstat></D:response></D:multistatus>",
  };
  const char *example = examples[g_test_rand_int_range (0, G_N_ELEMENTS (examples))];
  g_byte_array_append (out, (const guint8 *)example, (guint)strlen (example));
}
