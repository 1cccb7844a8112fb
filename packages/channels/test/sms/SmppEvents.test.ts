import { assert, describe, it } from "@effect/vitest"
import { decodeShortMessage, encodeShortMessage, type ShortMessage, Tag } from "@switchboard/channels/sms/Pdu"
import { readDeliverSm } from "@switchboard/channels/sms/SmppEvents"

const at = "2026-03-01T12:34:56.000Z"

const message = (changes: Partial<ShortMessage> & { readonly text?: string }): ShortMessage => ({
  source: { ton: 1, npi: 1, address: "4917000000000" },
  destination: { ton: 1, npi: 1, address: "4915100000000" },
  esmClass: 0,
  registeredDelivery: 0,
  dataCoding: 0,
  shortMessage: Buffer.from(changes.text ?? "", "latin1"),
  tlvs: new Map(),
  ...changes
})

/** The event of a message, after it was encoded and decoded. */
const eventOf = (changes: Parameters<typeof message>[0]) => {
  const decoded = decodeShortMessage(encodeShortMessage(message(changes)))
  return readDeliverSm(decoded ?? assert.fail("not decoded"), at)
}

const receiptOf = (changes: Parameters<typeof message>[0]) => {
  const event = eventOf({ esmClass: 0x04, ...changes })
  return event?._tag === "Receipt" ? event : assert.fail("not a receipt")
}

const textOf = (changes: Parameters<typeof message>[0]) => {
  const event = eventOf(changes)
  return event?._tag === "ReceivedText" ? event : assert.fail("not a text")
}

const receiptText = (id: string, state: string, error = "000", text = "") =>
  `id:${id} sub:001 dlvrd:001 submit date:2603011234 done date:2603011235 stat:${state} err:${error} text:${text}`

describe("Receipts", () => {
  for (const [state, status, errorCode] of [
    ["DELIVRD", "delivered", undefined],
    ["ENROUTE", "sent", undefined],
    ["ACCEPTD", "sent", undefined],
    ["UNDELIV", "failed", "UNDELIV 005"],
    ["REJECTD", "failed", "REJECTD 005"],
    ["EXPIRED", "failed", "EXPIRED 005"],
    ["DELETED", "failed", "DELETED 005"],
    ["UNKNOWN", "failed", "UNKNOWN 005"]
  ] as const) {
    it(`counts ${state} as ${status}`, () => {
      const receipt = receiptOf({ text: receiptText("abc-1", state, "005", "id:9 stat:DELIVRD") })
      assert.strictEqual(receipt.status, status)
      assert.strictEqual(receipt.errorCode, errorCode)
      assert.deepStrictEqual(receipt.providerMessageIds, ["abc-1"])
    })
  }

  it("lists an id as sent first, then in decimal and hexadecimal", () => {
    const idsOf = (id: string) => receiptOf({ text: receiptText(id, "DELIVRD") }).providerMessageIds
    assert.strictEqual(idsOf("0000000417")[0], "0000000417")
    assert.includeMembers([...idsOf("0000000417")], ["1a1", "1A1", "000001a1", "000001A1"])
    assert.strictEqual(idsOf("1A1")[0], "1A1")
    assert.includeMembers([...idsOf("1a1")], ["417", "0000000417"])
    assert.includeMembers([...idsOf("FFFFFFFFFFFFFFFF")], ["18446744073709551615"])
  })

  it("reads the optional parameters before the text", () => {
    const receipt = receiptOf({
      text: receiptText("other", "UNKNOWN"),
      tlvs: new Map([
        [Tag.receiptedMessageId, Buffer.from("7f\0")],
        [Tag.messageState, Buffer.of(2)]
      ])
    })
    assert.strictEqual(receipt.status, "delivered")
    assert.strictEqual(receipt.providerMessageIds[0], "7f")
  })

  it("reads nothing from a receipt without an id or a known state", () => {
    assert.isNull(eventOf({ esmClass: 0x04, text: "" }))
    assert.isNull(eventOf({ esmClass: 0x04, text: "id:1 stat:PERHAPS" }))
    assert.isNull(eventOf({ esmClass: 0x04, text: "stat:DELIVRD err:000" }))
    assert.isNull(eventOf({ esmClass: 0x04, text: "text: id:1 stat:DELIVRD" }))
  })
})

