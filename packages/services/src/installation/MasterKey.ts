import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Array, Context, Data, Effect, Layer, Option } from "effect"
import { SecretBox, Signatures } from "../SecretBox.js"
import { InstallationRepo, type SecretKey, type StoredSecret } from "./InstallationRepo.js"

const purpose = "master-key"
const text = "mark"

/** The fingerprint of the master key. */
export const keyFingerprint = Effect.map(Signatures, ({ sign }) => sign(purpose, text))

/** Checks that the master key, or the previous one, is the one that the installation's secrets are encrypted under. */
export class MasterKeyCheck extends Context.Tag("services/MasterKeyCheck")<
  MasterKeyCheck,
  {
    /** Checks the key without storing anything. */
    readonly matches: Effect.Effect<boolean, ServiceUnavailableError>
    /** Checks the key at a start. The first start stores its fingerprint. */
    readonly register: Effect.Effect<boolean, ServiceUnavailableError>
  }
>() {
  static readonly Live = Layer.effect(
    MasterKeyCheck,
    Effect.gen(function* () {
      const repo = yield* InstallationRepo
      const { verify } = yield* Signatures
      const fingerprint = yield* keyFingerprint
      const isKnown = (stored: string) => verify(purpose, text, stored)
      const matches = Effect.map(repo.keyFingerprint, Option.match({ onNone: () => true, onSome: isKnown }))
      const register = Effect.flatMap(matches, (isMatching) =>
        isMatching ? Effect.map(repo.storeKeyFingerprint(fingerprint), isKnown) : Effect.succeed(false)
      )
      return { matches, register }
    })
  )
}

/** Secrets remain that neither key decrypts, so that the rotation is incomplete. */
export class SecretsUnreadable extends Data.TaggedError("SecretsUnreadable")<{ readonly message: string }> {}

/** Secrets that one transaction encrypts. */
const batch = 100

/** The unreadable secrets that an error names. */
const maxNamed = 10

/** Before the first secret. */
const start: SecretKey = {
  organizationId: "00000000-0000-0000-0000-000000000000",
  owner: "",
  purpose: "",
  version: 0
}

/**
 * Encrypts all secrets under the current master key, in batches, and stores its fingerprint when none is left under
 * another key. After an interruption, the next run continues with the remaining secrets. Returns the number of
 * secrets that were encrypted again.
 */
export const rotateMasterKey = Effect.gen(function* () {
  const { keyId, open, seal } = yield* SecretBox
  const { replaceKeyFingerprint, replaceSecrets, secretsUnderOtherKeys } = yield* InstallationRepo

  const reseal = (secret: StoredSecret) =>
    open(secret.purpose, secret.owner, secret.sealed).pipe(
      Effect.map((opened) => ({ ...secret, resealed: seal(secret.purpose, secret.owner, opened) })),
      Effect.mapError(() => `${secret.purpose} of ${secret.owner}`),
      Effect.either
    )

  const unreadable: globalThis.Array<string> = []
  let count = 0
  let secrets = yield* secretsUnderOtherKeys(keyId, start, batch)
  while (Array.isNonEmptyReadonlyArray(secrets)) {
    const [failed, resealed] = Array.separate(yield* Effect.forEach(secrets, reseal))
    unreadable.push(...failed)
    count += yield* replaceSecrets(resealed)
    secrets = yield* secretsUnderOtherKeys(keyId, Array.lastNonEmpty(secrets), batch)
  }
  if (unreadable.length > 0) {
    const more = unreadable.length > maxNamed ? ` and ${unreadable.length - maxNamed} more` : ""
    return yield* new SecretsUnreadable({
      message: `${unreadable.length} secrets can't be decrypted with MASTER_KEY or MASTER_KEY_PREVIOUS: replace or delete them, then run the command again (${unreadable.slice(0, maxNamed).join(", ")}${more})`
    })
  }
  yield* replaceKeyFingerprint(yield* keyFingerprint)
  return count
})
