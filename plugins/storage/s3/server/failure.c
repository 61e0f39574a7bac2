/* failure.c - turns failures of requests to a bucket into errors of Satin
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "server.h"

#include <string.h>

/* An answer to HEAD has no text that says why the request was refused. If the clocks differ by more
 * than this, they count as the reason. */
#define SKEW_S 300

/* The longest message of a server that is shown. */
#define MESSAGE_MAX 200

static gboolean
is_one_of (const char *code, const char *const *codes)
{
  return code[0] != '\0' && g_strv_contains (codes, code);
}

static const char *
get_code (const AnswerError *server_error)
{
  return server_error != NULL ? server_error->code : "";
}

static gboolean
is_without_reason (const Exchange *exchange, const AnswerError *server_error)
{
  return server_error == NULL && (exchange->status == 400 || exchange->status == 403);
}

static const char *const busy_codes[] = { "SlowDown",
                                          "SlowDownRead",
                                          "SlowDownWrite",
                                          "ServiceUnavailable",
                                          "InternalError",
                                          "RequestTimeout",
                                          "ConditionalRequestConflict",
                                          "OperationAborted",
                                          "Throttling",
                                          "ThrottlingException",
                                          NULL };
static const char *const expired_codes[] = { "ExpiredToken",         "ExpiredTokenException",
                                             "TokenRefreshRequired", "InvalidToken",
                                             "RequestExpired",       NULL };
static const char *const full_codes[] = { "QuotaExceeded", "XMinioStorageFull", "EntityTooLarge",
                                          "XMinioAdminBucketQuotaExceeded", NULL };
static const char *const region_codes[] = { "AuthorizationHeaderMalformed",
                                            "PermanentRedirect",
                                            "TemporaryRedirect",
                                            "IllegalLocationConstraint",
                                            "InvalidRegion",
                                            "Redirect",
                                            NULL };

FailureKind
failure_get_kind (const Exchange *exchange, const AnswerError *server_error)
{
  const char *code = get_code (server_error);
  gint64 skew_s = exchange->date_s - g_get_real_time () / G_USEC_PER_SEC;
  if (strcmp (code, "RequestTimeTooSkewed") == 0
      || (is_without_reason (exchange, server_error) && exchange->date_s != 0
          && ABS (skew_s) > SKEW_S))
    return FAILURE_SKEWED;
  if (is_one_of (code, expired_codes) || is_without_reason (exchange, server_error))
    return FAILURE_EXPIRED;
  if (is_one_of (code, busy_codes) || exchange->status == 429 || exchange->status == 500
      || exchange->status == 502 || exchange->status == 503
      || exchange->status == 504
      /* the text is an error, under the status 200 */
      || (server_error != NULL && exchange->status == 200))
    return FAILURE_REPEAT;
  return FAILURE_FINAL;
}

/* ---- messages ---- */

/* Sets the error. Its message begins with the folder and the action. Returns: FALSE */
static gboolean G_GNUC_PRINTF (5, 6)
    refuse (const Server *server, const Exchange *exchange, SatinErrorCode code, GError **error,
            const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *why = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, SATIN_ERROR, code, "%s: cannot %s: %s", server->where, exchange->what, why);
  return FALSE;
}

static SatinErrorCode
code_of_status (const Exchange *exchange)
{
  if (exchange->status == 401 || exchange->status == 403)
    return SATIN_ERROR_SECRET;
  if (exchange->status == 404)
    return SATIN_ERROR_NOT_FOUND;
  /* The server does not do what it was asked to, for example a condition on PUT. */
  if (exchange->status == 400 || exchange->status == 405 || exchange->status == 501)
    return SATIN_ERROR_INVALID;
  if (exchange->status == 413 || exchange->status == 507)
    return SATIN_ERROR_LIMIT;
  return SATIN_ERROR_IO;
}

static gboolean
set_other (const Server *server, const Exchange *exchange, const AnswerError *server_error,
           GError **error)
{
  gboolean is_full = is_one_of (get_code (server_error), full_codes);
  g_autofree char *message =
      server_error != NULL
          ? g_strdup_printf (" (%s: %.*s)", server_error->code, MESSAGE_MAX, server_error->message)
          : g_strdup ("");
  return refuse (server, exchange, is_full ? SATIN_ERROR_LIMIT : code_of_status (exchange), error,
                 "the server answers with status %ld%s", exchange->status, message);
}