describe("Received texts", () => {
  it("have numbers in E.164, and short codes and names as they are", () => {
    const national = { ton: 2, npi: 1, address: "015112345678" }
    const name = { ton: 5, npi: 0, address: "Bank" }
    const shortCode = { ton: 3, npi: 0, address: "12345678" }
    assert.deepInclude(textOf({}), { from: "+4917000000000", to: "+4915100000000" })
    assert.deepInclude(textOf({ source: name, destination: shortCode }), { from: "Bank", to: "12345678" })
    assert.strictEqual(textOf({ source: national }).from, "+015112345678")
    assert.strictEqual(textOf({ source: { ton: 0, npi: 0, address: "+4917000000000" } }).from, "+4917000000000")
    assert.strictEqual(textOf({ destination: { ton: 0, npi: 0, address: "4915100000000" } }).to, "+4915100000000")
  })

  it("have the part of an 8-bit or 16-bit reference", () => {
    const part = (...octets: ReadonlyArray<number>) => {
      const { part, text } = textOf({ esmClass: 0x40, shortMessage: Buffer.of(...octets) })
      return [text, part]
    }
    assert.deepStrictEqual(part(5, 0, 3, 200, 2, 1, 0x41), ["A", { reference: 200, number: 1, total: 2 }])
    assert.deepStrictEqual(part(6, 8, 4, 1, 2, 3, 3, 0x41), ["A", { reference: 258, number: 3, total: 3 }])
    // Another element before that of the concatenation.
    assert.deepStrictEqual(part(9, 5, 2, 0, 0, 0, 3, 1, 2, 2, 0x41), ["A", { reference: 1, number: 2, total: 2 }])
  })

  it("ignore a header that is truncated or names an impossible part", () => {
    const read = (...octets: ReadonlyArray<number>) => {
      const { part, text } = textOf({ esmClass: 0x40, shortMessage: Buffer.of(...octets) })
      return [text, part]
    }
    assert.deepStrictEqual(read(), ["", null])
    assert.deepStrictEqual(read(0, 0x41), ["A", null])
    assert.deepStrictEqual(read(5, 0x41, 0x42), ["AB", null])
    assert.deepStrictEqual(read(4, 0, 3, 1, 2, 0x41), ["A", null])
    assert.deepStrictEqual(read(5, 0, 3, 1, 2, 0, 0x41), ["A", null])
    assert.deepStrictEqual(read(5, 0, 3, 1, 2, 3, 0x41), ["A", null])
    assert.deepStrictEqual(read(5, 0, 3, 1, 1, 1, 0x41), ["A", null])
    assert.deepStrictEqual(read(1, 0, 0x41), ["A", null])
  })

  it("have the part of the optional parameters sar_*", () => {
    const tlvs = new Map([
      [Tag.sarMsgRefNum, Buffer.of(1, 0)],
      [Tag.sarTotalSegments, Buffer.of(2)],
      [Tag.sarSegmentSeqnum, Buffer.of(2)]
    ])
    assert.deepStrictEqual(textOf({ tlvs }).part, { reference: 256, number: 2, total: 2 })
    assert.isNull(textOf({ tlvs: new Map([...tlvs, [Tag.sarMsgRefNum, Buffer.of(1)]]) }).part)
  })

  it("read message_payload, and keep a half surrogate pair of a part", () => {
    const payload = Buffer.from("04360041", "hex")
    assert.strictEqual(textOf({ dataCoding: 8, tlvs: new Map([[Tag.messagePayload, payload]]) }).text, "жA")
    const half = Buffer.from("050003010201d83d", "hex")
    assert.strictEqual(textOf({ dataCoding: 8, esmClass: 0x40, shortMessage: half }).text, "\ud83d")
    assert.strictEqual(textOf({ dataCoding: 8, shortMessage: Buffer.from("d83d0000", "hex") }).text, "\ufffd\ufffd")
  })
})
