import { createHash } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { HandsetTextId, handsetProviderId } from "@switchboard/domain/handset/HandsetText"
import { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import { MediaKind } from "@switchboard/domain/whatsapp/WhatsAppContent"
import { HandsetRepo } from "@switchboard/services/handset/HandsetRepo"
import { newId } from "@switchboard/services/NewId"
import { ObjectStore } from "@switchboard/services/objects/ObjectStore"
import { Context, Effect, FiberSet, Layer, Option, Schedule, Schema } from "effect"
import { storableText } from "../StorableText.js"
import { makeHandsetCallbacks } from "./HandsetCallbacks.js"
import { makeThrottle } from "./HandsetInbox.js"
import { HandsetServerError } from "./HandsetServer.js"

/** The listen address of the Cloud API of the local handset. Port 0 selects a free port. */
export class HandsetCloudSettings extends Context.Tag("channels/HandsetCloudSettings")<
  HandsetCloudSettings,
  { readonly host: string; readonly port: number }
>() {}

/** The URL at which the Cloud API of the local handset is reached. */
export class HandsetCloudUrl extends Context.Tag("channels/HandsetCloudUrl")<HandsetCloudUrl, string>() {}

/** In octets: the largest file of the Cloud API, and a message. */
const maxUpload = 101 * 1024 * 1024
const maxMessage = 256 * 1024

/** Messages without all their callbacks at most; beyond them, messages are refused as too many. */
const maxPending = 20_000

/** The pause before a callback that the service did not take is posted again. */
const retryPause = "1 second"

const Media = Schema.optional(Schema.Struct({ id: Schema.String, caption: Schema.optional(Schema.String) }))

/** A request to `/messages` (Meta, "Cloud API: Messages"). */
const MessageRequest = Schema.Struct({
  messaging_product: Schema.Literal("whatsapp"),
  to: Schema.String.pipe(Schema.pattern(/^\+?[0-9]{7,15}$/)),
  text: Schema.optional(Schema.Struct({ body: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(4_096)) })),
  template: Schema.optional(Schema.Struct({ name: Schema.String, language: Schema.Struct({ code: Schema.String }) })),
  image: Media,
  audio: Media,
  video: Media,
  document: Media,
  sticker: Media
})

const decodeJson = Schema.decodeUnknownOption(Schema.parseJson(Schema.Unknown))
const decodeMessage = Schema.decodeUnknownOption(MessageRequest)

/** What the handset shows of a message; empty if it has no part that the Cloud API sends. */
const lineOf = ({ template, text, ...others }: typeof MessageRequest.Type): string => {
  const kind = MediaKind.literals.find((one) => others[one] !== undefined)
  return text?.body ?? template?.name ?? (kind === undefined ? "" : (others[kind]?.caption ?? kind))
}

interface Reply {
  readonly status: number
  /** Octets are those of a file; anything else is written as JSON. */
  readonly body: object
}

const refused = (status: number, code: number, message: string): Reply => ({
  status,
  body: { error: { message: `(#${code}) ${message}`, type: "OAuthException", code, fbtrace_id: "handset" } }
})

const invalidParameter = refused(400, 100, "Invalid parameter")
const throttledReply = refused(429, 130429, "Rate limit hit")
const unknownTemplate = refused(404, 132001, "Template name does not exist in the translation")

/** The octets of a body; null beyond the limit. */
const readBody = (request: IncomingMessage, limit: number) =>
  Effect.tryPromise(async () => {
    const chunks: Array<Buffer> = []
    let length = 0
    for await (const chunk of request) {
      length += chunk.length
      if (length <= limit) chunks.push(chunk)
    }
    return length > limit ? null : Buffer.concat(chunks)
  })

/** Listens until the scope closes. */
const listen = (
  { host, port }: typeof HandsetCloudSettings.Service,
  handle: (request: IncomingMessage, response: ServerResponse) => void
) =>
  Effect.acquireRelease(
    Effect.async<{ readonly url: string; readonly close: Effect.Effect<void> }, HandsetServerError>((resume) => {
      const server = createServer(handle)
      server.once("error", ({ message }) =>
        resume(new HandsetServerError({ message: `The local handset can't listen on ${host}:${port} (${message})` }))
      )
      const close = Effect.async<void>((done) => {
        server.close(() => done(Effect.void))
        server.closeAllConnections()
      })
      server.listen(port, host, () => {
        const address = server.address()
        const listeningPort = typeof address === "object" && address !== null ? address.port : port
        resume(Effect.succeed({ url: `http://${host}:${listeningPort}/v23.0`, close }))
      })
    }),
    ({ close }) => close
  )

/**
 * The Cloud API of the local handset, for an installation without a WhatsApp account: the same requests, responses and
 * callbacks, over HTTP. The id of a number is its digits, and every token is accepted. A number ending in 0001 fails,
 * 0002 fails as one that does not take marketing, and 0003 is throttled once. Templates exist, unless their name begins
 * with `unknown`.
 */
