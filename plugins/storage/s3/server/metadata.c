/* metadata.c - gets credentials from the metadata service of a machine in Amazon's cloud
 *
 * Version 2 of the service (IMDSv2) first gives a token, which each request then shows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "credentials.h"

#include <json-glib/json-glib.h>
#include <string.h>

/* On other machines nobody answers, or a packet filter drops the packets. */
#define TIMEOUT_US     G_USEC_PER_SEC
#define MAX_TEXT_BYTES ((gsize)64 << 10)

#define TOKEN_PATH "/latest/api/token"
#define ROLE_PATH  "/latest/meta-data/iam/security-credentials/"

/* Returns: (transfer full) (nullable): the answer's text; %NULL with @error. @header: one more
 * header. @is_put: the method is PUT, else GET */
static char *
ask (CurlLine *line, const char *base, const char *path, const char *header, gboolean is_put,
     GError **error)
{
  CurlRequest request;
  g_autofree char *url = g_strconcat (base, path, NULL);
  struct curl_slist *headers = curl_slist_append (NULL, header);
  char *text = NULL;
  curl_request_begin (&request, line, url);
  request.has_text = TRUE;
  request.max_text_bytes = MAX_TEXT_BYTES;
  curl_easy_setopt (line->easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt (line->easy, CURLOPT_PROXY, "");
  curl_easy_setopt (line->easy, CURLOPT_HTTPHEADER, headers);
  if (is_put)
    curl_easy_setopt (line->easy, CURLOPT_CUSTOMREQUEST, "PUT");
  if (curl_request_make (&request) == CURL_REQUEST_ANSWERED && request.status == 200)
    text = g_strndup (request.text->str, request.text->len);
  else
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET,
                 "the metadata service at %s gives none (status %ld)", base, request.status);
  curl_request_end (&request);
  curl_slist_free_all (headers);
  return text;
}

/* Returns: (transfer full) (nullable): a text of the object */
static char *
take_text (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);
  return node != NULL && json_node_get_value_type (node) == G_TYPE_STRING
             ? g_strdup (json_node_get_string (node))
             : NULL;
}

gboolean
metadata_parse (const char *text, gsize n_bytes, Credentials *ret_found)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  if (n_bytes > MAX_TEXT_BYTES || !json_parser_load_from_data (parser, text, (gssize)n_bytes, NULL))
    return FALSE;
  JsonNode *root = json_parser_get_root (parser);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return FALSE;
  JsonObject *object = json_node_get_object (root);
  g_autofree char *until = take_text (object, "Expiration");
  g_autoptr (GDateTime) expires = until != NULL ? g_date_time_new_from_iso8601 (until, NULL) : NULL;
  Credentials found = { .key_id = take_text (object, "AccessKeyId"),
                        .secret = take_text (object, "SecretAccessKey"),
                        .token = take_text (object, "Token"),
                        .expires_s = expires != NULL ? g_date_time_to_unix (expires) : 0,
                        .place = g_strdup ("the machine's metadata service") };
  gboolean is_found = found.key_id != NULL && found.secret != NULL;
  if (is_found)
    *ret_found = found;
  else
    credentials_clear (&found);
  return is_found;
}

static gboolean
find (CurlLine *line, const char *base, Credentials *ret_found, GError **error)
{
  g_autofree char *token =
      ask (line, base, TOKEN_PATH, "X-aws-ec2-metadata-token-ttl-seconds: 300", TRUE, error);
  if (token == NULL)
    return FALSE;
  g_autofree char *header = g_strconcat ("X-aws-ec2-metadata-token: ", g_strstrip (token), NULL);
  g_autofree char *roles = ask (line, base, ROLE_PATH, header, FALSE, error);
  if (roles == NULL)
    return FALSE;
  roles[strcspn (roles, "\r\n")] = '\0';
  g_autofree char *role = g_uri_escape_string (roles, NULL, FALSE);
  g_autofree char *path = g_strconcat (ROLE_PATH, role, NULL);
  char *text = ask (line, base, path, header, FALSE, error);
  if (text == NULL)
    return FALSE;
  gboolean is_found = metadata_parse (text, strlen (text), ret_found);
  curl_common_free_secret (text);
  if (!is_found)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET,
                 "the metadata service at %s answers with something else than credentials", base);
  return is_found;
}

gboolean
metadata_find (const CredentialsSource *source, Credentials *ret_found, GError **error)
{
  CurlLine line = { .timeout_us = TIMEOUT_US, .wake_fd = source->wake_fd };
  gboolean is_found = FALSE;
  if (curl_line_open (&line))
    is_found = find (&line, source->metadata, ret_found, error);
  else
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "libcurl cannot be started");
  curl_line_close (&line);
  return is_found;
}
