/* failure.c - turns failures of libcurl and of servers into errors of Satin
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "failure.h"

#include <string.h>

/* Returns: the error code for an FTP server's refusal. vsftpd says "Failure writing to local file"
 * for each write that failed; this counts as a full disk */
static SatinErrorCode
code_of_reply (const Request *request)
{
  const char *line = request->curl.last_line != NULL ? request->curl.last_line : "";
  if (request->curl.status == 452 || request->curl.status == 552
      || strstr (line, "Failure writing to local file") != NULL
      || strstr (line, "No space left") != NULL || strstr (line, "quota exceeded") != NULL)
    return SATIN_ERROR_LIMIT;
  if (request->curl.status == 530 || request->curl.status == 532)
    return SATIN_ERROR_SECRET;
  return SATIN_ERROR_IO;
}

static SatinErrorCode
code_of (const Request *request, CURLcode code)
{
  /* The codes of libcurl that are tested first decide alone. For all other codes, the server's last
   * reply decides, if it gives a reason. */
  if (code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_CONNECT
      || code == CURLE_FTP_CANT_GET_HOST)
    return SATIN_ERROR_UNREACHABLE;
  if (code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_LOGIN_DENIED
      || code == CURLE_SSL_CONNECT_ERROR || code == CURLE_SSL_CACERT_BADFILE
      || code == CURLE_USE_SSL_FAILED || code == CURLE_AUTH_ERROR)
    return SATIN_ERROR_SECRET;
  if (code == CURLE_OPERATION_TIMEDOUT)
    return SATIN_ERROR_TIMEOUT;
  if (code == CURLE_REMOTE_FILE_NOT_FOUND || code == CURLE_REMOTE_ACCESS_DENIED)
    return SATIN_ERROR_NOT_FOUND;
  if (code == CURLE_REMOTE_DISK_FULL)
    return SATIN_ERROR_LIMIT;
  SatinErrorCode said = code_of_reply (request);
  gboolean is_cut = code == CURLE_GOT_NOTHING || code == CURLE_PARTIAL_FILE
                    || code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR;
  return said == SATIN_ERROR_IO && is_cut ? SATIN_ERROR_CLOSED : said;
}

gboolean
failure_take (const Request *request, CURLcode code, GError **error)
{
  const char *message =
      request->curl.message[0] != '\0' ? request->curl.message : curl_easy_strerror (code);
  g_autofree char *said = g_utf8_make_valid (
      request->curl.last_line != NULL && request->curl.status >= 400 ? request->curl.last_line : "",
      -1);
  g_set_error (error, SATIN_ERROR, code_of (request, code), "%s: cannot %s: %s%s%s",
               request->folder->where, request->what, message, said[0] != '\0' ? ": " : "", said);
  return FALSE;
}

gboolean
failure_take_status (const Request *request, GError **error)
{
  SatinErrorCode code = SATIN_ERROR_IO;
  if (request->curl.status == 401 || request->curl.status == 403 || request->curl.status == 407)
    code = SATIN_ERROR_SECRET;
  else if (request->curl.status == 404 || request->curl.status == 409
           || request->curl.status == 410)
    code = SATIN_ERROR_NOT_FOUND;
  else if (request->curl.status == 413 || request->curl.status == 507)
    code = SATIN_ERROR_LIMIT;
  g_set_error (error, SATIN_ERROR, code, "%s: cannot %s: the server answers with status %ld",
               request->folder->where, request->what, request->curl.status);
  return FALSE;
}
