import { forgetKeyActivity } from "@switchboard/services/apiKeys/KeyActivity"
import { recheckDomains } from "@switchboard/services/email/domains/RecheckDomains"
import { forgetSends } from "@switchboard/services/messages/ForgetSends"
import { forgetSessions } from "@switchboard/services/sessions/ForgetSessions"
import { forgetWebhooks } from "@switchboard/services/webhooks/ForgetWebhooks"
import { Housekeeping } from "@switchboard/worker/Housekeeping"
import { Effect, Layer } from "effect"
import { DomainChecksLive } from "./EmailDomains.js"
import type { Settings } from "./Settings.js"
import { SendSettingsLive } from "./UseCases.js"

/** What every worker does beside its work, so that nothing grows forever. */
export const Chores = (settings: Settings) =>
  Housekeeping(Effect.all([forgetKeyActivity, forgetSends, forgetSessions, forgetWebhooks, recheckDomains])).pipe(
    Layer.provide(Layer.merge(SendSettingsLive(settings), DomainChecksLive(settings)))
  )
