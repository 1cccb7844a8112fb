import { gatherCounts } from "@switchboard/services/analytics/GatherCounts"
import { forgetKeyActivity } from "@switchboard/services/apiKeys/KeyActivity"
import { tidyDrafts } from "@switchboard/services/drafts/TidyDrafts"
import { recheckDomains } from "@switchboard/services/email/domains/RecheckDomains"
import { forgetSends } from "@switchboard/services/messages/ForgetSends"
import { removeObjects } from "@switchboard/services/objects/RemoveObjects"
import { forgetSessions } from "@switchboard/services/sessions/ForgetSessions"
import { settleUploads } from "@switchboard/services/voice/knowledgeBases/SettleUploads"
import { UploadSearches } from "@switchboard/services/voice/knowledgeBases/UploadSearches"
import { forgetWebhooks } from "@switchboard/services/webhooks/ForgetWebhooks"
import { Housekeeping } from "@switchboard/worker/Housekeeping"
import { Effect, Layer } from "effect"
import { DomainChecksLive } from "./EmailDomains.js"
import type { Settings } from "./Settings.js"
import { SendSettingsLive } from "./UseCases.js"

/** What every worker does beside its work, so that nothing grows forever. */
export const Chores = (settings: Settings) =>
  Housekeeping(
    Effect.all([
      forgetKeyActivity,
      forgetSends,
      forgetSessions,
      forgetWebhooks,
      gatherCounts,
      recheckDomains,
      removeObjects,
      settleUploads,
      tidyDrafts
    ])
  ).pipe(
    Layer.provide(Layer.merge(SendSettingsLive(settings), DomainChecksLive(settings))),
    Layer.provide(UploadSearches.Default)
  )
