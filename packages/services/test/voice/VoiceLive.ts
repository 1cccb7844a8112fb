import { DestinationGuard } from "@switchboard/services/network/DestinationGuard"
import { SecretBox } from "@switchboard/services/SecretBox"
import { MasterKey } from "@switchboard/services/Signatures"
import { VoiceAgents } from "@switchboard/services/voice/agents/VoiceAgents"
import { VoiceWorkflows } from "@switchboard/services/voice/workflows/VoiceWorkflows"
import { OrganizationRepoSql } from "@switchboard/store/organizations/OrganizationRepoSql"
import { SharedDatabase } from "@switchboard/store/testing/TestDatabase"
import { VoiceAgentRepoSql } from "@switchboard/store/voice/agents/VoiceAgentRepoSql"
import { VoiceWorkflowRepoSql } from "@switchboard/store/voice/workflows/VoiceWorkflowRepoSql"
import { Effect, Layer, Redacted } from "effect"

/** Voice agents and workflows on a test database; every destination URL is allowed. */
export const VoiceLive = Layer.merge(VoiceAgents.Default, VoiceWorkflows.Default).pipe(
  Layer.provideMerge(Layer.mergeAll(VoiceAgentRepoSql, VoiceWorkflowRepoSql, OrganizationRepoSql)),
  Layer.provide(Layer.mock(DestinationGuard, { checkUrl: () => Effect.void })),
  Layer.provideMerge(SecretBox.Live),
  Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(7)))),
  Layer.provideMerge(SharedDatabase)
)
