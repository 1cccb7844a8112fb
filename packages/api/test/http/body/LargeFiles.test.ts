import { randomBytes } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { parsingWithFiles } from "@switchboard/api/http/body/RequestBody"
import { FileContent } from "@switchboard/domain/messages/Attachment"
import { inSlices } from "@switchboard/services/NextTurn"
import { atOnce } from "@switchboard/services/Slices"
import { Effect, Either, Fiber } from "effect"

const octets = randomBytes(100_001)
const base64 = octets.toString("base64")
const file = new FileContent(octets)

const parse = (json: string) => Either.getOrThrow(atOnce(parsingWithFiles(Buffer.from(json))))

const bodies = (content: unknown): ReadonlyArray<object> => {
  const attachments = [
    { filename: "a.bin", content },
    { filename: "b.txt", content: "YQ==" }
  ]
  const email = { subject: "ü", attachments }
  return [{ content }, { attachments }, { email }, { messages: [{ email }, { email }, { attachments }] }]
}

describe("parsingWithFiles", () => {
  it("decodes the content of files", () => {
    for (const [index, body] of bodies(base64).entries()) {
      assert.deepStrictEqual(parse(JSON.stringify(body)), bodies(file)[index])
    }
  })

  it("decodes every padding", () => {
    for (const size of [99_999, 100_000, 100_001]) {
      const content = randomBytes(size)
      const json = JSON.stringify({ content: content.toString("base64") })
      assert.deepStrictEqual(parse(json), { content: new FileContent(content) })
    }
  })

  it("decodes base64 with escaped slashes", () => {
    for (const size of [100_000, 600_000]) {
      const content = Buffer.alloc(size, 255)
      const json = JSON.stringify({ content: content.toString("base64") }).replaceAll("/", "\\/")
      assert.deepStrictEqual(parse(json), { content: new FileContent(content) })
    }
  })

  it("keeps other text as it is", () => {
    for (const content of [
      base64.slice(0, 60_000),
      `${base64}A`,
      base64.replace(/.{4}/, "a-_b"),
      base64.replace(/.{4}/, "AB=="),
      base64.replace(/.{4}/, "ü   "),
      base64.replace(/.{4}/, '\\"\\"'),
      `${base64.slice(0, 60_000)}\n${base64}`
    ]) {
      assert.deepStrictEqual(parse(JSON.stringify({ content })), { content })
    }
  })

  it("keeps base64 outside of files as text", () => {
    for (const body of [
      { email: { html: base64, templateData: { content: base64, attachments: [{ content: base64 }] } } },
      { [base64]: base64, attachments: [base64] },
      { content: { content: base64 } }
    ]) {
      assert.deepStrictEqual(parse(JSON.stringify(body)), body)
      assert.deepStrictEqual(parse(JSON.stringify({ ...body, attachments: [{ content: base64 }] })), {
        ...body,
        attachments: [{ content: base64 }]
      })
    }
  })

  it("reports the errors of the rest", () => {
    const refusal = (json: string) => Either.flip(atOnce(parsingWithFiles(Buffer.from(json)))).pipe(Either.getOrThrow)
    assert.strictEqual(refusal(`{"content":"${base64}",}`).message, "The body is not valid JSON")
    assert.strictEqual(refusal(`{"content":"${base64}`).message, "The body is not valid JSON")
  })

  it.effect("lets other work run", () =>
    Effect.gen(function* () {
      const numbers = Array.from({ length: 100_000 }, () => "1234567890.123456789")
      const json = `{"attachments":[{"content":"${base64.slice(0, 100_000).repeat(100)}"}],"numbers":[${numbers}]}`
      let turns = 0
      const count = () => {
        turns += 1
        pending = setImmediate(count)
      }
      let pending = setImmediate(count)
      yield* Effect.fork(inSlices(parsingWithFiles(Buffer.from(json)))).pipe(Effect.flatMap(Fiber.join))
      clearImmediate(pending)
      // 51 slices of 10 MB, and 42 of the numbers.
      assert.isAbove(turns, 80)
    })
  )
})
