import { localDomain } from "@switchboard/domain/email/domains/LocalDomain"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { Slug } from "@switchboard/domain/organizations/UpdateOrganization"
import { LocalDomains } from "@switchboard/services/email/domains/LocalDomains"
import { Organizations } from "@switchboard/services/organizations/Organizations"
import { Console, Effect, Option, Redacted, Ref, Schema } from "effect"
import { Settings } from "../settings/Settings.js"

/** The sender of the first organization. Its domain exists only in the local mailbox. */
export const firstSender = Schema.decodeSync(EmailAddress)(`hello@${localDomain}`)

/** The default sender of a later organization: with its own domain, so that replies reach only this organization. */
export const localSender = (slug: typeof Slug.Type): EmailAddress =>
  Schema.decodeSync(EmailAddress)(`hello@${slug}.${localDomain}`)

/** A command that sends the first message. */
const firstCurl = (baseUrl: string, key: string) => `curl ${baseUrl}/v1/messages \\
  -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' \\
  -d '{"channel":"email","to":[{"email":"ada@example.com"}],"email":{"subject":"Hello","html":"<p>It works.</p>"}}'`

/**
 * Creates the first organization and API key, and the local domain that receives replies to the first sender (also for
 * installations of releases that did not receive mail). The generated key is printed in the transaction that stores it;
 * everything that can fail must run before. Returns the id of the key; none if an organization exists.
 */
export const firstStart = Effect.fnUntraced(function* (baseUrl: string) {
  const { bootstrapApiKey } = yield* Settings
  const organizations = yield* Organizations
  const isShown = yield* Ref.make(false)
  const show = (key: Redacted.Redacted<string>) =>
    Effect.zipRight(
      Ref.set(isShown, true),
      Console.log(
        Option.isSome(bootstrapApiKey)
          ? "Created the first organization and its admin key (BOOTSTRAP_API_KEY)."
          : `Your API key, shown only once:\n\n  ${Redacted.value(key)}\n\nSend your first message:\n\n${firstCurl(baseUrl, Redacted.value(key))}\n`
      )
    )
  const created = yield* organizations
    .bootstrap({ sender: firstSender, key: bootstrapApiKey, show })
    .pipe(
      Effect.tapError(() =>
        Effect.whenEffect(
          Console.error(
            "It is unknown whether this key was stored: if the next start shows another key, use that one."
          ),
          Ref.get(isShown)
        )
      )
    )
  yield* Effect.flatMap(LocalDomains, ({ ensure }) => ensure(firstSender))
  return Option.map(created, ({ apiKeyId }) => apiKeyId)
})
