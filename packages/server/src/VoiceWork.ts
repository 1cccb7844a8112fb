import { CallErrands } from "@switchboard/services/voice/calls/CallErrands"
import { PlayCalls } from "@switchboard/services/voice/calls/PlayCalls"
import { VoiceCallWorker } from "@switchboard/worker/voice/calls/VoiceCallWorker"
import { Layer } from "effect"
import { RateLimitsLive } from "./RateLimiting.js"
import type { Settings } from "./Settings.js"
import { MessagesLive } from "./UseCases.js"
import { CallsCarried } from "./VoiceCalls.js"
import { WebhookCalls } from "./Webhooks.js"

/** The fibers that make calls. */
export const VoiceWork = (settings: Settings) =>
  VoiceCallWorker.pipe(
    Layer.provide(PlayCalls.Default),
    Layer.provide(Layer.merge(CallErrands.Default, CallsCarried(settings))),
    Layer.provide(MessagesLive(settings)),
    Layer.provide(RateLimitsLive(settings)),
    Layer.provide(WebhookCalls(settings))
  )
