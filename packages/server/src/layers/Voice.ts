import { VoiceAgents } from "@switchboard/services/voice/agents/VoiceAgents"
import { VoiceWorkflows } from "@switchboard/services/voice/workflows/VoiceWorkflows"
import { Layer } from "effect"
import type { Settings } from "../Settings.js"
import { WebhookCalls } from "./Webhooks.js"

/** Who speaks in calls, and how calls go. */
export const VoiceLive = (settings: Settings) =>
  Layer.merge(VoiceAgents.Default, VoiceWorkflows.Default).pipe(Layer.provide(WebhookCalls(settings)))
