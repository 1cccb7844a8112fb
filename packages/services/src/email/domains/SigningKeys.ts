import { createPrivateKey, type KeyObject } from "node:crypto"
import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { DkimSelector } from "@switchboard/domain/email/domains/DomainRecords"
import { degradedSends } from "@switchboard/domain/email/domains/DomainStanding"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Data, DateTime, Effect, Option, Redacted } from "effect"
import { SecretBox, type SecretUnreadable } from "../../SecretBox.js"
import { sharedLookup } from "../../SharedLookup.js"
import { dkimOwner, dkimPurpose } from "./DkimKeys.js"
import { DomainRepo } from "./DomainRepo.js"

/** What mail of a domain is signed with. */
export interface SigningKey {
  readonly selector: DkimSelector
  readonly privateKey: KeyObject
  /** Whether all records of the domain were found, those of its return path too. */
  readonly isVerified: boolean
  /** Whether mail to the domain comes to us. */
  readonly receives: boolean
}

class Lookup extends Data.Class<{ readonly organization: OrganizationId; readonly domain: string }> {}

/** What was found, and when it was looked for. */
interface Found {
  readonly key: Option.Option<SigningKey>
  readonly asOf: DateTime.Utc
}

/** How late a rotation, or the end of a domain, may come to mail that had been accepted before it. */
const freshness = "5 seconds"

/** The keys that sign the mail of domains, opened and ready. */
export class SigningKeys extends Effect.Service<SigningKeys>()("services/SigningKeys", {
  effect: Effect.gen(function* () {
    const repo = yield* DomainRepo
    const box = yield* SecretBox

    const opened = Effect.fnUntraced(function* ({ domain, organization }: Lookup) {
      const asOf = yield* DateTime.now
      const found = yield* repo.signingKey(organization, domain, DateTime.subtractDuration(asOf, degradedSends))
      if (Option.isNone(found)) return { key: Option.none(), asOf } satisfies Found
      const { id, isVerified, receives, sealed, selector } = found.value
      const pem = yield* box.open(dkimPurpose, dkimOwner(id, selector), sealed)
      const privateKey = createPrivateKey(Redacted.value(pem))
      return { key: Option.some({ selector, privateKey, isVerified, receives }), asOf } satisfies Found
    })

    const keys = yield* sharedLookup({ capacity: 1_000, timeToLive: freshness, lookup: opened })

    /**
     * The key that signs for a domain of the organization that is verified, or degraded for less than 72 hours. It is
     * never older than what is signed, mail accepted at `since`: who rotates and then sends has the new key sign.
     */
    const signingKeyOf = (
      organization: OrganizationId,
      domain: string,
      since: DateTime.Utc
    ): Effect.Effect<Option.Option<SigningKey>, SecretUnreadable | ServiceUnavailableError> => {
      const lookup = new Lookup({ organization, domain })
      return keys
        .invalidateWhen(lookup, ({ asOf }) => DateTime.lessThanOrEqualTo(asOf, since))
        .pipe(
          Effect.zipRight(keys.get(lookup)),
          Effect.map(({ key }) => key)
        )
    }

    return { signingKeyOf } as const
  })
}) {}
