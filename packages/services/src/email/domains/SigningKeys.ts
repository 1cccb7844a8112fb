import { createPrivateKey, type KeyObject } from "node:crypto"
import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { DkimSelector } from "@switchboard/domain/email/domains/DomainRecords"
import { degradedSends } from "@switchboard/domain/email/domains/DomainStanding"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Cache, Data, DateTime, Duration, Effect, Exit, Option, Redacted } from "effect"
import { SecretBox, type SecretUnreadable } from "../../SecretBox.js"
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

/** How late a rotation, or the end of a domain, may come to a process that signs. */
const freshness = Duration.seconds(5)

/** The keys that sign the mail of domains, opened and ready. */
export class SigningKeys extends Effect.Service<SigningKeys>()("services/SigningKeys", {
  effect: Effect.gen(function* () {
    const repo = yield* DomainRepo
    const box = yield* SecretBox

    const opened = Effect.fnUntraced(function* ({ domain, organization }: Lookup) {
      const degradedSince = DateTime.subtractDuration(yield* DateTime.now, degradedSends)
      const found = yield* repo.signingKey(organization, domain, degradedSince)
      if (Option.isNone(found)) return Option.none<SigningKey>()
      const { id, isVerified, receives, sealed, selector } = found.value
      const pem = yield* box.open(dkimPurpose, dkimOwner(id, selector), sealed)
      const privateKey = createPrivateKey(Redacted.value(pem))
      return Option.some<SigningKey>({ selector, privateKey, isVerified, receives })
    })

    const keys = yield* Cache.makeWith({
      capacity: 1_000,
      lookup: opened,
      timeToLive: (exit) => (Exit.isSuccess(exit) ? freshness : Duration.zero)
    })

    /** The key that signs for a domain of the organization that is verified, or degraded for less than 72 hours. */
    const signingKeyOf = (
      organization: OrganizationId,
      domain: string
    ): Effect.Effect<Option.Option<SigningKey>, SecretUnreadable | ServiceUnavailableError> =>
      keys.get(new Lookup({ organization, domain }))

    return { signingKeyOf } as const
  })
}) {}
