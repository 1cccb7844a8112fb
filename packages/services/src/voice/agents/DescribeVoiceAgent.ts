import { VoiceAgent } from "@switchboard/domain/voice/agents/VoiceAgent"
import { Record } from "effect"
import type { StoredVoiceAgent } from "./VoiceAgentRepo.js"

/** What of the webhook is sealed, as whoever asks may see it. */
export interface VisibleSecrets {
  readonly headers: Readonly<Record<string, string>>
  /** In the answer that made it alone. */
  readonly secret?: string | undefined
}

/** What stands for a header that may hold a credential. */
const hidden = "…"

/** The names of headers, without what they say. */
export const hideHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Record.map(headers, () => hidden)

/** An agent as its reads show it: what it has no value for is left out. */
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
