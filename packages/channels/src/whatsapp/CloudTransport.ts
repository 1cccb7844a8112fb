import type { FailureReason } from "@switchboard/domain/messages/delivery/FailureReason"
import { waIdOf } from "@switchboard/domain/whatsapp/WhatsAppContent"
import { ProviderUnavailable, type Sending, type SendLease } from "@switchboard/services/messages/delivery/Provider"
import type { StoredAttachment } from "@switchboard/services/messages/MessageRepo"
import { type OutgoingWhatsApp, WhatsAppTransport } from "@switchboard/services/whatsapp/WhatsAppTransport"
import { Context, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { httpExchange, httpPool, maxReadBytes } from "../network/HttpExchange.js"
import { defaultProviderTimeout, maxResponse, replied, unknownReply, withoutReply } from "../network/ProviderHttp.js"
import { storableText } from "../StorableText.js"

/** An account at the WhatsApp Cloud API, or at a server with the same API. */
export class CloudApi extends Context.Tag("channels/CloudApi")<
  CloudApi,
  {
    /** With the version, for example `https://graph.facebook.com/v23.0`. */
    readonly url: string
    readonly token: Redacted.Redacted<string>
    /** Meta's id of the number that sends; null if the ids of numbers are their digits, as in the local handset. */
    readonly phoneNumberId: string | null
    /** The wait for a connection and a complete response. Default: 30 seconds. */
    readonly timeout?: Duration.Duration
  }
>() {}

/** Errors about one message (Meta, "Cloud API error codes"): a repeat would fail again. */
export const refusals: ReadonlyMap<number, FailureReason> = new Map([
  [100, "content"],
  [130472, "policy"],
  [131008, "content"],
  [131009, "content"],
  [131021, "user_unknown"],
  [131026, "user_unknown"],
  [131030, "policy"],
  [131047, "policy"],
  [131049, "policy"],
  [131050, "policy"],
  [131051, "content"],
  [131052, "content"],
  [131053, "content"],
  [132000, "content"],
  [132001, "content"],
  [132005, "content"],
  [132007, "policy"],
  [132012, "content"],
  [132015, "policy"],
  [132016, "policy"],
  [132068, "content"],
  [132069, "content"]
])

/** The recipient has not written within 24 hours. */
const outsideWindow = 131047

/** Too many messages to one recipient within a short time: others are not affected. */
const pairRateLimit = 131056

/** The subcode of error 100 for an unknown WHATSAPP_PHONE_NUMBER_ID, or one without permission. */
const unknownObject = 33

/** Errors about the account: token, permission, rate, payment, maintenance. */
const outages: ReadonlySet<number> = new Set([
  0, 3, 4, 10, 190, 200, 80007, 130429, 131005, 131031, 131042, 131045, 131048, 131057, 133010
])

const ReplyBody = Schema.parseJson(
  Schema.Struct({
    messages: Schema.optionalWith(Schema.Array(Schema.Struct({ id: Schema.String })), { default: () => [] }),
    id: Schema.optional(Schema.String),
    url: Schema.optional(Schema.String),
    sha256: Schema.optional(Schema.String),
    file_size: Schema.optional(Schema.Union(Schema.Int, Schema.NumberFromString)),
    display_phone_number: Schema.optional(Schema.String),
    error: Schema.optional(
      Schema.Struct({
        code: Schema.optional(Schema.Int),
        error_subcode: Schema.optional(Schema.Int),
        message: Schema.optional(Schema.String),
        error_data: Schema.optional(Schema.Struct({ details: Schema.optional(Schema.String) }))
      })
    )
  })
)
const decode = Schema.decodeUnknownOption(ReplyBody)

/** A response of the API. */
interface CloudReply extends Partial<typeof ReplyBody.Type> {
  readonly status: number
}

const readReply = (status: number, body: string): CloudReply => ({
  status,
  ...Option.getOrElse(decode(body), () => ({}))
})

/** For example `HTTP 400 131047 Re-engagement message`. */
export const replyText = ({ error, status }: CloudReply): string =>
  storableText(
    ["HTTP", status, error?.code, error?.error_data?.details ?? error?.message]
      .filter((part) => part !== undefined && part !== "")
      .join(" "),
    maxResponse
  )

/** The body of a request to `/messages`. `mediaId` is that of the uploaded file. */
const messageBody = ({ content: { media, template, text }, to }: OutgoingWhatsApp, mediaId: string | undefined) => ({
  messaging_product: "whatsapp",
  recipient_type: "individual",
  to: waIdOf(to),
  ...(text === undefined ? {} : { type: "text", text: { body: text.body, preview_url: text.previewUrl ?? false } }),
  ...(template === undefined
    ? {}
    : {
        type: "template",
        template: {
          name: template.name,
          language: { code: template.language },
          ...(template.components === undefined ? {} : { components: template.components })
        }
      }),
  ...(media === undefined
    ? {}
    : {
        type: media.kind,
        [media.kind]: {
          id: mediaId,
          ...(media.caption === undefined || media.kind === "audio" || media.kind === "sticker"
            ? {}
            : { caption: media.caption }),
          ...(media.kind === "document" ? { filename: media.filename } : {})
        }
      })
})

/** The boundary of uploads. A file that has it would end early: it is checked. */
const boundaryFor = (file: StoredAttachment, messageId: string): string => {
  for (let count = 0; ; count++) {
    const boundary = `switchboard-${messageId}-${count}`
    if (!Buffer.from(file.content).includes(boundary)) return boundary
  }
}

/** The body of a request to `/media` (RFC 7578). */
const uploadBody = (file: StoredAttachment, messageId: string) => {
  const boundary = boundaryFor(file, messageId)
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const filename = file.filename.replaceAll("\\", "_").replaceAll('"', "%22")
  const head =
    field("messaging_product", "whatsapp") +
    field("type", file.contentType) +
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\n` +
    `Content-Type: ${file.contentType}\r\n\r\n`
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(head), file.content, Buffer.from(`\r\n--${boundary}--\r\n`)])
  }
}

/** The headers of every request. */
export const cloudHeaders = (token: Redacted.Redacted<string>) => ({
  authorization: `Bearer ${Redacted.value(token)}`,
  "user-agent": "Switchboard/1.0"
})

/** Sends requests about an object, such as a number, over kept connections. */
export const cloudRequests = Effect.gen(function* () {
  const { timeout = defaultProviderTimeout, token, url } = yield* CloudApi
  const { origin, pathname } = new URL(url)
  const pool = yield* httpPool(origin)
  const base = pathname.replace(/\/+$/, "")
  const request = (
    id: string,
    path: string,
    post: { readonly contentType: string; readonly body: string | Buffer } | null = null,
    isWanted: () => boolean = () => true
  ) =>
    Effect.map(
      httpExchange(pool, {
        method: post === null ? "GET" : "POST",
        path: `${base}/${encodeURIComponent(id)}${path}`,
        headers: {
          accept: "application/json",
          ...cloudHeaders(token),
          ...(post === null ? {} : { "content-type": post.contentType })
        },
        body: post?.body ?? null,
        timeoutMs: Duration.toMillis(timeout),
        maxStoredBytes: maxReadBytes,
        isWanted
      }),
      ({ head, status }) => readReply(status, head.toString("utf8"))
    )
  return { pool, request }
})

/** The result of a request that the API did not accept. */
const failureOf = (recipient: string, reply: CloudReply, sends: boolean): Sending => {
  const { error, status } = reply
  const code = error?.code
  const response = replyText(reply)
  const errorCode = code === undefined ? undefined : String(code)
  const reason = code === undefined ? undefined : refusals.get(code)
  const isError = status >= 400 && status < 500
  if (error?.error_subcode === unknownObject) return new ProviderUnavailable({ response })
  if (isError && reason !== undefined) {
    const failed = code === outsideWindow ? { code: "window_closed" } : {}
    return replied({ recipient, verdict: "refused", ...failed, errorCode, response, reason })
  }
  if (code === pairRateLimit) {
    return replied({ recipient, verdict: "deferred", errorCode, response, reason: "rate_limited" })
  }
  if ((code !== undefined && outages.has(code)) || [401, 403, 404, 429, 503].includes(status)) {
    return new ProviderUnavailable({ response })
  }
  if (isError && code !== undefined) {
    return replied({ recipient, verdict: "refused", errorCode, response, reason: "unknown" })
  }
  return unknownReply(status, response, sends)
}

/** The result of a request that sends a message. */
const resultOf = (recipient: string, reply: CloudReply): Sending => {
  const id = storableText(reply.messages?.[0]?.id ?? "", maxResponse)
  if (reply.status < 200 || reply.status >= 300 || id === "") return failureOf(recipient, reply, true)
  return replied({
    recipient,
    verdict: "accepted",
    response: `HTTP ${reply.status} ${id}`,
    providerMessageIds: [id]
  })
}

/** Sends WhatsApp messages over the Cloud API (Meta, "WhatsApp Cloud API"). A file is uploaded first. */
export const CloudTransport = Layer.scoped(
  WhatsAppTransport,
  Effect.gen(function* () {
    const { phoneNumberId, url } = yield* CloudApi
    const { request } = yield* cloudRequests
    const idOf = (number: string) => phoneNumberId ?? waIdOf(number)

    const post = (message: OutgoingWhatsApp, mediaId: string | undefined, isHeld: () => boolean): Sending =>
      request(
        idOf(message.content.from),
        "/messages",
        { contentType: "application/json", body: JSON.stringify(messageBody(message, mediaId)) },
        isHeld
      ).pipe(
        Effect.mapError(withoutReply(true)),
        Effect.flatMap((reply) => resultOf(message.to, reply))
      )

    const send = (message: OutgoingWhatsApp, { isHeld }: SendLease): Sending => {
      const { content, file, messageId, to } = message
      if (file === undefined) return post(message, undefined, isHeld)
      return request(idOf(content.from), "/media", uploadBody(file, messageId), isHeld).pipe(
        Effect.mapError(withoutReply(false)),
        Effect.flatMap((reply) =>
          reply.status === 200 && reply.id !== undefined ? post(message, reply.id, isHeld) : failureOf(to, reply, false)
        )
      )
    }

    const probe = request(idOf(""), "?fields=display_phone_number").pipe(
      Effect.mapError(({ message }) => new ProviderUnavailable({ response: storableText(message, maxResponse) })),
      Effect.flatMap((reply) =>
        reply.status === 200 && reply.display_phone_number !== undefined
          ? Effect.succeed(storableText(reply.display_phone_number, maxResponse))
          : new ProviderUnavailable({ response: replyText(reply) })
      )
    )

    return { address: new URL(url).host, send, probe }
  })
)
