import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import {
  BadRequestError,
  ConflictError,
  ExternalServiceError,
  ResourceNotFoundError,
  ServiceUnavailableError,
  ValidationError
} from "@switchboard/domain/Errors"
import { openPath } from "@switchboard/services/email/opens/OpenLink"
import { unsubscribePath } from "@switchboard/services/email/send/UnsubscribeLink"
import { objectsPath } from "@switchboard/services/objects/ObjectLinks"
import { uploadsPath } from "@switchboard/services/voice/knowledgeBases/KnowledgeBases"
import { identity, Schema } from "effect"
import { Examples } from "../Annotations.js"
import { Removed, removed } from "../CommonShapes.js"

const html = (description: string) => HttpApiSchema.Text({ contentType: "text/html" }).annotations({ description })

const octets = (contentType: string, description: string) =>
  HttpApiSchema.Uint8Array({ contentType }).annotations({
    description,
    jsonSchema: { type: "string", contentEncoding: "binary" }
  })

/** Without a token, or with several, a link is unknown. */
const mailToken = Schema.Struct({
  token: Schema.transform(Schema.UndefinedOr(Schema.Union(Schema.String, Schema.Array(Schema.String))), Schema.String, {
    decode: (token = "") => String(token),
    encode: identity
  }).annotations({ jsonSchema: { type: "string", description: "The token of the mail's link" } })
})
const linkToken = { description: "The token of the link" }

const state = <State extends string>(name: State, description: string) =>
  Schema.Struct({ status: Schema.Literal(name) }).annotations({ description })

const NoSuchLink = ResourceNotFoundError.annotations({ description: "The link is none of ours" })
const LinkOver = ResourceNotFoundError.annotations({ description: "The link is over, or none of ours" })
const ObjectStoreFails = ExternalServiceError.annotations({ description: "The object store fails" })

const page = "<!doctype html>…"
const noSuch = (resource: string) => ({ _tag: "ResourceNotFoundError", resource, id: "the token" })
const storeFails = {
  _tag: "ExternalServiceError",
  provider: "object store",
  message: "The object store does not answer as it should; try again"
}

const Unsubscribing = HttpApiGroup.make("unsubscribe")
  .add(
    HttpApiEndpoint.get("look", unsubscribePath)
      .setUrlParams(mailToken)
      .addSuccess(html("A page with a button that unsubscribes"))
      .addError(NoSuchLink)
      .addError(ServiceUnavailableError)
      .annotate(OpenApi.Summary, "Show what an unsubscribe link does")
      .annotate(
        OpenApi.Description,
        "Where `List-Unsubscribe` of marketing mail leads: a page with a button. It changes nothing, since scanners of mail follow links."
      )
  )
  .add(
    HttpApiEndpoint.post("confirm", unsubscribePath)
      .setUrlParams(mailToken)
      .addSuccess(html("A page that names the categories"))
      .addError(NoSuchLink)
      .addError(ServiceUnavailableError)
      .annotate(OpenApi.Summary, "Unsubscribe with one click")
      .annotate(
        OpenApi.Description,
        "What mailboxes (RFC 8058) and the button of that page do: the recipient gets a block with the reason `unsubscribe` on each category of the message except `transactional`. Other mail still arrives. A repeat changes nothing. The body, `List-Unsubscribe=One-Click`, is not read."
      )
  )
  .annotate(OpenApi.Title, "Unsubscribing")
  .annotate(Examples, {
    "unsubscribe.look": { response: page, errors: { ResourceNotFoundError: noSuch("unsubscribe link") } },
    "unsubscribe.confirm": { response: page, errors: { ResourceNotFoundError: noSuch("unsubscribe link") } }
  })

const OpenTracking = HttpApiGroup.make("opens")
  .add(
    HttpApiEndpoint.get("record", openPath)
      .setUrlParams(mailToken)
      .addSuccess(octets("image/gif", "A transparent image of one dot"))
      .annotate(OpenApi.Summary, "Show the image of a tracked mail")
      .annotate(
        OpenApi.Description,
        "The image in the HTML of a message with `trackOpens`: that it is asked for makes the message `read`, with its first recipient who opens it. Requests without a reader do not: those of programs that are known to load images ahead or to examine mail, HEAD, and those with a header that says so (`Sec-Purpose: prefetch`). The answer is the same for any token."
      )
  )
  .annotate(OpenApi.Title, "Open tracking")

