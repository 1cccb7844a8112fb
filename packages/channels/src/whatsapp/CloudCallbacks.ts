import { createHmac } from "node:crypto"
import type { EntryPointSource } from "@switchboard/domain/whatsapp/ServiceWindow"
import type { WhatsAppParts } from "@switchboard/domain/whatsapp/WhatsAppContent"
import type { ProviderCallback } from "@switchboard/services/providers/ProviderCallbacks"
import type { ProviderEvent, Receipt } from "@switchboard/services/providers/ProviderEvent"
import { DateTime, Either, Option, ParseResult, Redacted, Schema } from "effect"
import { fileName } from "../email/receiving/reading/MailText.js"
import { isEqual } from "../network/ProviderHttp.js"
import { storableText } from "../StorableText.js"
import { refusals } from "./CloudTransport.js"

/** In characters. */
const maxId = 255
const maxText = 65_536

const Text = Schema.String.pipe(
  Schema.transform(Schema.String, {
    strict: true,
    decode: (text) => storableText(text, maxText),
    encode: (text) => text
  })
)
const Id = Schema.String.pipe(
  Schema.transform(Schema.String, { strict: true, decode: (text) => storableText(text, maxId), encode: (text) => text })
)
const optional = Schema.optional

const Status = Schema.Struct({
  id: Id,
  status: Schema.String,
  timestamp: optional(Schema.String),
  recipient_id: optional(Id),
  errors: Schema.optionalWith(
    Schema.Array(
      Schema.Struct({
        code: Schema.Int,
        title: optional(Text),
        message: optional(Text),
        error_data: optional(Schema.Struct({ details: optional(Text) }))
      })
    ),
    { default: () => [] }
  ),
  pricing: optional(Schema.Struct({ category: optional(Id) })),
  conversation: optional(Schema.Struct({ origin: optional(Schema.Struct({ type: optional(Id) })) }))
})

const Media = Schema.Struct({
  id: Id,
  mime_type: optional(Id),
  caption: optional(Text),
  filename: optional(Id)
})

const Message = Schema.Struct({
  from: Id,
  id: Id,
  timestamp: optional(Schema.String),
  type: Id,
  context: optional(Schema.Struct({ id: optional(Id) })),
  referral: optional(Schema.Struct({ source_type: optional(Id), source_url: optional(Text) })),
  text: optional(Schema.Struct({ body: Text })),
  button: optional(Schema.Struct({ text: Text })),
  interactive: optional(
    Schema.Struct({
      button_reply: optional(Schema.Struct({ title: Text })),
      list_reply: optional(Schema.Struct({ title: Text }))
    })
  ),
  image: optional(Media),
  audio: optional(Media),
  video: optional(Media),
  document: optional(Media),
  sticker: optional(Media),
  location: optional(
    Schema.Struct({
      latitude: Schema.Number,
      longitude: Schema.Number,
      name: optional(Text),
      address: optional(Text)
    })
  ),
  reaction: optional(Schema.Struct({ message_id: optional(Id), emoji: optional(Id) }))
})
type Message = typeof Message.Type

const list = <A, I>(item: Schema.Schema<A, I>) => Schema.optionalWith(Schema.Array(item), { default: () => [] })

/** The body of a callback (Meta, "Webhooks: Cloud API payload examples"). Fields that are not read are left out. */
const Callback = Schema.parseJson(
  Schema.Struct({
    entry: list(
      Schema.Struct({
        changes: list(
          Schema.Struct({
            value: Schema.Struct({
              metadata: optional(Schema.Struct({ display_phone_number: Id })),
              contacts: list(
                Schema.Struct({ wa_id: optional(Id), profile: optional(Schema.Struct({ name: optional(Text) })) })
              ),
              messages: list(Message),
              statuses: list(Status)
            })
          })
        )
      })
    )
  })
)
const decode = Schema.decodeUnknownEither(Callback)

type Value = (typeof Callback.Type)["entry"][number]["changes"][number]["value"]

/** A number in E.164, from digits with or without other characters. */
const numberOf = (text: string): string => `+${text.replace(/\D/g, "")}`

const statuses: ReadonlyMap<string, Receipt["status"]> = new Map([
  ["sent", "sent"],
  ["delivered", "delivered"],
  ["read", "read"],
  ["failed", "failed"]
])

/** The time of a timestamp in seconds; the time of arrival if there is none. */
const timeOf = (seconds: string | undefined, arrival: string): string =>
  Option.match(
    Option.flatMap(Option.fromNullable(seconds), (text) => DateTime.make(Number(text) * 1_000)),
    { onNone: () => arrival, onSome: DateTime.formatIso }
  )

