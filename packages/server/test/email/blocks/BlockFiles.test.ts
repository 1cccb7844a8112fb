import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LiveService } from "../../LiveService.js"

const blocks = "/v1/email/blocks"

const fileCall = (method: string, path: string, body?: string) =>
  Effect.flatMap(LiveService, ({ baseUrl, key }) =>
    Effect.promise(async () => {
      const response = await fetch(`${baseUrl}${blocks}/${path}`, {
        method,
        headers: {
          "X-API-Key": key,
          ...(body === undefined ? {} : { "Content-Type": "text/csv; charset=utf-8" })
        },
        ...(body === undefined ? {} : { body })
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    })
  )

const importBlocks = (body: string) => Effect.map(fileCall("POST", "import", body), ({ text }) => JSON.parse(text))

const removeAll = Effect.gen(function* () {
  const { call } = yield* LiveService
  for (;;) {
    const { body } = yield* call("GET", `${blocks}?limit=100`)
    if (body.items.length === 0) return
    for (const { id } of body.items) yield* call("DELETE", `${blocks}/${id}`)
  }
})

layer(LiveService.Shared, { excludeTestServices: true })("The import of blocks", (it) => {
  it.effect("reads what the export writes", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const blocksToAdd = [
        { email: "ada@example.com" },
        { email: "ada@example.com", category: "marketing", reason: "unsubscribe" },
        { domain: "example.org", category: '=1+1, "two"\nlines', expiresAt: "2099-01-01T00:00:00.000Z" },
        { email: "+grace@example.com", reason: "hard_bounce" },
        { email: "eve@example.com", category: "'=quoted" }
      ]
      for (const one of blocksToAdd) assert.strictEqual((yield* call("POST", blocks, one)).status, 201)
      const first = yield* fileCall("GET", "export")
      assert.strictEqual(first.status, 200)
      assert.strictEqual(first.headers.get("content-type"), "text/csv; charset=utf-8")
      assert.match(
        first.headers.get("content-disposition") ?? "",
        /^attachment; filename="blocks-\d{4}-\d\d-\d\d\.csv"$/
      )
      assert.match(first.text, /\r\n'\+grace@example\.com,,hard_bounce,,,\d{4}-\d\d-\d\dT[\d:.]+Z\r\n/)
      assert.deepStrictEqual(yield* importBlocks(first.text), { added: 0, existing: 5, refused: 0, refusedLines: [] })
      yield* removeAll
      assert.strictEqual(
        (yield* fileCall("GET", "export")).text,
        "email,domain,reason,category,expiresAt,createdAt\r\n"
      )
      assert.deepStrictEqual(yield* importBlocks(first.text), { added: 5, existing: 0, refused: 0, refusedLines: [] })
      assert.strictEqual((yield* fileCall("GET", "export")).text, first.text)
      yield* removeAll
    })
  )

  it.effect("stores a large file in batches, with events, and reports refused and repeated lines", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const lines = Array.from({ length: 1_600 }, (_, index) =>
        index % 8 === 7 ? `bad${index}` : `many${index % 1_000}@example.com,${index % 2 === 0 ? "news" : ""}`
      )
      const result = yield* importBlocks(["email,category", ...lines].join("\n"))
      const good = lines.filter((line) => line.includes("@"))
      assert.deepInclude(result, {
        added: new Set(good).size,
        existing: good.length - new Set(good).size,
        refused: lines.length - good.length
      })
      assert.lengthOf(result.refusedLines, 200)
      const { body } = yield* call("GET", `${blocks}/logs?limit=1`)
      assert.deepInclude(body.items[0], { action: "added" })
      const exported = (yield* fileCall("GET", "export")).text.split("\r\n")
      assert.lengthOf(exported, new Set(good).size + 2)
      assert.lengthOf(new Set(exported), exported.length)
    })
  )
})
