import { errorExamples } from "./ErrorExamples.js"
import { objectRoutes } from "./ObjectRoutes.js"

const described = (summary: string, contentType: string) => ({
  get: {
    tags: ["Description"],
    operationId: summary,
    summary,
    parameters: [],
    security: [],
    responses: { 200: { description: summary, content: { [contentType]: { schema: {} } } } }
  }
})

const json = (schema: object, example: unknown) => ({ "application/json": { schema, example } })

const unavailable = {
  503: {
    description: "A temporary outage",
    headers: {
      "Retry-After": { description: "seconds to wait before the next try", schema: { type: "integer" } }
    },
    content: json({ $ref: "#/components/schemas/ServiceUnavailableError" }, errorExamples.ServiceUnavailableError)
  }
}

/** What whoever watches over a process asks it. */
const probe = (operationId: string, summary: string, status: string, failures: object = {}) => ({
  get: {
    tags: ["Health"],
    operationId,
    summary,
    parameters: [],
    security: [],
    responses: {
      200: {
        description: summary,
        content: json(
          {
            type: "object",
            required: ["status"],
            properties: { status: { type: "string", enum: [status] } },
            additionalProperties: false
          },
          { status }
        )
      },
      ...failures
    }
  }
})

/** What the link of a mail leads to: it names all that there is to know by its token. */
const link = (
  operationId: string,
  tag: string,
  {
    description,
    responses,
    summary
  }: { readonly summary: string; readonly description: string; readonly responses: object }
) => ({
  tags: [tag],
  operationId,
  summary,
  description,
  parameters: [
    {
      name: "token",
      in: "query",
      required: true,
      description: "The token of the mail's link",
      schema: { type: "string" }
    }
  ],
  security: [],
  responses
})

const page = (description: string) => ({
  200: { description, content: { "text/html": { schema: { type: "string" }, example: "<!doctype html>…" } } }
})

const noSuchLink = {
  404: {
    description: "The link is none of ours",
    content: json(
      { $ref: "#/components/schemas/ResourceNotFoundError" },
      { _tag: "ResourceNotFoundError", resource: "unsubscribe link", id: "the token" }
    )
  }
}

/** Routes outside the declaration, which nobody needs a key for. */
export const keylessRoutes = {
  "/v1/email/unsubscribe": {
    get: link("unsubscribe.look", "Unsubscribing", {
      summary: "Show what an unsubscribe link does",
      description:
        "Where `List-Unsubscribe` of marketing mail leads: a page with a button. It unsubscribes nobody, since scanners of mail follow links.",
      responses: { ...page("A page with a button that unsubscribes"), ...noSuchLink }
    }),
    post: link("unsubscribe.confirm", "Unsubscribing", {
      summary: "Unsubscribe with one click",
      description:
        "What mailboxes (RFC 8058) and the button of that page do: the recipient gets a block with the reason `unsubscribe` on each category of the message except `transactional`. Other mail still arrives. A repeat changes nothing. The body, `List-Unsubscribe=One-Click`, is not read.",
      responses: { ...page("A page that names the categories"), ...noSuchLink, ...unavailable }
    })
  },
  "/v1/email/open": {
    get: link("opens.record", "Open tracking", {
      summary: "Show the image of a tracked mail",
      description:
        "The image in the HTML of a message with `trackOpens`: that it is asked for makes the message `read`, with its first recipient who opens it. It does not where nobody looks: asked for by programs that are known to load images ahead or to examine mail, by HEAD, or with a header that says so (`Sec-Purpose: prefetch`). The answer is the same for any token.",
      responses: {
        200: {
          description: "A transparent image of one dot",
          content: { "image/gif": { schema: { type: "string", contentEncoding: "binary" } } }
        }
      }
    })
  },
  ...objectRoutes,
  "/healthz": probe("health.alive", "Whether the process lives", "alive"),
  "/readyz": probe("health.ready", "Whether the process can serve", "ready", unavailable),
  "/v1/openapi.json": described("This description", "application/json"),
  "/v1/docs": described("A page to browse this description", "text/html")
}
