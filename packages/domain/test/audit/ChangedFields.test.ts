import { changedFields, maxChangesSize } from "@switchboard/domain/audit/ChangedFields"
import { assert, describe, it } from "vitest"

describe("changedFields", () => {
  it("has the fields that differ, and the absent side of a creation or a removal is absent", () => {
    const before = { id: "1", name: "a", tags: ["x"], note: "n" }
    const after = { id: "1", name: "b", tags: ["x"], description: "d" }
    assert.deepStrictEqual(changedFields(before, after), {
      name: { before: "a", after: "b" },
      note: { before: "n" },
      description: { after: "d" }
    })
    assert.deepStrictEqual(changedFields(null, { id: "1" }), { id: { after: "1" } })
    assert.deepStrictEqual(changedFields({ id: "1" }, null), { id: { before: "1" } })
    assert.deepStrictEqual(changedFields(before, before), {})
  })

  it("masks values of headers and fields with a secret's name, also in JSON texts, and shows that they differ", () => {
    const configuration = (value: string) => ({ headers: { "X-Key": value }, secret: value, url: "https://a.test" })
    const fields = (value: string) => ({
      configuration: configuration(value),
      config: JSON.stringify(configuration(value)),
      nodes: [{ headers: { a: value } }],
      password: value
    })
    const changes = changedFields(fields("one"), fields("two"))
    assert.notMatch(JSON.stringify(changes), /one|two/)
    assert.sameMembers(Object.keys(changes), ["configuration", "config", "nodes", "password"])
    assert.deepStrictEqual(changes.configuration?.before, {
      headers: { "X-Key": "…" },
      secret: "…",
      url: "https://a.test"
    })
  })

  it("cuts long texts with a mark", () => {
    const html = "😀".repeat(maxChangesSize)
    const changes = changedFields({ name: "a", html }, { name: "b", html: `${html}!` })
    assert.isAtMost(new TextEncoder().encode(JSON.stringify(changes)).byteLength, maxChangesSize)
    assert.deepStrictEqual(changes.name, { before: "a", after: "b" })
    assert.match(String(changes.html?.after), /^(?:😀)+… \(65537 characters\)$/)
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`item${at}`, at]))
    assert.deepStrictEqual(changedFields(null, { metadata: many }), { metadata: { after: "…" } })
  })
})
