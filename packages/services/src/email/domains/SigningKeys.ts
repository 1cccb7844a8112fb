import { createPrivateKey, type KeyObject } from "node:crypto"
import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { DkimSelector } from "@switchboard/domain/email/domains/DomainRecords"
import { degradedPeriod } from "@switchboard/domain/email/domains/ExamineDomain"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect, Option, Redacted } from "effect"
import { LRUCache } from "lru-cache"
import { SecretBox, type SecretUnreadable } from "../../SecretBox.js"
import { sharedLookup } from "../../SharedLookup.js"
import { dkimOwner, dkimPurpose } from "./DkimKeys.js"
import { DomainRepo } from "./DomainRepo.js"

/** The DKIM key of a domain. */
export interface SigningKey {
  readonly selector: DkimSelector
  readonly privateKey: KeyObject
  /** Whether the domain is verified, including the records of its return path. */
  readonly isVerified: boolean
  /** Whether this service receives the domain's mail. */
  readonly receives: boolean
  /** The host of links in tracked mail; null for that of `PUBLIC_URL`. */
  readonly trackingDomain: string | null
}

interface Lookup {
  readonly organization: OrganizationId
  readonly domain: string
}

/** A cached look-up and its time. */
interface Found {
  readonly key: Option.Option<SigningKey>
  readonly asOf: DateTime.Utc
}

/** The maximum delay with which a rotation, or the removal of a domain, applies to mail that was accepted before it. */
const freshness = "5 seconds"

/**
 * The maximum number of look-ups that are cached, and of decrypted keys, which take some KiB each. Decrypting and
 * parsing a key takes longer than signing a mail, so a key is kept until the stored one changes.
 */
const maxKeys = 10_000

interface DecryptedKey {
  readonly sealed: Uint8Array
  readonly privateKey: KeyObject
}

/** The decrypted signing keys of domains, cached. */
export class SigningKeys extends Effect.Service<SigningKeys>()("services/SigningKeys", {
  effect: Effect.gen(function* () {
    const repo = yield* DomainRepo
    const box = yield* SecretBox

    const decrypted = new LRUCache<string, DecryptedKey>({ max: maxKeys })

    const decrypt = Effect.fnUntraced(function* (owner: string, sealed: Uint8Array) {
      const known = decrypted.get(owner)
      if (known !== undefined && Buffer.compare(known.sealed, sealed) === 0) return known.privateKey
      const pem = yield* box.open(dkimPurpose, owner, sealed)
      const privateKey = createPrivateKey(Redacted.value(pem))
      decrypted.set(owner, { sealed, privateKey })
      return privateKey
    })

    const opened = Effect.fnUntraced(function* ({ domain, organization }: Lookup) {
      const asOf = yield* DateTime.now
      const found = yield* repo.signingKey(organization, domain, DateTime.subtractDuration(asOf, degradedPeriod))
      if (Option.isNone(found)) return { key: Option.none(), asOf } satisfies Found
      const { id, isVerified, receives, sealed, selector, trackingDomain } = found.value
      const privateKey = yield* decrypt(dkimOwner(id, selector), sealed)
      const key: SigningKey = { selector, privateKey, isVerified, receives, trackingDomain }
      return { key: Option.some(key), asOf } satisfies Found
    })

    const keys = yield* sharedLookup({
      capacity: maxKeys,
      timeToLive: freshness,
      lookup: opened,
      idOf: ({ domain, organization }) => `${organization} ${domain}`
    })

    /**
     * The signing key of a domain that is verified, or degraded for less than 72 hours. The key is looked up after
     * `since`, the time at which the mail was accepted: mail sent after a rotation is signed with the new key.
     */
    const signingKeyOf = (
      organization: OrganizationId,
      domain: string,
      since: DateTime.Utc
    ): Effect.Effect<Option.Option<SigningKey>, SecretUnreadable | ServiceUnavailableError> => {
      const found = keys.get({ organization, domain }, ({ asOf }) => DateTime.greaterThan(asOf, since))
      return Effect.map(found, ({ key }) => key)
    }

    return { signingKeyOf } as const
  })
}) {}