const receiptOf = (
  { conversation, errors: [error], id, pricing, recipient_id, status: stated, timestamp }: typeof Status.Type,
  arrival: string
): ReadonlyArray<ProviderEvent> => {
  const status = statuses.get(stated)
  if (status === undefined) return []
  const category = pricing?.category ?? conversation?.origin?.type
  const response = error?.error_data?.details ?? error?.message ?? error?.title
  return [
    {
      _tag: "Receipt",
      channel: "whatsapp",
      providerMessageIds: [id],
      phone: recipient_id === undefined ? null : numberOf(recipient_id),
      status,
      ...(error === undefined ? {} : { errorCode: String(error.code), reason: refusals.get(error.code) ?? "unknown" }),
      ...(response === undefined ? {} : { response }),
      ...(category === undefined ? {} : { conversationCategory: category }),
      at: timeOf(timestamp, arrival)
    }
  ]
}

const mediaKinds = ["image", "audio", "video", "document", "sticker"] as const

const contentOf = (message: Message): WhatsAppParts => {
  const { button, interactive, location, reaction, text, type } = message
  const said = text?.body ?? button?.text ?? interactive?.button_reply?.title ?? interactive?.list_reply?.title
  if (said !== undefined) return { text: { body: said } }
  const kind = mediaKinds.find((one) => message[one] !== undefined)
  const media = kind === undefined ? undefined : message[kind]
  if (kind !== undefined && media !== undefined) {
    const { caption, id: mediaId, mime_type: contentType = "application/octet-stream" } = media
    const filename = fileName(media.filename ?? "")
    return {
      media: {
        kind,
        contentType,
        mediaId,
        ...(caption === undefined ? {} : { caption }),
        ...(filename === null ? {} : { filename })
      }
    }
  }
  if (location !== undefined) return { location }
  if (reaction !== undefined) return { reaction: reaction.emoji ? { emoji: reaction.emoji } : {} }
  return { unsupported: { type } }
}

const entryPointOf = ({ referral }: Message): EntryPointSource | null => {
  if (referral === undefined) return null
  if (referral.source_type === "ad") return "ads"
  return /instagram/i.test(referral.source_url ?? "") ? "instagram" : "facebook"
}

const receivedOf = ({ contacts, messages, metadata }: Value, arrival: string): ReadonlyArray<ProviderEvent> =>
  messages.map((message) => {
    const content = contentOf(message)
    return {
      _tag: "ReceivedText",
      channel: "whatsapp",
      from: numberOf(message.from),
      to: numberOf(metadata?.display_phone_number ?? ""),
      text: content.text?.body ?? "",
      providerMessageId: message.id,
      part: null,
      whatsapp: {
        content,
        name: contacts.find(({ wa_id }) => wa_id === message.from)?.profile?.name ?? null,
        answers: message.context?.id ?? message.reaction?.message_id ?? null,
        entryPoint: entryPointOf(message)
      },
      at: timeOf(message.timestamp, arrival)
    }
  })

/** The value of `X-Hub-Signature-256` for a body. */
export const cloudSignature = (appSecret: Redacted.Redacted<string>, body: Uint8Array): string =>
  `sha256=${createHmac("sha256", Redacted.value(appSecret)).update(body).digest("hex")}`

/** The secrets of the callbacks of an account. */
interface CallbackSecrets {
  readonly appSecret: Redacted.Redacted<string>
  readonly verifyToken: Redacted.Redacted<string>
}

/** Reads the callbacks of the Cloud API: statuses of sent messages, and received messages. The app's secret signs them. */
export const cloudCallbacks = ({ appSecret, verifyToken }: CallbackSecrets) => ({
  isVerifyToken: (token: string) => isEqual(Redacted.value(verifyToken), token),
  isSigned: ({ body, signature }: ProviderCallback) => isEqual(cloudSignature(appSecret, body), signature),
  readEvents: (body: Uint8Array, at: string) =>
    decode(new TextDecoder().decode(body)).pipe(
      Either.map(({ entry }) =>
        entry.flatMap(({ changes }) =>
          changes.flatMap(({ value }) => [
            ...value.statuses.flatMap((status) => receiptOf(status, at)),
            ...receivedOf(value, at)
          ])
        )
      ),
      Either.mapLeft((error) =>
        Object.fromEntries(
          ParseResult.ArrayFormatter.formatErrorSync(error).map(({ message, path }) => [
            path.join(".") || "body",
            [message]
          ])
        )
      )
    )
})
