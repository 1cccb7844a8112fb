import { isStorableJson, maxValues, parseJsonObject, unstorableFields } from "@switchboard/api/http/body/JsonBody"
import { SendRequest } from "@switchboard/domain/messages/SendRequest"
import { Either, FastCheck, ParseResult } from "effect"
import { assert, describe, it } from "vitest"

const octets = (text: string) => new TextEncoder().encode(text)

const refusal = (bytes: Uint8Array): string | undefined =>
  Either.match(parseJsonObject(bytes), { onLeft: ({ message }) => message, onRight: () => undefined })

const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`

describe("parseJsonObject", () => {
  it("makes objects with a field toString convertible to text", () => {
    for (const body of ['{"channel":{"toString":false}}', '{"channel":{"to\\u0053tring":{}}}']) {
      const { channel } = Object(Either.getOrThrow(parseJsonObject(octets(body))))
      assert.strictEqual(String(channel), "[object Object]")
      const decoded = ParseResult.decodeUnknownEither(SendRequest)({ channel })
      assert.isTrue(Either.isLeft(decoded))
    }
  })

  it("parses a JSON object", () => {
    assert.deepEqual(Either.getOrThrow(parseJsonObject(octets(' {"a":["ü",1,null]}\r\n'))), { a: ["ü", 1, null] })
  })

  it.each(["[]", '"text"', "5", "null", "true"])("rejects %s, which is no object", (text) => {
    assert.strictEqual(refusal(octets(text)), "The body must be a JSON object")
  })

  it.each([
    "",
    "  ",
    "{",
    "{'a':1}",
    '{"a":1,}',
    "{}{}",
    '{"a":NaN}',
    '{"a":01e400}',
    '{"a":1e400-}',
    '{"a":123456789-123456789}',
    "{1e400:1}",
    '{"a":"\n"}',
    "]]]]",
    '{"a":"\\'
  ])("rejects %j, which is no JSON", (text) => {
    assert.strictEqual(refusal(octets(text)), "The body is not valid JSON")
  })

  it("rejects a byte order mark", () => {
    assert.strictEqual(refusal(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d)), "The body is not valid JSON")
  })

  it.each([
    ["a lone continuation", [0x80]],
    ["an overlong slash", [0xc0, 0xaf]],
    ["an encoded surrogate", [0xed, 0xa0, 0x80]],
    ["a sequence cut short", [0xe2, 0x82]],
    ["Latin-1", [0xfc]],
    ["a code point beyond the last", [0xf4, 0x90, 0x80, 0x80]]
  ])("rejects invalid UTF-8: %s", (_, bytes) => {
    const body = Uint8Array.of(...octets('{"a":"'), ...bytes, ...octets('"}'))
    assert.strictEqual(refusal(body), "The body is not valid UTF-8")
  })

  it("accepts 64 levels of nesting and rejects 65", () => {
    assert.isUndefined(refusal(octets(nested(64))))
    assert.strictEqual(refusal(octets(nested(65))), "The body nests deeper than 64 levels")
    assert.strictEqual(refusal(octets(`{"a":${"[".repeat(64)}`)), "The body nests deeper than 64 levels")
  })

  it("rejects nesting that would overflow the stack of a parser", () => {
    assert.strictEqual(refusal(octets("[".repeat(2_000_000))), "The body nests deeper than 64 levels")
  })

  it("rejects more than 100,000 values", () => {
    const problem = "The body has more than 100000 values"
    assert.isUndefined(refusal(octets(`{"a":[${"1,".repeat(99_996)}1],"b":","}`)))
    assert.strictEqual(refusal(octets(`{"a":[${"1,".repeat(100_000)}1]}`)), problem)
    assert.strictEqual(refusal(octets(`{"a":[${"{},".repeat(50_000)}1]}`)), problem)
  })

  it("ignores brackets in strings", () => {
    assert.isUndefined(refusal(octets(JSON.stringify({ a: '\\"['.repeat(100), ["{".repeat(100)]: "\\" }))))
  })

  it("does not limit the number of siblings", () => {
    assert.isUndefined(refusal(octets(`{"a":[${"[],".repeat(100)}[]]}`)))
  })

  it("does not change prototypes", () => {
    const body = Either.getOrThrow(parseJsonObject(octets('{"__proto__":{"admin":true}}')))
    assert.notProperty(Object.create(Object.getPrototypeOf(body)), "admin")
    assert.deepStrictEqual(Object.keys(body), ["__proto__"])
  })
})

describe("unstorableFields", () => {
  const sentence = ["must not contain NUL or lone surrogates"]

  it("returns no errors for a storable body", () => {
    assert.deepStrictEqual(unstorableFields({ a: "ü😀\u0001", b: [1, null, { c: "x" }] }), {})
  })

  it.each([
    ["NUL", "a\0b"],
    ["the first half of a pair", "\ud83d"],
    ["the second half of a pair", "\ude00"],
    ["a pair the wrong way round", "\ude00\ud83d"],
    ["a half before a pair", "\ud83d😀"],
    ["a half after a pair", "😀\ude00"]
  ])("reports text with %s", (_, text) => {
    assert.deepStrictEqual(unstorableFields({ a: text }), { a: sentence })
  })

  it("reports every path", () => {
    const body = { a: "\0", b: { c: ["x", "\ud800"] }, d: [{ e: "\0" }] }
    assert.deepStrictEqual(unstorableFields(body), { a: sentence, "b.c.1": sentence, "d.0.e": sentence })
  })

  it.each([
    ["9007199254740991", "-9007199254740991", "-0", "0e999", "0.1", "0.10000000000000001", "1.50", "1e300", "5e-324"],
    ["1.7976931348623157E+308", "123456789012345.6", "0.0000000000000000001", `1.${"0".repeat(200)}`]
  ])("accepts the numbers %s, %s, %s, %s …", (...numbers) => {
    const body = Either.getOrThrow(parseJsonObject(octets(`{"a":[${numbers.join()}]}`)))
    assert.deepStrictEqual([unstorableFields(body), isStorableJson(body)], [{}, true])
  })

  it.each(
    [
      "9007199254740992",
      "-9007199254740993",
      "12345678901234567890",
      "1e400",
      "-1E+400",
      "1e-400",
      "9007199254740993.0"
    ].concat("0.1234567890123456789", "9007199254740993e0", "1".repeat(400), `0.${"1".repeat(400)}`)
  )("reports %s, which JSON changes", (number) => {
    const text = `{"${number}":"\\"${number}","a":[1,{"ü":${number}}],"b":${number}}`
    const body = Either.getOrThrow(parseJsonObject(octets(text)))
    const lossy = [
      "must be a number that JSON does not change (IEEE 754 double, integers up to ±9007199254740991): send others as text"
    ]
    assert.deepStrictEqual([unstorableFields(body), isStorableJson(body)], [{ "a.1.ü": lossy, b: lossy }, false])
  })

  it("reads many long numbers, and one of a million digits, in linear time", () => {
    for (const numbers of [
      `${"1.2345678901234567e8,0.12345678901234567890,".repeat(maxValues / 4)}1`,
      "1".repeat(1_000_000)
    ]) {
      assert.isTrue(Either.isRight(parseJsonObject(octets(`{"a":[${numbers}]}`))))
    }
  })

  it("reports a name without repeating it", () => {
    const found = unstorableFields({ a: { "b\0": 1 } })
    assert.deepStrictEqual(found, { "a.?": ["must not have NUL or lone surrogates in its name"] })
  })

  it("reports escaped characters", () => {
    const body = Either.getOrThrow(parseJsonObject(octets('{"a":"\\u0000","b":"\\ud83d\\ude00","c":"\\ud83d"}')))
    assert.deepStrictEqual(unstorableFields(body), { a: sentence, c: sentence })
  })

  it("reports __proto__ at any depth", () => {
    const body = Either.getOrThrow(parseJsonObject(octets('{"__proto__":1,"a":[{"__proto__":{"b":1}}]}')))
    assert.deepStrictEqual(Object.entries(unstorableFields(body)), [
      ["__proto__", ["is not a known field"]],
      ["a.0.__proto__", ["is not a known field"]]
    ])
  })
})

const name = FastCheck.constantFrom("a", "__proto__", "b\0", "\ud800")
const text = FastCheck.oneof(
  FastCheck.string({ unit: "binary" }),
  FastCheck.constantFrom("\0", "\udc00x", "\ud83d\ude00")
)
const { json } = FastCheck.letrec((tie) => ({
  json: FastCheck.oneof(
    { maxDepth: 3 },
    text,
    FastCheck.constantFrom(null, 1, true, Number.POSITIVE_INFINITY),
    FastCheck.array(tie("json")),
    FastCheck.array(FastCheck.tuple(name, tie("json"))).map((members): unknown =>
      JSON.parse(`{${members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(",")}}`)
    )
  )
}))

it("isStorableJson is true if unstorableFields is empty", () => {
  FastCheck.assert(
    FastCheck.property(json, (body) => {
      assert.strictEqual(isStorableJson(body), Object.keys(unstorableFields(body)).length === 0)
    }),
    { numRuns: 500 }
  )
})