export const HandsetCloudApi = Layer.scoped(
  HandsetCloudUrl,
  Effect.gen(function* () {
    const repo = yield* HandsetRepo
    const objects = yield* ObjectStore
    const callbacks = yield* makeHandsetCallbacks
    const run = yield* FiberSet.makeRuntime<never>()
    const isThrottled = makeThrottle()
    let pending = 0

    const report = (id: string, from: string, to: string) => {
      const status = (one: Parameters<typeof callbacks.status>[0]["status"], error?: { code: number; title: string }) =>
        Effect.retry(callbacks.status({ id, status: one, from, to, error }), Schedule.spaced(retryPause))
      const outcome = to.endsWith("0001")
        ? status("failed", { code: 131026, title: "Message undeliverable" })
        : to.endsWith("0002")
          ? status("failed", {
              code: 131049,
              title: "This message was not delivered to maintain healthy ecosystem engagement"
            })
          : Effect.zipRight(status("sent"), status("delivered"))
      pending += 1
      run(
        Effect.ensuring(
          Effect.ignore(outcome),
          Effect.sync(() => {
            pending -= 1
          })
        )
      )
    }

    const receive = Effect.fnUntraced(function* (numberId: string, request: unknown) {
      const message = Option.getOrUndefined(decodeMessage(request))
      const text = message === undefined ? "" : lineOf(message)
      if (message === undefined || text === "") return invalidParameter
      const to = `+${message.to.replace("+", "")}`
      if (isThrottled(to) || pending >= maxPending) return throttledReply
      if (message.template?.name.startsWith("unknown")) return unknownTemplate
      const { id, now } = yield* newId(HandsetTextId)
      const from = `+${numberId}`
      yield* repo.insert({
        id,
        channel: "whatsapp",
        from,
        to,
        text: storableText(text),
        encoding: null,
        segments: null,
        request,
        receivedAt: now
      })
      const messageId = handsetProviderId("whatsapp", id)
      report(messageId, from, to)
      const reply: Reply = {
        status: 200,
        body: {
          messaging_product: "whatsapp",
          contacts: [{ input: message.to, wa_id: to.slice(1) }],
          messages: [{ id: messageId }]
        }
      }
      return reply
    })

    /** The URL of an uploaded file, or its octets. */
    const fileReply = Effect.fnUntraced(function* (base: string, id: string, isContent: boolean) {
      const octets = Option.getOrNull(yield* objects.get(ObjectKey.make(id.replaceAll(".", "/"))))
      if (octets === null) return refused(404, 100, "Unsupported get request")
      const sha256 = createHash("sha256").update(octets).digest("hex")
      const described = { id, url: `${base}/v23.0/${id}/octets`, sha256, file_size: octets.byteLength }
      return { status: 200, body: isContent ? octets : described }
    })

    const replyTo = Effect.fnUntraced(function* (request: IncomingMessage) {
      const { url: target = "" } = request
      const [, number = "", edge = ""] = /^\/v[0-9.]+\/([0-9]{3,15})(\/messages|\/media)?(?:\?|$)/.exec(target) ?? []
      const [, file = "", content] =
        /^\/v[0-9.]+\/([0-9a-f-]{36}\.attachments\.[0-9a-f-]{36})(\/octets)?$/.exec(target) ?? []
      if (number === "" && file === "") return refused(404, 100, "Unsupported request")
      if (!request.headers.authorization?.startsWith("Bearer ")) {
        return refused(401, 190, "Invalid OAuth access token")
      }
      if (file !== "") return yield* fileReply(`http://${request.headers.host}`, file, content !== undefined)
      if (request.method === "GET" && edge === "") {
        return { status: 200, body: { id: number, display_phone_number: number } }
      }
      const body = yield* readBody(request, edge === "/media" ? maxUpload : maxMessage)
      if (body === null) return refused(413, 131053, "Media upload error")
      if (edge === "/media") return { status: 200, body: { id: (yield* newId(HandsetTextId)).id } }
      return yield* receive(number, Option.getOrNull(decodeJson(body.toString("utf8"))))
    })

    const { url } = yield* listen(yield* HandsetCloudSettings, (request, response) => {
      run(
        replyTo(request).pipe(
          Effect.orElseSucceed(() => refused(503, 131016, "Service unavailable")),
          Effect.flatMap(({ body, status }) =>
            Effect.sync(() => {
              const [contentType, content] =
                body instanceof Uint8Array
                  ? (["application/octet-stream", body] as const)
                  : (["application/json", JSON.stringify(body)] as const)
              response.writeHead(status, { "content-type": contentType }).end(content)
            })
          )
        )
      )
    })
    return url
  })
)
