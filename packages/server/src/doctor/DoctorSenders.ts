import { localDomain } from "@switchboard/domain/email/domains/LocalDomain"
import type { Finding } from "@switchboard/domain/system/Finding"
import { localDefaultSenders } from "@switchboard/store/email/senders/LocalDefaultSenders"
import { Effect, Option } from "effect"
import { isRemote } from "../settings/RelayTls.js"
import { Settings } from "../settings/Settings.js"
import { failedCheck } from "./FailedCheck.js"

const subject = "Default senders"

const finding = (slugs: ReadonlyArray<string>): Finding =>
  slugs.length === 0
    ? { level: "ok", subject }
    : {
        level: "error",
        subject,
        advice: [
          `Mail of these organizations leaves over SMTP_URL from ${localDomain}, and its receivers refuse it or can't reply:`,
          slugs.join(", "),
          "Add a domain, then a sender of it with isDefault (docs/first-mail.md)."
        ]
      }

/** Checks that no default sender is of the local domain, if a relay on another host delivers its mail. */
export const senderFindings = Effect.gen(function* () {
  const { smtpUrl } = yield* Settings
  return Option.exists(smtpUrl, isRemote) ? [finding(yield* localDefaultSenders)] : []
}).pipe(Effect.catchAll((error) => Effect.succeed<ReadonlyArray<Finding>>([failedCheck(subject)(error)])))
