import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { Array, Data, Effect } from "effect"
import { dkimOwner, dkimPurpose } from "../email/domains/DkimKeys.js"
import { SecretBox } from "../SecretBox.js"
import { headersPurpose, secretPurpose } from "../webhooks/delivery/SignedPost.js"
import { InstallationRepo } from "./InstallationRepo.js"
import { keyFingerprint } from "./MasterKeyCheck.js"
import { type SecretKind, SecretRepo, type StoredSecret, secretKinds } from "./SecretRepo.js"

/** Secrets remain that neither key decrypts, so that the rotation is incomplete. */
export class SecretsUnreadable extends Data.TaggedError("SecretsUnreadable")<{ readonly message: string }> {}

/** Secrets that one transaction encrypts. */
const batch = 100

/** The unreadable secrets that an error names. */
const maxNamed = 10

/** The purpose and the owner that a secret is encrypted for. */
const boundTo = (kind: SecretKind, id: string): readonly [string, string] => {
  switch (kind) {
    case "DKIM key sm1":
      return [dkimPurpose, dkimOwner(EmailDomainId.make(id), "sm1")]
    case "DKIM key sm2":
      return [dkimPurpose, dkimOwner(EmailDomainId.make(id), "sm2")]
    case "secret of webhook endpoint":
    case "previous secret of webhook endpoint":
    case "earlier secret of webhook endpoint":
    case "webhook secret of voice agent":
      return [secretPurpose, id]
    case "headers of webhook endpoint":
    case "webhook headers of voice agent":
      return [headersPurpose, id]
  }
}

const first = { organizationId: "00000000-0000-0000-0000-000000000000", id: "00000000-0000-0000-0000-000000000000" }

/**
 * Encrypts all secrets under the current master key, in batches, and stores its fingerprint when none is left under
 * another key. After an interruption, the next run continues with the remaining secrets. Returns the number of
 * secrets that were encrypted again.
 */
export const rotateMasterKey = Effect.gen(function* () {
  const { keyId, open, seal } = yield* SecretBox
  const repo = yield* SecretRepo
  const { replaceKeyFingerprint } = yield* InstallationRepo

  const reseal = (kind: SecretKind, secret: StoredSecret) => {
    const [purpose, owner] = boundTo(kind, secret.owner)
    return open(purpose, owner, secret.sealed).pipe(
      Effect.map((opened) => ({ ...secret, resealed: seal(purpose, owner, opened) })),
      Effect.mapError(() => `${kind} ${secret.owner}`),
      Effect.either
    )
  }

  const resealKind = Effect.fnUntraced(function* (kind: SecretKind) {
    const unreadable: globalThis.Array<string> = []
    let count = 0
    let after: Pick<StoredSecret, "organizationId" | "id"> = first
    let secrets = yield* repo.underOtherKeys(kind, keyId, after, batch)
    while (Array.isNonEmptyReadonlyArray(secrets)) {
      const [failed, resealed] = Array.separate(yield* Effect.forEach(secrets, (secret) => reseal(kind, secret)))
      unreadable.push(...failed)
      count += yield* repo.replace(kind, resealed)
      after = Array.lastNonEmpty(secrets)
      secrets = yield* repo.underOtherKeys(kind, keyId, after, batch)
    }
    return { count, unreadable }
  })

  const results = yield* Effect.forEach(secretKinds, resealKind)
  const unreadable = results.flatMap((result) => result.unreadable)
  if (unreadable.length > 0) {
    const more = unreadable.length > maxNamed ? ` and ${unreadable.length - maxNamed} more` : ""
    return yield* new SecretsUnreadable({
      message: `${unreadable.length} secrets can't be decrypted with MASTER_KEY or MASTER_KEY_PREVIOUS: replace or delete them, then run the command again (${unreadable.slice(0, maxNamed).join(", ")}${more})`
    })
  }
  yield* replaceKeyFingerprint(yield* keyFingerprint)
  return results.reduce((sum, { count }) => sum + count, 0)
})