/* Returns: (nullable): the region in which the bucket is, if another one was used */
static const char *
get_region (const Server *server, const Exchange *exchange, const AnswerError *server_error)
{
  gboolean is_redirect = exchange->status == 301 || exchange->status == 307;
  const char *region = NULL;
  if (server_error != NULL && server_error->region[0] != '\0')
    region = server_error->region;
  else if (exchange->bucket_region != NULL)
    region = exchange->bucket_region;
  if (region == NULL || strcmp (region, server->region) == 0)
    return NULL;
  return is_redirect || is_one_of (get_code (server_error), region_codes) ? region : NULL;
}

/* Sets @error if the failure is about the key or the clocks. Returns: whether @error was set */
static gboolean
set_key_failure (const Server *server, const Exchange *exchange, const AnswerError *server_error,
                 GError **error)
{
  const char *code = get_code (server_error), *place = server->credentials.place;
  if (is_one_of (code, expired_codes))
    refuse (server, exchange, SATIN_ERROR_SECRET, error,
            "the credentials of %s have expired: renew them", place);
  else if (strcmp (code, "InvalidAccessKeyId") == 0)
    refuse (server, exchange, SATIN_ERROR_SECRET, error,
            "the server does not know the key of %s: is it for another server?", place);
  else if (strcmp (code, "SignatureDoesNotMatch") == 0)
    refuse (server, exchange, SATIN_ERROR_SECRET, error,
            "the secret of %s does not fit the key: write both again", place);
  else if (strcmp (code, "RequestTimeTooSkewed") == 0)
    refuse (server, exchange, SATIN_ERROR_SECRET, error,
            "the clocks of this machine and the server differ too much: set this machine's clock");
  else if (exchange->status == 403 && !is_one_of (code, full_codes))
    refuse (server, exchange, SATIN_ERROR_SECRET, error,
            "access denied: the key of %s needs the permission %s%s%s", place, exchange->may,
            code[0] != '\0' && strcmp (code, "AccessDenied") != 0 ? "; the server says " : "",
            code[0] != '\0' && strcmp (code, "AccessDenied") != 0 ? code : "");
  else
    return FALSE;
  return TRUE;
}

gboolean
failure_set (const Server *server, const Exchange *exchange, const AnswerError *server_error,
             GError **error)
{
  const char *code = get_code (server_error);
  const char *region = get_region (server, exchange, server_error);
  if (region != NULL)
    return refuse (server, exchange, SATIN_ERROR_INVALID, error,
                   "the bucket \"%s\" is in the region %.64s, not in %s: give region=%.64s",
                   server->address.bucket, region, server->region, region);
  if (strcmp (code, "NoSuchBucket") == 0)
    return refuse (server, exchange, SATIN_ERROR_NOT_FOUND, error,
                   "there is no bucket \"%s\": make it, or correct the URI",
                   server->address.bucket);
  if (set_key_failure (server, exchange, server_error, error))
    return FALSE;
  if (failure_get_kind (exchange, server_error) == FAILURE_REPEAT)
    return refuse (server, exchange, SATIN_ERROR_IO, error,
                   "the server is busy or broken (status %ld%s%s), and it was asked again for "
                   "%" G_GINT64_FORMAT " ms (parameter retry)",
                   exchange->status, code[0] != '\0' ? ", " : "", code, server->retry_us / 1000);
  return set_other (server, exchange, server_error, error);
}

/* ---- no answer ---- */

static SatinErrorCode
code_of (CURLcode code)
{
  switch ((int)code)
    {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
      return SATIN_ERROR_UNREACHABLE;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CACERT_BADFILE:
      return SATIN_ERROR_SECRET;
    case CURLE_OPERATION_TIMEDOUT:
      return SATIN_ERROR_TIMEOUT;
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
      return SATIN_ERROR_CLOSED;
    default:
      return SATIN_ERROR_IO;
    }
}

gboolean
failure_set_broken (const Server *server, const Exchange *exchange, const CurlRequest *request,
                    CurlRequestEnd end, GError **error)
{
  if (end == CURL_REQUEST_OVERDUE)
    return refuse (server, exchange, SATIN_ERROR_TIMEOUT, error,
                   "the server did nothing for %" G_GINT64_FORMAT " ms (parameter timeout)",
                   server->line.timeout_us / 1000);
  return refuse (server, exchange, code_of (request->code), error, "%s",
                 request->message[0] != '\0' ? request->message
                                             : curl_easy_strerror (request->code));
}
