import { readFileSync } from "node:fs"
import { HttpApi } from "@effect/platform"
import { Api } from "@switchboard/api"
import { compiledDecoder, strictOptions } from "@switchboard/api/http/body/DecodeBody"
import { convertible, isStorableJson } from "@switchboard/api/http/body/JsonBody"
import { EmailSend } from "@switchboard/domain/messages/SendRequest"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { Either, FastCheck, Option, ParseResult, Predicate, Schema } from "effect"
import { assert, describe, it } from "vitest"
import { changed } from "../../ChangedJson.js"

/** The request bodies of all operations, with schema and example. */
const bodies = (() => {
  const document: unknown = JSON.parse(readFileSync(repositoryFile("packages/api/openapi.json"), "utf8"))
  const at = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
    path.reduce((inner, key) => (Predicate.isRecord(inner) ? inner[key] : undefined), value)
  const found: Array<{ readonly name: string; readonly schema: Schema.Schema<unknown>; readonly example: unknown }> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint }) => {
      const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}")
      const media = at(document, "paths", path, endpoint.method.toLowerCase(), "requestBody", "content")
      const example = at(media, "application/json", "example")
      if (Option.isSome(endpoint.payloadSchema) && example !== undefined) {
        const schema = Schema.make<unknown>(endpoint.payloadSchema.value.ast)
        found.push({ name: `${endpoint.method} ${path}`, schema, example })
      }
    }
  })
  return found
})()

describe("compiledDecoder", () => {
  it("is tested with every body that has an example", () => {
    assert.isAbove(bodies.length, 50)
  })

  it.each(bodies)("decodes the example of $name like its schema", ({ example, schema }) => {
    assert.deepStrictEqual(compiledDecoder(schema)(example), Option.some(Schema.decodeUnknownSync(schema)(example)))
  })

  it.each(bodies)("decodes changed examples of $name like its schema, or returns none", ({ example, schema }) => {
    const compiled = compiledDecoder(schema)
    const decode = ParseResult.decodeUnknownEither(schema, strictOptions)
    FastCheck.assert(
      FastCheck.property(changed(example), (generated) => {
        const value = convertible(generated)
        const made = compiled(value)
        // `__proto__` is rejected before the decoder runs.
        if (Option.isSome(made) || isStorableJson(value)) assert.deepStrictEqual(made, Either.getRight(decode(value)))
      }),
      { numRuns: 300 }
    )
  })

  it("applies transformations", () => {
    const made = Option.getOrThrow(
      compiledDecoder(EmailSend)({
        channel: "email",
        to: [{ email: "Ada@Bücher.Example" }],
        email: { subject: "a", html: "b", from: "Ada <ADA@EXAMPLE.com>" },
        scheduledAt: "2026-11-20T09:30:00+02:00",
        conversationId: "01A1FC1D-CF8F-76D9-BE28-52307925009F"
      })
    )
    assert.strictEqual(made.to[0]?.email, "Ada@xn--bcher-kva.example")
    assert.strictEqual(made.conversationId, "01a1fc1d-cf8f-76d9-be28-52307925009f")
  })

  it("uses the schema if it has its own parse options or a fallback", () => {
    const lenient = Schema.Struct({ a: Schema.String }).annotations({ parseOptions: { onExcessProperty: "ignore" } })
    assert.deepStrictEqual(compiledDecoder(lenient)({ a: "1", b: 2 }), Option.some({ a: "1" }))
    const known = Schema.Struct({
      a: Schema.Number.annotations({ decodingFallback: () => Either.right(7) })
    })
    assert.deepStrictEqual(compiledDecoder(known)({ a: "none" }), Option.some({ a: 7 }))
  })

  it("uses the schema for parts that are not compiled", () => {
    interface Branches extends ReadonlyArray<Branches> {}
    const Tree: Schema.Schema<Branches> = Schema.suspend(() => Schema.Array(Tree))
    const odd = Schema.Struct({
      tree: Tree,
      pair: Schema.Tuple(Schema.String, Schema.Number),
      either: Schema.Union(Schema.Struct({ kind: Schema.Literal("a") }), Schema.Struct({ kind: Schema.Literal("b") })),
      word: Schema.TemplateLiteral("a", Schema.String)
    })
    const value = { tree: [[], [[]]], pair: ["a", 1], either: { kind: "b" }, word: "ab" }
    assert.deepStrictEqual<unknown>(compiledDecoder(odd)(value), Option.some(value))
    assert.deepStrictEqual(compiledDecoder(odd)({ ...value, word: "b" }), Option.none())
  })
})
