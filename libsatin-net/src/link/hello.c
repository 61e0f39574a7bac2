/* hello.c - makes, reads and judges the hello that begins a link
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "hello.h"

#include <satin/base/bytes.h>
#include <string.h>

#define MAGIC       "SATN"
#define MAGIC_BYTES 4
#define HEAD_BYTES  6

#define RUN_BYTES    16
#define DIGEST_BYTES 16

static gboolean
has_run (const SatinIdentity *identity)
{
  static const guint8 none[RUN_BYTES];

  return memcmp (identity->run, none, RUN_BYTES) != 0;
}

GBytes *
satin_hello_to_bytes (const SatinIdentity *identity)
{
  GByteArray *bytes = g_byte_array_sized_new (128);
  guint16 version = GUINT16_TO_LE (SATIN_PROTOCOL_VERSION);
  SatinHello hello = {
    .role = identity->role,
    .record_format = SATIN_RECORD_FORMAT,
    .node = identity->node,
  };

  if (has_run (identity))
    {
      hello.run = identity->run;
      hello.n_run = RUN_BYTES;
    }
  if (identity->role == SATIN_ROLE_NODE && identity->program != NULL)
    {
      hello.program = identity->program->name;
      hello.digest = identity->program->digest;
      hello.n_digest = DIGEST_BYTES;
      hello.build = identity->program->build;
    }
  g_byte_array_append (bytes, (const guint8 *)MAGIC, MAGIC_BYTES);
  g_byte_array_append (bytes, (const guint8 *)&version, sizeof version);
  satin_record_encode (&SatinHello_record, &hello, bytes);
  return g_byte_array_free_to_bytes (bytes);
}

gboolean
satin_hello_read (GBytes *payload, SatinHello *ret_hello, GError **error)
{
  gsize n_bytes = 0;
  const guint8 *bytes = g_bytes_get_data (payload, &n_bytes);
  guint16 version;

  if (n_bytes < HEAD_BYTES || memcmp (bytes, MAGIC, MAGIC_BYTES) != 0)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                           "not a Satin peer: its hello does not begin with " MAGIC);
      return FALSE;
    }
  memcpy (&version, bytes + MAGIC_BYTES, sizeof version);
  version = GUINT16_FROM_LE (version);
  if (version != SATIN_PROTOCOL_VERSION)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_PROTOCOL,
                   "one side speaks protocol version %u, the other version %u: use the same "
                   "release of Satin on both",
                   version, SATIN_PROTOCOL_VERSION);
      return FALSE;
    }
  return satin_record_decode (&SatinHello_record, bytes + HEAD_BYTES, n_bytes - HEAD_BYTES,
                              ret_hello, error);
}

static gboolean
judge_shape (const SatinHello *hello, GError **error)
{
  if (hello->record_format != SATIN_RECORD_FORMAT)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_PROTOCOL,
                   "one side writes record format %d, the other format %d: use the same release "
                   "of Satin on both",
                   hello->record_format, SATIN_RECORD_FORMAT);
      return FALSE;
    }
  if (hello->role < SATIN_ROLE_NODE || hello->role > SATIN_ROLE_TOOL || hello->node < 0
      || hello->node > G_MAXUINT32 || (hello->n_run != 0 && hello->n_run != RUN_BYTES)
      || (hello->n_digest != 0 && hello->n_digest != DIGEST_BYTES))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                   "no hello has role %d, node %" G_GINT64_FORMAT ", a run of %" G_GSIZE_FORMAT
                   " bytes and a digest of %" G_GSIZE_FORMAT " bytes",
                   hello->role, hello->node, hello->n_run, hello->n_digest);
      return FALSE;
    }
  if (*hello->build != '\0' && !satin_build_is_valid (hello->build))
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                           "the build in a hello is no build");
      return FALSE;
    }
  return TRUE;
}

static gboolean
judge_build (const SatinHello *hello, const SatinProgram *program, GError **error)
{
  if (satin_builds_allow (program->build, hello->build))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_PROGRAM,
               "one side runs the build %s of %s, the other the build %s: start the same build "
               "of the same program on all nodes",
               hello->build, hello->program, program->build);
  return FALSE;
}

static gboolean
judge_program (const SatinHello *hello, const SatinProgram *program, GError **error)
{
  g_autofree char *theirs = NULL;
  g_autofree char *ours = NULL;

  if (program == NULL || hello->n_digest == 0)
    return TRUE;
  if (strcmp (hello->program, program->name) == 0
      && memcmp (hello->digest, program->digest, DIGEST_BYTES) == 0)
    return judge_build (hello, program, error);
  theirs = satin_hex (hello->digest, 4);
  ours = satin_hex (program->digest, 4);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_PROGRAM,
               "one side runs %s (tasks %s), the other %s (tasks %s): start the same build of the "
               "same program on all nodes",
               hello->program, theirs, program->name, ours);
  return FALSE;
}

gboolean
satin_hello_judge (const SatinHello *hello, const SatinIdentity *identity, GError **error)
{
  g_autofree char *theirs = NULL;
  g_autofree char *ours = NULL;

  if (!judge_shape (hello, error) || !judge_program (hello, identity->program, error))
    return FALSE;
  if (hello->n_run == 0 || !has_run (identity)
      || memcmp (hello->run, identity->run, RUN_BYTES) == 0)
    return TRUE;
  theirs = satin_hex (hello->run, RUN_BYTES);
  ours = satin_hex (identity->run, RUN_BYTES);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "one side belongs to run %s, the other to run %s: the address is of another run",
               theirs, ours);
  return FALSE;
}
