import { localDomain } from "@switchboard/domain/email/domains/LocalDomain"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { Slug } from "@switchboard/domain/organizations/UpdateOrganization"
import { LocalDomains } from "@switchboard/services/email/domains/LocalDomains"
import { Organizations } from "@switchboard/services/organizations/Organizations"
import { Console, Effect, Option, Redacted, Ref, Schema } from "effect"
import { Settings } from "../settings/Settings.js"

/** Every installation can send as this, into its own mailbox. */
export const firstSender = Schema.decodeSync(EmailAddress)(`hello@${localDomain}`)

/** What an organization that is made later sends as: at a name of its own, so that no answer to it reaches another. */
export const localSender = (slug: typeof Slug.Type): EmailAddress =>
  Schema.decodeSync(EmailAddress)(`hello@${slug}.${localDomain}`)

/** What to paste to send the first message. */
const firstCurl = (baseUrl: string, key: string) => `curl ${baseUrl}/v1/messages \\
  -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' \\
  -d '{"channel":"email","to":[{"email":"ada@example.com"}],"email":{"subject":"Hello","html":"<p>It works.</p>"}}'`

/**
 * Makes an empty installation usable, and sees to it that answers to its first sender come back, also where that was made
 * by a release which did not receive mail. A fresh key is shown in the step that keeps it; before that, nothing may be
 * left which can end the start.
 */
export const firstStart = Effect.fnUntraced(function* (baseUrl: string) {
  const { bootstrapApiKey } = yield* Settings
  const organizations = yield* Organizations
  const shown = yield* Ref.make(false)
  const show = (key: Redacted.Redacted<string>) =>
    Effect.zipRight(
      Ref.set(shown, true),
      Console.log(
        Option.isSome(bootstrapApiKey)
          ? "The first organization and its admin key (BOOTSTRAP_API_KEY) are made."
          : `Your API key, shown this once:\n\n  ${Redacted.value(key)}\n\nSend your first message:\n\n${firstCurl(baseUrl, Redacted.value(key))}\n`
      )
    )
  yield* organizations
    .bootstrap({ sender: firstSender, key: bootstrapApiKey, show })
    .pipe(
      Effect.tapError(() =>
        Effect.whenEffect(
          Console.error("Whether that key was kept is not known: if the next start shows another, it was not."),
          Ref.get(shown)
        )
      )
    )
  yield* Effect.flatMap(LocalDomains, ({ ensure }) => ensure(firstSender))
})
