import { assert, describe, it } from "@effect/vitest"
import { mostEventBytes, withinEventSize } from "@switchboard/domain/events/EventSize"

const size = (data: unknown) => new TextEncoder().encode(JSON.stringify(data)).byteLength

const deliveries = (howMany: number, response: string) =>
  Array.from({ length: howMany }, (_, n) => ({ recipient: `r${n}@example.com`, status: "bounced", response }))

describe("The data of an event", () => {
  it("is left as it is where it is small", () => {
    const data = { id: "1", apiRequestMetadata: { headers: { a: "b" } }, toParticipants: [] }
    assert.deepStrictEqual(withinEventSize(data), data)
  })

  it("loses the least telling first", () => {
    const data = {
      id: "1",
      status: "bounced",
      apiRequestMetadata: { headers: { a: "x".repeat(10_000) } },
      emailMetadata: { to: ["r0@example.com"], headers: { h: "v" }, deliveries: deliveries(50, "x".repeat(300)) }
    }
    const told = withinEventSize(data)
    assert.isBelow(size(told), mostEventBytes)
    assert.deepStrictEqual(told, { ...data, apiRequestMetadata: null })
  })

  it("keeps who was refused longer than what was answered", () => {
    const data = {
      id: "1",
      emailMetadata: { to: [], headers: {}, deliveries: deliveries(50, "é".repeat(400)) }
    }
    const told = withinEventSize(data)
    assert.isBelow(size(told), mostEventBytes)
    assert.deepStrictEqual(told, {
      id: "1",
      emailMetadata: {
        to: [],
        headers: {},
        deliveries: data.emailMetadata.deliveries.map(({ recipient, status }) => ({ recipient, status }))
      }
    })
  })

  it("is its id in the end, however large the rest", () => {
    assert.deepStrictEqual(withinEventSize({ id: "1", unknown: "x".repeat(30_000) }), { id: "1" })
  })
})
