import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import {
  BadRequestError,
  ConflictError,
  ExternalServiceError,
  RateLimitedError,
  ResourceNotFoundError,
  ServiceUnavailableError,
  ValidationError
} from "@switchboard/domain/Errors"
import { unsubscribePath } from "@switchboard/services/email/send/Unsubscribes"
import { clickPath, openPath } from "@switchboard/services/email/tracking/TrackingLinks"
import { objectsPath } from "@switchboard/services/objects/ObjectLinks"
import { uploadsPath } from "@switchboard/services/objects/UploadLinks"
import { oidcCallbackPath } from "@switchboard/services/sessions/OidcLogin"
import { identity, Schema } from "effect"
import { Removed } from "../CommonShapes.js"

const html = (description: string) => HttpApiSchema.Text({ contentType: "text/html" }).annotations({ description })

const octets = (contentType: string, description: string) =>
  HttpApiSchema.Uint8Array({ contentType }).annotations({
    description,
    jsonSchema: { type: "string", contentEncoding: "binary" }
  })

/** A missing or repeated token is decoded as an unknown token, so that the response is 404 instead of 400. */
const mailToken = Schema.Struct({
  token: Schema.transform(Schema.UndefinedOr(Schema.Union(Schema.String, Schema.Array(Schema.String))), Schema.String, {
    decode: (token = "") => String(token),
    encode: identity
  }).annotations({ jsonSchema: { type: "string", description: "Token of the link in a mail" } })
})
const linkToken = { description: "Token of the link" }

/** The parameter of a path that ends with a wildcard. */
const tokenInPath = {
  parameters: [{ name: "token", in: "path", schema: { type: "string", ...linkToken }, required: true, ...linkToken }]
}

const state = <State extends string>(name: State, description: string) =>
  Schema.Struct({ status: Schema.Literal(name) }).annotations({ description })

const UnknownLink = ResourceNotFoundError.annotations({ description: "The link is unknown" })
const ExpiredLink = ResourceNotFoundError.annotations({ description: "The link is unknown or expired" })
const ObjectStoreError = ExternalServiceError.annotations({ description: "The object store failed" })

const UnsubscribeLinks = HttpApiGroup.make("unsubscribe")
  .add(
    HttpApiEndpoint.get("look", unsubscribePath)
      .setUrlParams(mailToken)
      .addSuccess(html("HTML page with a button that unsubscribes"))
      .addError(UnknownLink)
      .addError(ServiceUnavailableError)
      .annotate(OpenApi.Summary, "Show the unsubscribe page")
      .annotate(
        OpenApi.Description,
        "Page of the link in `List-Unsubscribe` of marketing mail. It has a button that unsubscribes. The request changes nothing, because mail scanners follow links. The page is in the language of `Accept-Language` (`de`, `en`, `es`, `fr`, `ja`, `pt`; default: `en`), with the name of the organization and its logo, if its URL is https. A request that accepts HTML gets a page also for 404."
      )
  )
  .add(
    HttpApiEndpoint.post("confirm", unsubscribePath)
      .setUrlParams(mailToken)
      .addSuccess(html("HTML page that names the categories"))
      .addError(UnknownLink)
      .addError(ServiceUnavailableError)
      .annotate(OpenApi.Summary, "Unsubscribe with one click")
      .annotate(
        OpenApi.Description,
        "Request of mail clients (RFC 8058) and of the button on the unsubscribe page. Blocks the recipient for each category of the message except `transactional`, with the reason `unsubscribe`. Other mail still arrives. A repeat changes nothing. The request body is ignored. The page is as that of the GET request."
      )
  )
  .annotate(OpenApi.Title, "Unsubscribe links")

