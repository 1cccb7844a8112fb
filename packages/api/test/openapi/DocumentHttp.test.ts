import { createHash } from "node:crypto"
import { gunzipSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { rawResponse } from "../http/RawResponse.js"
import { LiveApi } from "../LiveApi.js"
import { publicUrl } from "../StoredUseCases.js"

const gzip = { "Accept-Encoding": "gzip" }

layer(LiveApi.layer, { excludeTestServices: true })("The document and its page", (it) => {
  for (const path of ["/v1/openapi.json", "/v1/docs"]) {
    it.effect(`sends ${path} compressed if the client accepts it, with an entity tag for each form`, () =>
      Effect.gen(function* () {
        const plain = yield* rawResponse(path)
        const compressed = yield* rawResponse(path, gzip)
        assert.isTrue(gunzipSync(compressed.bytes).equals(plain.bytes))
        assert.isBelow(compressed.bytes.length, plain.bytes.length / 4)
        assert.strictEqual(compressed.headers["content-encoding"], "gzip")
        assert.notProperty(plain.headers, "content-encoding")
        for (const { bytes, headers } of [plain, compressed]) {
          assert.deepStrictEqual(
            [headers.vary, headers["cache-control"], headers["content-length"]],
            ["accept-encoding", "no-cache", String(bytes.length)]
          )
        }
        assert.match(String(plain.headers.etag), /^"[\w-]{43}"$/)
        assert.notStrictEqual(plain.headers.etag, compressed.headers.etag)
        const head = yield* rawResponse(path, gzip, "HEAD")
        assert.deepStrictEqual([head.bytes.length, head.headers.etag], [0, compressed.headers.etag])
      })
    )

    it.effect(`responds with 304 for ${path} if the client has this form`, () =>
      Effect.gen(function* () {
        const { headers: first } = yield* rawResponse(path, gzip)
        for (const given of [`${first.etag}`, `W/${first.etag}`, `"other", ${first.etag}`, "*"]) {
          const { bytes, headers, status } = yield* rawResponse(path, { ...gzip, "If-None-Match": given })
          assert.deepStrictEqual([given, status, bytes.length], [given, 304, 0])
          for (const name of ["etag", "vary", "cache-control", "content-security-policy"]) {
            assert.strictEqual(headers[name], first[name])
          }
        }
        for (const [given, accepted] of [
          ['"other"', gzip],
          ["nonsense", gzip],
          [`${first.etag}`, {}]
        ] as const) {
          assert.strictEqual((yield* rawResponse(path, { ...accepted, "If-None-Match": given })).status, 200)
        }
      })
    )
  }

  it.effect("allows the page its own scripts, and no other host", () =>
    Effect.gen(function* () {
      const { bytes, headers } = yield* rawResponse("/v1/docs")
      const policy = String(headers["content-security-policy"])
      const scripts = [...bytes.toString().matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
        ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`
      )
      assert.lengthOf(scripts, 2)
      assert.deepStrictEqual(policy.split("; "), [
        "default-src 'none'",
        `script-src ${scripts.join(" ")} 'wasm-unsafe-eval'`,
        "style-src 'unsafe-inline'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'"
      ])
    })
  )

  it.effect("names the public URL of the service as its server", () =>
    Effect.gen(function* () {
      const document = JSON.parse((yield* rawResponse("/v1/openapi.json")).bytes.toString())
      assert.deepStrictEqual(document.servers, [{ url: publicUrl }])
    })
  )

  it.effect("shows in the page the document that it serves as JSON", () =>
    Effect.gen(function* () {
      const { bytes } = yield* rawResponse("/v1/docs")
      const shown = /<script id="api-reference" type="application\/json">([\s\S]*?)<\/script>/.exec(
        bytes.toString()
      )?.[1]
      assert.strictEqual(
        JSON.stringify(JSON.parse(shown ?? "")),
        (yield* rawResponse("/v1/openapi.json")).bytes.toString()
      )
    })
  )
})
