import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { Organizations } from "@switchboard/services/organizations/Organizations"
import { Console, Effect, Option, Redacted, Schema } from "effect"
import type { Settings } from "./Settings.js"

/** Every installation can send as this, into its own mailbox. */
export const firstSender = Schema.decodeSync(EmailAddress)("hello@localhost.test")

/** What to paste to send the first message. */
const firstCurl = (baseUrl: string, key: string) => `curl ${baseUrl}/v1/messages \\
  -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' \\
  -d '{"channel":"email","to":[{"email":"ada@example.com"}],"email":{"subject":"Hello","html":"<p>It works.</p>"}}'`

/** Makes an empty installation usable. What to tell the operator, once it is known where the service listens. */
export const firstStart = ({ bootstrapApiKey }: Settings) =>
  Effect.gen(function* () {
    const organizations = yield* Organizations
    const made = yield* organizations.bootstrap({ sender: firstSender, key: bootstrapApiKey })
    return (baseUrl: string) => {
      if (Option.isNone(made)) return Effect.void
      const key = Redacted.value(made.value.key)
      return Console.log(
        Option.isSome(bootstrapApiKey)
          ? "The first organization and its admin key (BOOTSTRAP_API_KEY) are made."
          : `Your API key, shown this once:\n\n  ${key}\n\nSend your first message:\n\n${firstCurl(baseUrl, key)}\n`
      )
    }
  })