const OpenTracking = HttpApiGroup.make("opens")
  .add(
    HttpApiEndpoint.get("record", openPath)
      .setUrlParams(mailToken)
      .addSuccess(octets("image/gif", "Transparent image of one pixel"))
      .annotate(OpenApi.Summary, "Load the image of a tracked mail")
      .annotate(
        OpenApi.Description,
        [
          "Image in the HTML of a message with `trackOpens`. Loading it makes the message `read`.",
          "",
          "- Requests of known image proxies and mail scanners, HEAD requests, prefetches (`Sec-Purpose: prefetch`), and requests within 2 seconds of the delivery are not counted.",
          "- The response is the same for every token."
        ].join("\n")
      )
  )
  .annotate(OpenApi.Title, "Open tracking")

const ClickTracking = HttpApiGroup.make("clicks")
  .add(
    // A wildcard, because the router limits path parameters to 100 characters and a token is longer.
    HttpApiEndpoint.get("follow", `${clickPath}*`)
      .addSuccess(HttpApiSchema.Empty(302).annotations({ description: "Redirect to the link in the mail" }))
      .addError(UnknownLink)
      .annotate(OpenApi.Override, tokenInPath)
      .annotate(OpenApi.Summary, "Follow a link of a tracked mail")
      .annotate(
        OpenApi.Description,
        [
          "Link in the HTML of a message with `trackClicks`. The token contains the original link and is signed. Following it adds to `emailMetadata.clicks`, publishes `message.clicked` and makes the message `read`.",
          "",
          "- Requests of known scanners, HEAD requests, prefetches (`Sec-Purpose: prefetch`), and requests within 2 seconds of the delivery are marked `isLikelyBot` in `clicks`, and change nothing else.",
          "- A token that was changed is 404."
        ].join("\n")
      )
  )
  .annotate(OpenApi.Title, "Click tracking")

const Downloads = HttpApiGroup.make("objects")
  .add(
    // A wildcard, because the router limits path parameters to 100 characters and a token is longer.
    HttpApiEndpoint.get("download", `${objectsPath}*`)
      .addSuccess(octets("application/octet-stream", "Content of the file"))
      .addError(ExpiredLink)
      .addError(ObjectStoreError)
      .annotate(OpenApi.Override, tokenInPath)
      .annotate(OpenApi.Summary, "Download a file")
      .annotate(
        OpenApi.Description,
        "Download link of attachments, transcripts and recordings, valid for 15 minutes. It needs no key. Files are sent with `Content-Disposition: attachment`."
      )
  )
  .annotate(OpenApi.Title, "Objects")

const Uploads = HttpApiGroup.make("uploads")
  .add(
    HttpApiEndpoint.put("put", `${uploadsPath}:token`)
      .setPath(Schema.Struct({ token: Schema.String.annotations(linkToken) }))
      .setPayload(octets("*/*", "Content of the file"))
      .addSuccess(Removed.annotations({ identifier: "Removed", description: "The document is ready" }))
      .addError(BadRequestError)
      .addError(ExpiredLink)
      .addError(ConflictError.annotations({ description: "The document is already uploaded" }))
      .addError(
        ValidationError.annotations({ description: "Length or media type differ from the request for the link" })
      )
      .addError(ObjectStoreError)
      .addError(ServiceUnavailableError)
      .annotate(OpenApi.Summary, "Upload a document")
      .annotate(
        OpenApi.Description,
        [
          "Target of an `uploadUrl` of this service, valid once and for 15 minutes. It needs no key.",
          "",
          "- 422: `Content-Type` or length differ from the request for the link.",
          "- 409: the document is already uploaded.",
          "- After an error, the upload can be repeated.",
          "- An upload may last as long as it transfers at least 64 kB per second."
        ].join("\n")
      )
  )
  .annotate(OpenApi.Title, "Objects")

const NoProvider = ResourceNotFoundError.annotations({ description: "No provider is configured" })

