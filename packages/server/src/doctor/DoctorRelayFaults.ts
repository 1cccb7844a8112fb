import { relayName } from "@switchboard/channels/smtp/client/SmtpRelay"
import type { Finding } from "@switchboard/domain/system/Finding"
import { RelayFaults } from "@switchboard/services/messages/delivery/RelayFaults"
import { DateTime, Effect, Option } from "effect"
import { relayOf } from "../layers/RelayLive.js"
import { Settings } from "../settings/Settings.js"
import { failedCheck } from "./FailedCheck.js"

/** How long a fault is reported: a worker that starts later tries the overlap again. */
const reportedFor = { days: 7 }

/** Reports a relay that replied out of order. */
export const relayFaultFindings = Effect.gen(function* () {
  const settings = yield* Settings
  const { find } = yield* RelayFaults
  if (Option.isNone(settings.smtpUrl)) return []
  const relay = relayName(relayOf(settings, settings.smtpUrl.value))
  const since = DateTime.subtract(yield* DateTime.now, reportedFor)
  const fault = Option.filter(yield* find(relay), DateTime.greaterThan(since))
  return Option.toArray(fault).map(
    (at): Finding => ({
      level: "warning",
      subject: `Replies of relay ${relay}: out of order at ${DateTime.formatIso(at)}`,
      advice: [
        "The relay offers PIPELINING, but replied to the next envelope before it replied to a mail (RFC 2920).",
        "The worker sends each envelope after that reply until it restarts: more round trips, no lost mail.",
        "Check the content filters between this host and the relay."
      ]
    })
  )
}).pipe(
  Effect.catchAll((error) => Effect.succeed<ReadonlyArray<Finding>>([failedCheck("Replies of the relay")(error)]))
)