const Downloads = HttpApiGroup.make("objects")
  .add(
    // A token is longer than the router allows a parameter to be.
    HttpApiEndpoint.get("download", `${objectsPath}*`)
      .addSuccess(octets("application/octet-stream", "The octets"))
      .addError(LinkOver)
      .addError(ObjectStoreFails)
      .annotate(OpenApi.Override, {
        parameters: [
          { name: "token", in: "path", schema: { type: "string", ...linkToken }, required: true, ...linkToken }
        ]
      })
      .annotate(OpenApi.Summary, "Download by a link")
      .annotate(
        OpenApi.Description,
        "Where the links of attachments and recordings lead, for 15 minutes. The link is enough: no key is needed. A file of any type comes as one to be kept (`Content-Disposition: attachment`), never to be shown."
      )
  )
  .annotate(OpenApi.Title, "Objects")
  .annotate(Examples, {
    "objects.download": { errors: { ResourceNotFoundError: noSuch("download"), ExternalServiceError: storeFails } }
  })

const Uploads = HttpApiGroup.make("uploads")
  .add(
    HttpApiEndpoint.put("put", `${uploadsPath}:token`)
      .setPath(Schema.Struct({ token: Schema.String.annotations(linkToken) }))
      .setPayload(octets("*/*", "The octets"))
      .addSuccess(Removed.annotations({ identifier: "Removed", description: "The document is ready" }))
      .addError(BadRequestError)
      .addError(LinkOver)
      .addError(ConflictError.annotations({ description: "The document is there" }))
      .addError(ValidationError.annotations({ description: "The length or the type is another" }))
      .addError(ObjectStoreFails)
      .addError(ServiceUnavailableError)
      .annotate(OpenApi.Summary, "Upload a document")
      .annotate(
        OpenApi.Description,
        "Where an `uploadUrl` of this service leads, once and for 15 minutes. The link is enough: no key is needed. `Content-Type` and length must be those that were asked for (422); a document that is there is never put again (409). What was refused may be tried again. What has begun may last as long as its octets keep coming, at least 64 kB a second."
      )
  )
  .annotate(OpenApi.Title, "Objects")
  .annotate(Examples, {
    "uploads.put": {
      response: removed,
      errors: {
        BadRequestError: { _tag: "BadRequestError", message: "The body ended early" },
        ResourceNotFoundError: noSuch("upload"),
        ConflictError: {
          _tag: "ConflictError",
          message: "The document is uploaded, or being uploaded",
          resource: "document"
        },
        ValidationError: {
          _tag: "ValidationError",
          message: "The upload is not what its link is for",
          fields: { contentLength: ["must be 48213 octets, as was asked for"] }
        },
        ExternalServiceError: storeFails
      }
    }
  })

const Health = HttpApiGroup.make("health")
  .add(
    HttpApiEndpoint.get("alive", "/healthz")
      .addSuccess(state("alive", "Whether the process lives"))
      .annotate(OpenApi.Summary, "Whether the process lives")
  )
  .add(
    HttpApiEndpoint.get("ready", "/readyz")
      .addSuccess(state("ready", "Whether the process can serve"))
      .addError(ServiceUnavailableError)
      .annotate(OpenApi.Summary, "Whether the process can serve")
  )
  .annotate(OpenApi.Title, "Health")
  .annotate(Examples, {
    "health.alive": { response: { status: "alive" } },
    "health.ready": { response: { status: "ready" } }
  })

const Description = HttpApiGroup.make("description")
  .add(
    HttpApiEndpoint.get("document", "/v1/openapi.json")
      .addSuccess(Schema.Unknown.annotations({ description: "This description", jsonSchema: {} }))
      .annotate(OpenApi.Identifier, "This description")
      .annotate(OpenApi.Summary, "This description")
  )
  .add(
    HttpApiEndpoint.get("page", "/v1/docs")
      .addSuccess(html("A page to browse this description"))
      .annotate(OpenApi.Identifier, "A page to browse this description")
      .annotate(OpenApi.Summary, "A page to browse this description")
  )
  .annotate(OpenApi.Title, "Description")

/** The routes beside `Api`: pages, files and probes, for which no key is needed. */
export const PublicRoutes = HttpApi.make("public")
  .add(Unsubscribing)
  .add(OpenTracking)
  .add(Downloads)
  .add(Uploads)
  .add(Health)
  .add(Description)
