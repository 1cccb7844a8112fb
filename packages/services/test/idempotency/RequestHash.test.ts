import { randomBytes } from "node:crypto"
import { assert, it } from "@effect/vitest"
import { FileContent } from "@switchboard/domain/messages/Attachment"
import { canonical } from "@switchboard/domain/messages/RequestIdentity"
import { hashIdentity } from "@switchboard/services/idempotency/CreationKey"
import { Effect } from "effect"

const hashOf = (request: unknown) => hashIdentity((fileText) => canonical(request, fileText))

it.effect("hashes a file as the base64 of its content", () =>
  Effect.gen(function* () {
    for (const size of [0, 1, 192 * 1024, 500_001]) {
      const octets = randomBytes(size)
      const request = (content: unknown) => ({ email: { attachments: [{ content }, { content: "\0" }, { content }] } })
      const text = request(octets.toString("base64"))
      assert.strictEqual(yield* hashOf(request(new FileContent(octets))), yield* hashOf(text))
      assert.strictEqual(canonical(request(new FileContent(octets))), canonical(text))
    }
  })
)
