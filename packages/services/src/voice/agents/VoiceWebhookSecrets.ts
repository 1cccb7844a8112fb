import {
  type GivenVoiceWebhook,
  type VoiceAgentId,
  voiceAgentEvents
} from "@switchboard/domain/voice/agents/VoiceAgent"
import { Effect, Redacted } from "effect"
import type { SecretBox } from "../../SecretBox.js"
import { headersPurpose, makeWebhookSecret, openHeaders, secretPurpose } from "../../webhooks/delivery/SignedPost.js"
import type { StoredVoiceWebhook } from "./VoiceAgentRepo.js"

type Box = typeof SecretBox.Service

/** A new secret in plain text and encrypted. */
export interface FreshSecret {
  readonly shown: string
  readonly sealed: Uint8Array
}

/** Generates a secret for an agent. */
export const freshSecret = (box: Box, id: VoiceAgentId): Effect.Effect<FreshSecret> =>
  Effect.map(makeWebhookSecret, (secret) => ({
    shown: Redacted.value(secret),
    sealed: box.seal(secretPurpose, id, secret)
  }))

const sealHeaders = (box: Box, id: VoiceAgentId, headers: Readonly<Record<string, string>> = {}) =>
  Object.keys(headers).length === 0 ? null : box.seal(headersPurpose, id, Redacted.make(JSON.stringify(headers)))

/** The stored form of a requested webhook. */
export const storedWebhook = (
  box: Box,
  id: VoiceAgentId,
  { events = voiceAgentEvents, headers, url }: GivenVoiceWebhook,
  secret: Uint8Array
): StoredVoiceWebhook => ({ url, events, headers: sealHeaders(box, id, headers), secret })

/** The decrypted headers of an agent's webhook. Headers that can't be decrypted are omitted and logged. */
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
 * Copies an agent's webhook with its secret, since the receiver is the same. A secret that can't be decrypted is
 * replaced by the new one.
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
