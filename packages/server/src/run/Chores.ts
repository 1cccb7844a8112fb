import { gatherCounts } from "@switchboard/services/analytics/GatherCounts"
import { forgetKeyActivity } from "@switchboard/services/apiKeys/KeyActivity"
import { tidyDrafts } from "@switchboard/services/drafts/TidyDrafts"
import { recheckDomains } from "@switchboard/services/email/domains/RecheckDomains"
import { forgetSends } from "@switchboard/services/messages/ForgetSends"
import { removeObjects } from "@switchboard/services/objects/RemoveObjects"
import { eraseWhatWasKept } from "@switchboard/services/retention/EraseKept"
import { RetentionSettings } from "@switchboard/services/retention/RetentionSettings"
import { forgetSessions } from "@switchboard/services/sessions/ForgetSessions"
import { settleUploads } from "@switchboard/services/voice/knowledgeBases/SettleUploads"
import { UploadSearches } from "@switchboard/services/voice/knowledgeBases/UploadSearches"
import { forgetWebhooks } from "@switchboard/services/webhooks/ForgetWebhooks"
import { Housekeeping } from "@switchboard/worker/Housekeeping"
import { Effect, Layer } from "effect"
import { DomainChecksLive } from "../layers/EmailDomains.js"
import { SendSettingsLive } from "../layers/UseCases.js"
import type { Settings } from "../Settings.js"

/** For how long what is kept, for the chores. */
const RetentionSettingsLive = (settings: Settings) =>
  Layer.succeed(RetentionSettings, {
    messageBodies: settings.retentionMessageBodies,
    events: settings.retentionEvents,
    inboundRaw: settings.retentionInboundRaw,
    webhookAttempts: settings.retentionWebhookAttempts,
    keyActivity: settings.retentionKeyActivity
  })

/** What every worker does beside its work, so that nothing grows forever. */
export const Chores = (settings: Settings) =>
  Housekeeping(
    Effect.zipWith(
      eraseWhatWasKept,
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
      ]),
      (erasing, chores) => [...erasing, ...chores]
    )
  ).pipe(
    Layer.provide(
      Layer.mergeAll(SendSettingsLive(settings), DomainChecksLive(settings), RetentionSettingsLive(settings))
    ),
    Layer.provide(UploadSearches.Default)
  )
