import { AgentNotices } from "@switchboard/services/voice/calls/AgentNotices"
import { CallErrands } from "@switchboard/services/voice/calls/CallErrands"
import { PlayCalls } from "@switchboard/services/voice/calls/PlayCalls"
import { WebhookSettings } from "@switchboard/services/webhooks/WebhookSettings"
import { AgentNoticeWorker } from "@switchboard/worker/voice/calls/AgentNoticeWorker"
import { VoiceCallWorker } from "@switchboard/worker/voice/calls/VoiceCallWorker"
import { Layer } from "effect"
import type { Settings } from "../Settings.js"
import { MessagesLive } from "./UseCases.js"
import { CallsCarried } from "./VoiceCalls.js"
import { WebhookCalls } from "./Webhooks.js"

const Calls = (settings: Settings) =>
  VoiceCallWorker.pipe(
    Layer.provide(PlayCalls.Default),
    Layer.provide(Layer.merge(CallErrands.Default, CallsCarried(settings))),
    Layer.provide(MessagesLive(settings))
  )

const Notices = (settings: Settings) =>
  AgentNoticeWorker.pipe(
    Layer.provide(AgentNotices.Default),
    Layer.provide(Layer.succeed(WebhookSettings, { retrySchedule: settings.webhookRetrySchedule }))
  )

/** The fibers that make calls, and tell the webhooks of agents of them. */
export const VoiceWork = (settings: Settings) =>
  Layer.merge(Calls(settings), Notices(settings)).pipe(Layer.provide(WebhookCalls(settings)))
