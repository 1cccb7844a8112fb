import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LiveService } from "../LiveService.js"

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(LiveService, ({ baseUrl }) =>
    Effect.promise(async () => {
      const response = await fetch(`${baseUrl}${path}`, { headers, redirect: "manual" })
      return { status: response.status, headers: response.headers, text: await response.text() }
    })
  )

/** The files that a page names. */
const filesOf = (page: string) => [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path)

layer(LiveService.Shared, { excludeTestServices: true })("The files of the console", (it) => {
  it.effect("has a page that is revalidated, with a policy of its own origin", () =>
    Effect.gen(function* () {
      const { headers, status, text } = yield* get("/console/")
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
      assert.strictEqual(headers.get("cache-control"), "no-cache")
      const policy = headers.get("content-security-policy")?.split("; ") ?? []
      assert.includeMembers(policy, ["default-src 'none'", "script-src 'self'", "style-src 'self'", "base-uri 'none'"])
      assert.notInclude(policy.join(), "unsafe")
      const unchanged = yield* get("/console/", { "If-None-Match": headers.get("etag") ?? "" })
      assert.deepStrictEqual([unchanged.status, unchanged.text], [304, ""])
      for (const file of filesOf(text)) assert.match(file, /^\/console\//)
    })
  )

  it.effect("has a page for previews in an origin of its own, which only the console can frame", () =>
    Effect.gen(function* () {
      const { headers, status } = yield* get("/console/preview.html")
      assert.deepStrictEqual([status, headers.get("x-frame-options")], [200, "SAMEORIGIN"])
      const policy = headers.get("content-security-policy")?.split("; ") ?? []
      assert.includeMembers(policy, ["sandbox allow-scripts", "default-src 'none'", "frame-ancestors 'self'"])
      assert.match(policy.join("; "), /script-src 'sha256-[\w+/]{43}='/)
    })
  )

  it.effect("has files with a hash in their name, which are stored for good and sent compressed", () =>
    Effect.gen(function* () {
      const assets = filesOf((yield* get("/console/")).text).filter((file) => file.includes("/assets/"))
      assert.isAtLeast(assets.length, 2)
      for (const asset of assets) {
        const { headers, status } = yield* get(asset, { "Accept-Encoding": "gzip" })
        assert.strictEqual(status, 200)
        assert.match(asset, /-[\w-]{8}\.(?:js|css)$/)
        assert.strictEqual(headers.get("cache-control"), "public, max-age=31536000, immutable")
        assert.strictEqual(headers.get("content-encoding"), "gzip")
        assert.match(headers.get("content-type") ?? "", /^text\/(?:javascript|css); charset=utf-8$/)
      }
    })
  )

  it.effect("responds with the page to the URLs of views, and leads /console to it", () =>
    Effect.gen(function* () {
      const page = yield* get("/console/")
      for (const path of ["/console/messages", "/console/messages/01a1fc1d?status=failed", "/console/a/b/c"]) {
        assert.deepStrictEqual((yield* get(path)).text, page.text)
      }
      const { headers, status } = yield* get("/console")
      assert.deepStrictEqual([status, headers.get("location")], [302, "console/"])
    })
  )

  it.effect("responds with 404 to unknown files, and to files outside its folder", () =>
    Effect.gen(function* () {
      for (const path of [
        "/console/assets/index-00000000.js",
        "/console/manifest.json",
        "/console/..%2F..%2Fpackage.json",
        "/console/assets/..%2F..%2F..%2Fpackage.json",
        "/console/__proto__.js",
        "/console/messages/"
      ]) {
        assert.deepStrictEqual([path, (yield* get(path)).status], [path, 404])
      }
    })
  )
})
