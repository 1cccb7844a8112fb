import { waIdOf } from "@switchboard/domain/whatsapp/WhatsAppContent"
import type { PhoneText } from "@switchboard/services/handset/HandsetPhone"
import { newUuid } from "@switchboard/services/NewId"
import { Context, Data, DateTime, Duration, Effect, type Redacted, Scope } from "effect"
import { httpExchange, httpPool } from "../network/HttpExchange.js"
import { cloudSignature } from "../whatsapp/CloudCallbacks.js"

/** Where the local handset posts the callbacks of WhatsApp. */
export class HandsetCallbackTarget extends Context.Tag("channels/HandsetCallbackTarget")<
  HandsetCallbackTarget,
  {
    /** The URL of this service's `POST /v1/providers/whatsapp`. Waits until the service listens. */
    readonly url: Effect.Effect<string>
    /** Sets the base URL of the listener, in a process with the API. */
    readonly listens: (baseUrl: string) => Effect.Effect<void>
    /** Signs the callbacks. */
    readonly appSecret: Redacted.Redacted<string>
  }
>() {}

/** The service did not take a callback. */
export class CallbackFailed extends Data.TaggedError("CallbackFailed")<{ readonly reason: string }> {}

const timeout = Duration.seconds(5)

/** What became of a message. */
interface StatusCallback {
  readonly id: string
  readonly status: "sent" | "delivered" | "read" | "failed"
  /** The number of the service (E.164). */
  readonly from: string
  /** The phone (E.164). */
  readonly to: string
  readonly error?: { readonly code: number; readonly title: string } | undefined
}

/** A message of a phone to a number of the service. */
type MessageCallback = Pick<PhoneText, "answers" | "file" | "from" | "text" | "to">

/** The part of a message that its type names. */
const partOf = ({ file, text }: Pick<MessageCallback, "file" | "text">) =>
  file === null
    ? { type: "text", text: { body: text } }
    : {
        type: file.kind,
        [file.kind]: {
          id: file.mediaId,
          mime_type: file.contentType,
          caption: text,
          ...(file.kind === "document" ? { filename: file.filename } : {})
        }
      }

/** Posts signed callbacks as the Cloud API does. Each succeeds when the service has stored its event. */
export const makeHandsetCallbacks = Effect.gen(function* () {
  const { appSecret, url } = yield* HandsetCallbackTarget
  const scope = yield* Effect.scope
  const target = yield* Effect.cached(
    Effect.gen(function* () {
      const { origin, pathname } = new URL(yield* url)
      return { pathname, pool: yield* httpPool(origin) }
    }).pipe(Scope.extend(scope))
  )

  const post = (number: string, value: object) =>
    Effect.flatMap(target, ({ pathname, pool }) => {
      const metadata = { display_phone_number: waIdOf(number), phone_number_id: waIdOf(number) }
      const change = { field: "messages", value: { messaging_product: "whatsapp", metadata, ...value } }
      const body = JSON.stringify({
        object: "whatsapp_business_account",
        entry: [{ id: "handset", changes: [change] }]
      })
      return httpExchange(pool, {
        method: "POST",
        path: pathname,
        headers: {
          "content-type": "application/json",
          "x-hub-signature-256": cloudSignature(appSecret, Buffer.from(body))
        },
        body,
        timeoutMs: Duration.toMillis(timeout),
        maxStoredBytes: 1024
      })
    }).pipe(
      Effect.mapError(({ message }) => new CallbackFailed({ reason: message })),
      Effect.filterOrFail(
        ({ status }) => status === 200,
        ({ status }) => new CallbackFailed({ reason: `the service responded ${status}` })
      ),
      Effect.asVoid
    )

  const seconds = Effect.map(DateTime.now, (now) => String(Math.floor(DateTime.toEpochMillis(now) / 1_000)))

  return {
    status: ({ error, from, id, status, to }: StatusCallback) =>
      Effect.flatMap(seconds, (timestamp) =>
        post(from, {
          statuses: [
            {
              id,
              status,
              timestamp,
              recipient_id: waIdOf(to),
              ...(error === undefined
                ? { pricing: { billable: true, category: "service", pricing_model: "PMP" } }
                : { errors: [error] })
            }
          ]
        })
      ),
    message: ({ answers, from, to, ...body }: MessageCallback) =>
      Effect.flatMap(seconds, (timestamp) =>
        post(to, {
          contacts: [{ wa_id: waIdOf(from), profile: { name: from } }],
          messages: [
            {
              from: waIdOf(from),
              id: `wamid.${newUuid(Number(timestamp) * 1_000)}`,
              timestamp,
              ...partOf(body),
              context: { id: answers }
            }
          ]
        })
      )
  } as const
})