const OidcLogins = HttpApiGroup.make("oidc")
  .add(
    HttpApiEndpoint.get("begin", "/v1/session/oidc")
      .addSuccess(HttpApiSchema.Empty(303).annotations({ description: "Redirect to the provider" }))
      .addError(NoProvider)
      .addError(RateLimitedError)
      .addError(ServiceUnavailableError)
      .annotate(OpenApi.Summary, "Log in with OpenID Connect")
      .annotate(
        OpenApi.Description,
        "Link of a log-in page, for browsers. Leads to the provider of `OIDC_ISSUER` (authorization code with PKCE), and sets the cookie `switchboard_oidc`, which binds the log-in to the browser for 10 minutes. If the provider can't be reached, it leads to `/console/#error=oidc_unavailable`. 404: no provider is configured."
      )
  )
  .add(
    HttpApiEndpoint.get("finish", oidcCallbackPath)
      .addSuccess(HttpApiSchema.Empty(303).annotations({ description: "Redirect to the console" }))
      .addError(NoProvider)
      .annotate(OpenApi.Summary, "Finish a log-in with OpenID Connect")
      .annotate(
        OpenApi.Description,
        [
          "Redirect URI of the provider. After a log-in it sets the cookie `switchboard_session` as `POST /v1/session` does, and leads to `/console/`. Otherwise it leads to `/console/#error=` with one of:",
          "",
          "- `oidc_denied`: the person or the provider refused the log-in.",
          "- `oidc_unverified_email`: the provider did not verify the e-mail address.",
          "- `oidc_unknown_user`: neither a user nor an open invitation has the address.",
          "- `oidc_unavailable`: the provider or the service can't be reached. Try again.",
          "- `oidc_invalid`: the log-in took longer than 10 minutes, was used before, began in another browser, or the response of the provider is not valid; or the user is bound to another account of the provider.",
          "",
          "The first log-in binds the user to the account of the provider (claims `iss` and `sub`). Later the account decides, not its address."
        ].join("\n")
      )
  )
  .annotate(OpenApi.Title, "OpenID Connect")

const Health = HttpApiGroup.make("health")
  .add(
    HttpApiEndpoint.get("alive", "/healthz")
      .addSuccess(state("alive", "The process is running"))
      .annotate(OpenApi.Summary, "Check liveness")
      .annotate(OpenApi.Description, "Responds while the process is running.")
  )
  .add(
    HttpApiEndpoint.get("ready", "/readyz")
      .addSuccess(state("ready", "The process can serve requests"))
      .addError(ServiceUnavailableError)
      .annotate(OpenApi.Summary, "Check readiness")
      .annotate(OpenApi.Description, "Responds with 200 if the process can serve requests, with 503 otherwise.")
  )
  .annotate(OpenApi.Title, "Health")

const Documentation = HttpApiGroup.make("description")
  .add(
    HttpApiEndpoint.get("document", "/v1/openapi.json")
      .addSuccess(Schema.Unknown.annotations({ description: "OpenAPI 3.1 document", jsonSchema: {} }))
      .annotate(OpenApi.Summary, "Retrieve the OpenAPI document")
      .annotate(
        OpenApi.Description,
        "Returns this document (OpenAPI 3.1), with an `ETag`. If `If-None-Match` has it: 304 without a body."
      )
  )
  .add(
    HttpApiEndpoint.get("page", "/v1/docs")
      .addSuccess(html("HTML page of the document"))
      .annotate(OpenApi.Summary, "Show the API documentation")
      .annotate(
        OpenApi.Description,
        "HTML page of this document, with an `ETag`. If `If-None-Match` has it: 304 without a body."
      )
  )
  .annotate(OpenApi.Title, "Documentation")

/** The routes that need no key: pages, files, probes and the document. */
export const PublicRoutes = HttpApi.make("public")
  .add(UnsubscribeLinks)
  .add(OpenTracking)
  .add(ClickTracking)
  .add(Downloads)
  .add(Uploads)
  .add(OidcLogins)
  .add(Health)
  .add(Documentation)
