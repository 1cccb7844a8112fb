import { DestinationGuard } from "@switchboard/services/network/DestinationGuard"
import { MasterKey, SecretBox } from "@switchboard/services/SecretBox"
import { VoiceAgents } from "@switchboard/services/voice/agents/VoiceAgents"
import { VoiceWorkflows } from "@switchboard/services/voice/workflows/VoiceWorkflows"
import { WebhookEndpoints } from "@switchboard/services/webhooks/WebhookEndpoints"
import { StoreLive } from "@switchboard/store/testing/StoreLive"
import { Effect, Layer, Redacted } from "effect"

/** Voice agents with their webhooks, and workflows, on a test database; every destination URL is allowed. */
export const VoiceLive = Layer.mergeAll(VoiceAgents.Default, VoiceWorkflows.Default, WebhookEndpoints.Default).pipe(
  Layer.provide(Layer.mock(DestinationGuard, { checkUrl: () => Effect.void })),
  Layer.provideMerge(SecretBox.Live),
  Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(7)))),
  Layer.provideMerge(StoreLive)
)
