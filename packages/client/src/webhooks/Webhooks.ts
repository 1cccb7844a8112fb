import { Array, Clock, Effect, type Redacted, Schema } from "effect"
import { decodeEvent, type SwitchboardEvent } from "../events/SwitchboardEvent.js"
import { importKeys, verifySignature } from "./VerifySignature.js"
import { WebhookBodyError, type WebhookError, WebhookTimestampError } from "./WebhookError.js"
import { type WebhookHeaders, webhookHeaders } from "./WebhookHeaders.js"

export type { KnownEvent } from "../ApiTypes.js"
export type { SwitchboardEvent, UnknownEvent } from "../events/SwitchboardEvent.js"
export * from "./WebhookError.js"
export type { WebhookHeaders } from "./WebhookHeaders.js"

/** The secret of the endpoint, `whsec_…`, or during a rotation the old and the new one. */
export type WebhookSecret = Redacted.Redacted<string> | ReadonlyArray<Redacted.Redacted<string>>

/** The options of a verification. */
export interface VerifyOptions {
  /** The maximum difference between the clocks of sender and receiver, in seconds. Default: 300. */
  readonly toleranceSeconds?: number
}

const defaultToleranceSeconds = 300

const checkTimestamp = (timestamp: number, toleranceSeconds: number) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const age = Math.floor(now / 1_000) - timestamp
    return Math.abs(age) <= toleranceSeconds
      ? Effect.void
      : new WebhookTimestampError({
          message: `The webhook is from ${Math.abs(age)} seconds ${age > 0 ? "ago" : "in the future"}`,
          timestamp
        })
  })

const joinBytes = (first: Uint8Array, second: Uint8Array) => {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

const decodeText = (body: Uint8Array) =>
  Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(body),
    catch: () => new WebhookBodyError({ message: "The body is not UTF-8" })
  })

const decodeJson = Schema.decode(Schema.parseJson())

const isEnvelope = Schema.is(Schema.Struct({ id: Schema.String, type: Schema.String }))

const parseEvent = (body: string) =>
  decodeJson(body).pipe(
    Effect.mapError(() => new WebhookBodyError({ message: "The body is not JSON" })),
    Effect.filterOrFail(isEnvelope, () => new WebhookBodyError({ message: "The body has no `id` and `type`" })),
    Effect.map((envelope) => decodeEvent(envelope, envelope))
  )

/**
 * Verifies a webhook request as Standard Webhooks defines it, and decodes its event. An event of a newer service has the
 * type `unknown`.
 *
 * @param secret the secret of the response of `webhookEndpoints.create`; during a rotation several
 * @param headers the headers of the request
 * @param body the body as it was received: a parsed and serialized body can differ from it
 * @see https://www.standardwebhooks.com
 */
export const verify = (
  secret: WebhookSecret,
  headers: WebhookHeaders,
  body: string | Uint8Array,
  { toleranceSeconds = defaultToleranceSeconds }: VerifyOptions = {}
): Effect.Effect<SwitchboardEvent, WebhookError> =>
  Effect.gen(function* () {
    // First: a wrong secret is an error of the receiver with any request.
    const keys = yield* importKeys(Array.ensure(secret))
    const { id, signatures, timestamp } = yield* webhookHeaders(headers)
    yield* checkTimestamp(Number(timestamp), toleranceSeconds)
    const encoder = new TextEncoder()
    const bytes = typeof body === "string" ? encoder.encode(body) : body
    if (!(bytes instanceof Uint8Array)) {
      return yield* new WebhookBodyError({ message: "The body must be the text or the bytes that were received" })
    }
    yield* verifySignature(keys, signatures, joinBytes(encoder.encode(`${id}.${timestamp}.`), bytes))
    return yield* parseEvent(typeof body === "string" ? body : yield* decodeText(body))
  })
