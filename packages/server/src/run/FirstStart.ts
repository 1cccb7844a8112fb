import { localDomain } from "@switchboard/domain/email/domains/LocalDomain"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { Slug } from "@switchboard/domain/organizations/UpdateOrganization"
import { LocalDomains } from "@switchboard/services/email/domains/LocalDomains"
import { Organizations } from "@switchboard/services/organizations/Organizations"
import { Effect, Option, type Redacted, Ref, Schema } from "effect"
import { Settings } from "../settings/Settings.js"
import { announce } from "./Announce.js"
import { showFirstKey } from "./FirstKey.js"

/** The sender of the first organization. Its domain exists only in the local mailbox. */
export const firstSender = Schema.decodeSync(EmailAddress)(`hello@${localDomain}`)

/** The default sender of a later organization: with its own domain, so that replies reach only this organization. */
export const localSender = (slug: typeof Slug.Type): EmailAddress =>
  Schema.decodeSync(EmailAddress)(`hello@${slug}.${localDomain}`)

/**
 * Creates the first organization and API key, and the local domain that receives replies to the first sender (also for
 * installations of releases that did not receive mail). The generated key is shown in the transaction that stores it;
 * everything that can fail must run before. Returns the id of the key; none if an organization exists.
 */
export const firstStart = Effect.fnUntraced(function* (baseUrl: string) {
  const { bootstrapApiKey } = yield* Settings
  const organizations = yield* Organizations
  const isShown = yield* Ref.make(false)
  const show = (key: Redacted.Redacted<string>) =>
    Effect.zipRight(
      Option.isSome(bootstrapApiKey)
        ? announce("Created the first organization and its admin key (BOOTSTRAP_API_KEY).")
        : showFirstKey(baseUrl, key),
      Ref.set(isShown, true)
    )
  const created = yield* organizations
    .bootstrap({ sender: firstSender, key: bootstrapApiKey, show })
    .pipe(
      Effect.tapError(() =>
        Effect.whenEffect(
          Effect.logWarning(
            "It is unknown whether the first API key was stored: if the next start shows another key, use that one."
          ),
          Ref.get(isShown)
        )
      )
    )
  yield* Effect.flatMap(LocalDomains, ({ ensure }) => ensure(firstSender))
  return Option.map(created, ({ apiKeyId }) => apiKeyId)
})
