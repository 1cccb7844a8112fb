import { decodeSmsText, maxSmsSegments, segmentText } from "@switchboard/domain/sms/SmsText"
import { FastCheck } from "effect"
import { assert, describe, it } from "vitest"

const lengths = (text: string) => segmentText(text).segments.map(({ length }) => length)

const dataCoding = { gsm7: 0, ucs2: 8 }

const joined = (text: string): string => {
  const { encoding, segments } = segmentText(text)
  return segments.map((octets) => decodeSmsText(dataCoding[encoding], octets)).join("")
}

const alphabet = [..."@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./09:;<=>?¡AZÄÖÑÜ§¿azäöñüà\f^{}\\[~]|€"]

describe("segmentText", () => {
  it("sends 160 septets in one segment, and 161 in parts of 153", () => {
    assert.deepStrictEqual(lengths("a".repeat(160)), [160])
    assert.deepStrictEqual(lengths("a".repeat(161)), [153, 8])
    assert.deepStrictEqual(lengths("a".repeat(306)), [153, 153])
    assert.deepStrictEqual(lengths("a".repeat(307)), [153, 153, 1])
    assert.strictEqual(lengths("a".repeat(1_530)).length, maxSmsSegments)
    assert.strictEqual(lengths("a".repeat(1_531)).length, maxSmsSegments + 1)
  })

  it("sends 70 code units of UCS-2 in one segment, and 71 in parts of 67", () => {
    assert.deepStrictEqual(lengths("ж".repeat(70)), [140])
    assert.deepStrictEqual(lengths("ж".repeat(71)), [134, 8])
    assert.deepStrictEqual(lengths("ж".repeat(134)), [134, 134])
    assert.deepStrictEqual(lengths("ж".repeat(135)), [134, 134, 2])
    assert.strictEqual(lengths("ж".repeat(670)).length, maxSmsSegments)
    assert.strictEqual(lengths("ж".repeat(671)).length, maxSmsSegments + 1)
  })

  it("counts a character of the extension table as two septets", () => {
    assert.deepStrictEqual(segmentText("€"), { encoding: "gsm7", segments: [Uint8Array.of(0x1b, 0x65)] })
    assert.deepStrictEqual(lengths(`${"a".repeat(158)}€`), [160])
    assert.deepStrictEqual(lengths(`${"a".repeat(159)}€`), [153, 8])
  })

  it("never splits an escape pair or a surrogate pair", () => {
    assert.deepStrictEqual(lengths(`${"a".repeat(152)}€${"a".repeat(10)}`), [152, 12])
    assert.deepStrictEqual(lengths(`${"ж".repeat(66)}😀${"ж".repeat(10)}`), [132, 24])
    assert.deepStrictEqual(lengths(`${"ж".repeat(68)}😀`), [140])
    assert.deepStrictEqual(lengths(`${"ж".repeat(69)}😀`), [134, 8])
  })

  it("encodes the alphabet by its codes", () => {
    assert.deepStrictEqual([...(segmentText("@£ A€ü").segments[0] ?? [])], [0, 1, 0x20, 0x41, 0x1b, 0x65, 0x7e])
    assert.deepStrictEqual([...(segmentText("Aж😀").segments[0] ?? [])], [0, 0x41, 4, 0x36, 0xd8, 0x3d, 0xde, 0])
    assert.strictEqual(segmentText(alphabet.join("")).encoding, "gsm7")
    assert.strictEqual(segmentText("`").encoding, "ucs2")
    assert.strictEqual(segmentText("\u001b").encoding, "ucs2")
  })

  it("keeps an empty text as one empty segment", () => {
    assert.deepStrictEqual(lengths(""), [0])
  })

  it("yields segments within the limits that join to the text", () => {
    const gsm = FastCheck.string({ unit: FastCheck.constantFrom(...alphabet), maxLength: 700 })
    const any = FastCheck.string({ unit: "binary", maxLength: 400 })
    FastCheck.assert(
      FastCheck.property(FastCheck.oneof(gsm, any), (text) => {
        const { encoding, segments } = segmentText(text)
        assert.strictEqual(joined(text), text)
        const limit = encoding === "gsm7" ? { single: 160, part: 153 } : { single: 140, part: 134 }
        const max = segments.length === 1 ? limit.single : limit.part
        for (const [index, { length }] of segments.entries()) {
          assert.isAtMost(length, max)
          // A segment before the last has room for less than one character.
          if (index < segments.length - 1) assert.isAbove(length, max - (encoding === "gsm7" ? 2 : 4))
        }
      })
    )
  })
})

describe("decodeSmsText", () => {
  it("reads each data_coding", () => {
    assert.strictEqual(decodeSmsText(0, Uint8Array.of(0, 0x1b, 0x65, 0x41)), "@€A")
    assert.strictEqual(decodeSmsText(8, Uint8Array.of(0xd8, 0x3d, 0xde, 0)), "😀")
    assert.strictEqual(decodeSmsText(1, Uint8Array.of(0x40, 0x41)), "@A")
    assert.strictEqual(decodeSmsText(3, Uint8Array.of(0xe9)), "é")
    assert.strictEqual(decodeSmsText(4, Uint8Array.of(0xff)), "ÿ")
    assert.strictEqual(decodeSmsText(0xf1, Uint8Array.of(0)), "@")
    assert.strictEqual(decodeSmsText(0x18, Uint8Array.of(4, 0x36)), "ж")
  })

  it("reads invalid octets without an error", () => {
    assert.strictEqual(decodeSmsText(0, Uint8Array.of(0x41, 0x1b)), "A")
    assert.strictEqual(decodeSmsText(0, Uint8Array.of(0x1b, 0x41, 0xe9)), " é")
    assert.strictEqual(decodeSmsText(8, Uint8Array.of(4, 0x36, 4)), "ж")
  })
})
