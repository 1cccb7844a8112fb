import type { ApiError } from "@switchboard/domain/Errors"

const json = (schema: object, example: unknown) => ({ "application/json": { schema, example } })

const failure = (description: string, example: typeof ApiError.Encoded) => ({
  description,
  content: json({ $ref: `#/components/schemas/${example._tag}` }, example)
})

const octets = { schema: { type: "string", contentEncoding: "binary" } }

const noSuchLink = (resource: string) => ({
  404: failure("The link is over, or none of ours", { _tag: "ResourceNotFoundError", resource, id: "the token" })
})

const storeFails = {
  502: failure("The object store fails", {
    _tag: "ExternalServiceError",
    provider: "object store",
    message: "The object store does not answer as it should; try again"
  })
}

const unavailable = {
  503: failure("A temporary outage", {
    _tag: "ServiceUnavailableError",
    message: "The database can't be reached",
    retryAfterSeconds: 1
  })
}

/** What somebody does by a link that they were given. */
const byLink = {
  tags: ["Objects"],
  parameters: [
    { name: "token", in: "path", required: true, description: "The token of the link", schema: { type: "string" } }
  ],
  security: []
}

/** Where links to objects lead: outside the declaration, since what goes over them is no JSON. */
export const objectRoutes = {
  "/v1/objects/{token}": {
    get: {
      ...byLink,
      operationId: "objects.download",
      summary: "Download by a link",
      description:
        "Where the links of attachments and recordings lead, for 15 minutes: whoever has the link needs no key. Whatever it is comes as a file to be kept (`Content-Disposition: attachment`), never to be shown.",
      responses: {
        200: { description: "The octets", content: { "application/octet-stream": octets } },
        ...noSuchLink("download"),
        ...storeFails
      }
    }
  },
  "/v1/uploads/{token}": {
    put: {
      ...byLink,
      operationId: "uploads.put",
      summary: "Upload a document",
      description:
        "Where an `uploadUrl` of this service leads, once and for 15 minutes: whoever has it needs no key. `Content-Type` and length must be those that were asked for (422); a document that is there is never put again (409). What was refused may be tried again. What has begun may last as long as its octets keep coming, at least 64 kB a second.",
      requestBody: { required: true, content: { "*/*": octets } },
      responses: {
        200: {
          description: "The document is ready",
          content: json({ $ref: "#/components/schemas/Removed" }, { success: true })
        },
        400: failure("The body ended early", { _tag: "BadRequestError", message: "The body ended early" }),
        ...noSuchLink("upload"),
        409: failure("The document is there", {
          _tag: "ConflictError",
          message: "The document is uploaded, or being uploaded",
          resource: "document"
        }),
        422: failure("The length or the type is another", {
          _tag: "ValidationError",
          message: "The upload is not what its link is for",
          fields: { contentLength: ["must be 48213 octets, as was asked for"] }
        }),
        ...storeFails,
        ...unavailable
      }
    }
  }
}
