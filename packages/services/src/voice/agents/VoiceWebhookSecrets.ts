import type { VoiceAgentId } from "@switchboard/domain/voice/agents/VoiceAgent"
import { voiceAgentEvents } from "@switchboard/domain/voice/agents/VoiceAgent"
import type { GivenVoiceWebhook } from "@switchboard/domain/voice/agents/VoiceAgentRequests"
import { Effect, Redacted } from "effect"
import type { SecretBox } from "../../SecretBox.js"
import { headersPurpose, openHeaders, secretPurpose } from "../../webhooks/delivery/SignedPost.js"
import { makeWebhookSecret } from "../../webhooks/delivery/WebhookSignature.js"
import type { StoredVoiceWebhook } from "./VoiceAgentRepo.js"

type Box = typeof SecretBox.Service

/** A secret that nobody has yet: for whoever is told it, and as it is stored. */
export interface FreshSecret {
  readonly shown: string
  readonly sealed: Uint8Array
}

/** A new secret for an agent. */
export const freshSecret = (box: Box, id: VoiceAgentId): Effect.Effect<FreshSecret> =>
  Effect.map(makeWebhookSecret, (secret) => ({
    shown: Redacted.value(secret),
    sealed: box.seal(secretPurpose, id, secret)
  }))

const sealHeaders = (box: Box, id: VoiceAgentId, headers: Readonly<Record<string, string>> = {}) =>
  Object.keys(headers).length === 0 ? null : box.seal(headersPurpose, id, Redacted.make(JSON.stringify(headers)))

/** What is stored of a configuration that was given. */
export const storedWebhook = (
  box: Box,
  id: VoiceAgentId,
  { events = voiceAgentEvents, headers, url }: GivenVoiceWebhook,
  secret: Uint8Array
): StoredVoiceWebhook => ({ url, events, headers: sealHeaders(box, id, headers), secret })

/** The headers of an agent's webhook; left out, and said so in the log, where they can't be read any more. */
export const readableHeaders = (box: Box, id: VoiceAgentId, sealed: Uint8Array | null) =>
  openHeaders(box, id, sealed).pipe(
    Effect.catchTag("SecretUnreadable", ({ message }) =>
      Effect.as(
        Effect.annotateLogs(Effect.logWarning(`The headers of a voice agent's webhook: ${message}`), "agentId", id),
        {}
      )
    )
  )

/**
 * The webhook of an agent for its copy: the receiver is the same, and so is the secret that it knows. One that can't be
 * read any more is replaced by the fresh one.
 */
export const copiedWebhook = Effect.fnUntraced(function* (
  box: Box,
  { id, webhook }: { readonly id: VoiceAgentId; readonly webhook: StoredVoiceWebhook },
  copy: VoiceAgentId,
  fresh: FreshSecret
) {
  const headers = yield* readableHeaders(box, id, webhook.headers)
  const secret = yield* box.open(secretPurpose, id, webhook.secret).pipe(
    Effect.map((opened) => box.seal(secretPurpose, copy, opened)),
    Effect.catchTag("SecretUnreadable", () => Effect.succeed(fresh.sealed))
  )
  return storedWebhook(box, copy, { url: webhook.url, events: webhook.events, headers }, secret)
})
