import { assert, describe, it } from "@effect/vitest"
import { maxEventBytes, withinEventSize } from "@switchboard/domain/events/EventSize"

const size = (data: unknown) => new TextEncoder().encode(JSON.stringify(data)).byteLength

const makeDeliveries = (count: number, response: string) =>
  Array.from({ length: count }, (_, n) => ({ recipient: `r${n}@example.com`, status: "bounced", response }))

describe("The data of an event", () => {
  it("is unchanged if it is small", () => {
    const data = { id: "1", apiRequestMetadata: { headers: { a: "b" } }, toParticipants: [] }
    assert.deepStrictEqual(withinEventSize(data), data)
  })

  it("loses request metadata first", () => {
    const data = {
      id: "1",
      status: "bounced",
      apiRequestMetadata: { headers: { a: "x".repeat(10_000) } },
      emailMetadata: {
        to: ["r0@example.com"],
        headers: { h: "v" },
        deliveries: makeDeliveries(50, "x".repeat(300))
      }
    }
    const reduced = withinEventSize(data)
    assert.isBelow(size(reduced), maxEventBytes)
    assert.deepStrictEqual(reduced, { ...data, apiRequestMetadata: null })
  })

  it("loses SMTP responses before recipients", () => {
    const data = {
      id: "1",
      emailMetadata: { to: [], headers: {}, deliveries: makeDeliveries(50, "é".repeat(400)) }
    }
    const reduced = withinEventSize(data)
    assert.isBelow(size(reduced), maxEventBytes)
    assert.deepStrictEqual(reduced, {
      id: "1",
      emailMetadata: {
        to: [],
        headers: {},
        deliveries: data.emailMetadata.deliveries.map(({ recipient, status }) => ({ recipient, status }))
      }
    })
  })

  it("has the beginning of a long reply", () => {
    const data = (replyText: string) => ({ id: "1", toParticipants: [], content: { subject: "Hello", replyText } })
    const small = data("x".repeat(10_000))
    assert.deepStrictEqual(withinEventSize(small), small)
    assert.deepStrictEqual(withinEventSize(data("x".repeat(30_000))), data("x".repeat(8_000)))
    assert.deepStrictEqual(withinEventSize(data("日".repeat(10_000))), data("日".repeat(2_666)))
    const controls = "\u0001".repeat(10_000)
    assert.deepStrictEqual(withinEventSize(data(controls)), { id: "1", content: { subject: "Hello" } })
  })

  it("is reduced to the id in the end", () => {
    assert.deepStrictEqual(withinEventSize({ id: "1", unknown: "x".repeat(30_000) }), { id: "1" })
  })
})
