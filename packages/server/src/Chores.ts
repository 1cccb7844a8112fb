import { forgetKeyActivity } from "@switchboard/services/apiKeys/KeyActivity"
import { forgetSends } from "@switchboard/services/messages/ForgetSends"
import { forgetSessions } from "@switchboard/services/sessions/ForgetSessions"
import { forgetWebhooks } from "@switchboard/services/webhooks/ForgetWebhooks"
import { Housekeeping } from "@switchboard/worker/Housekeeping"
import { Effect, Layer } from "effect"
import type { Settings } from "./Settings.js"
import { SendSettingsLive } from "./UseCases.js"

/** What every worker does beside its work, so that nothing grows forever. */
export const Chores = (settings: Settings) =>
  Housekeeping(Effect.all([forgetKeyActivity, forgetSends, forgetSessions, forgetWebhooks])).pipe(
    Layer.provide(SendSettingsLive(settings))
  )
