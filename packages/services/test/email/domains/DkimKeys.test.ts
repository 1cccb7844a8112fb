import { createPublicKey, createSign, createVerify } from "node:crypto"
import { assert, it } from "@effect/vitest"
import { generateDkimKey } from "@switchboard/services/email/domains/DkimKeys"
import { Effect, Redacted } from "effect"

it.effect("A new DKIM key is an RSA key of 2048 bits, and signs for its public key", () =>
  Effect.gen(function* () {
    const [one, other] = [yield* generateDkimKey, yield* generateDkimKey]
    assert.notStrictEqual(one.publicKey, other.publicKey)
    const key = createPublicKey({ key: Buffer.from(one.publicKey, "base64"), format: "der", type: "spki" })
    assert.deepInclude(key.asymmetricKeyDetails, { modulusLength: 2048 })
    const signature = createSign("sha256").update("mail").sign(Redacted.value(one.privateKey))
    assert.isTrue(createVerify("sha256").update("mail").verify(key, signature))
  })
)
