import { Array, Effect, Redacted } from "effect"
import type { SwitchboardEvent } from "../events/SwitchboardEvent.js"
import * as Webhooks from "../webhooks/Webhooks.js"
import { type PlainValue, toPlain } from "./PlainValue.js"
import { run } from "./RunPromise.js"

export * from "../webhooks/WebhookError.js"
export type { VerifyOptions, WebhookHeaders } from "../webhooks/Webhooks.js"

/**
 * Verifies a webhook request as Standard Webhooks defines it, and returns its event. Rejects with a `WebhookError`.
 *
 * @param secret the secret of the response of `webhookEndpoints.create`, `whsec_…`; during a rotation several
 * @param headers the headers of the request
 * @param body the body as it was received: a parsed and serialized body can differ from it
 * @see https://www.standardwebhooks.com
 */
export const verify = (
  secret: string | ReadonlyArray<string>,
  headers: Webhooks.WebhookHeaders,
  body: string | Uint8Array,
  options: Webhooks.VerifyOptions = {}
): Promise<PlainValue<SwitchboardEvent>> =>
  // Suspended, so that an argument of another type rejects the promise instead of throwing.
  run(
    Effect.suspend(() => {
      const secrets = Array.ensure(secret).map((one) => Redacted.make(one))
      return Effect.map(Webhooks.verify(secrets, headers, body, options), toPlain)
    })
  )
