import { VoiceAgent } from "@switchboard/domain/voice/agents/VoiceAgent"
import { Record } from "effect"
import type { StoredVoiceAgent } from "./VoiceAgentRepo.js"

/** The decrypted webhook secrets that a response may show. */
export interface VisibleSecrets {
  readonly headers: Readonly<Record<string, string>>
  /** Present only in the response that created it. */
  readonly secret?: string | undefined
}

/** Replaces the value of a header, which may be a credential. */
const hidden = "…"

/** The headers with their values hidden. */
export const hideHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Record.map(headers, () => hidden)

/** The wire form of an agent. Fields without a value are omitted. */
export const describeVoiceAgent = (
  { description, language, systemPrompt, voiceId, webhook, workflowId, ...stored }: StoredVoiceAgent,
  { headers, secret }: VisibleSecrets
): VoiceAgent =>
  new VoiceAgent(
    {
      ...stored,
      workflowId: workflowId ?? undefined,
      description: description ?? undefined,
      systemPrompt: systemPrompt ?? undefined,
      voiceId: voiceId ?? undefined,
      language: language ?? undefined,
      webhookConfig:
        webhook === null
          ? undefined
          : {
              url: webhook.url,
              headers: Record.isEmptyReadonlyRecord(headers) ? undefined : headers,
              events: webhook.events,
              secret
            }
    },
    { disableValidation: true }
  )
