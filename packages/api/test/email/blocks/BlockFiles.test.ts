import { assert, layer } from "@effect/vitest"
import { Array, Effect } from "effect"
import { call, keys, LiveApi } from "../../LiveApi.js"

const blocks = "/v1/email/blocks"

const bring = (body: string, headers: Readonly<Record<string, string>> = {}, key = keys.admin) =>
  call("POST", `${blocks}/import`, { body, key, headers: { "Content-Type": "text/csv", ...headers } })

const total = Effect.map(call("GET", blocks), ({ body }): number => body.pagination.total)

layer(LiveApi.layer, { excludeTestServices: true })("An import of blocks", (it) => {
  it.effect("validates each line separately, and reports invalid lines", () =>
    Effect.gen(function* () {
      const { body, status } = yield* bring(
        [
          "\ufeffcategory,email,domain,reason,expiresAt",
          ",import1@example.com,,,",
          'offers,"import1@example.com",,unsubscribe,2099-01-01T00:00:00Z',
          "",
          ",IMPORT1@example.com,,complaint,",
          '"a ""b"", c",,import.example.net,,',
          ",ada,,spite,",
          ",import2@example.com,import.example.net,,",
          ",import2@example.com,,,1969-01-01T00:00:00Z",
          ',im"port@example.com,,,',
          ",import2@example.com,,,,,",
          ",'=import3@example.com"
        ].join("\r\n")
      )
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, {
        added: 4,
        existing: 1,
        refused: 5,
        refusedLines: [
          {
            line: 7,
            fields: {
              email: ["must be an email address like ada@example.com"],
              reason: ["must be one of hard_bounce, complaint, unsubscribe, manual"]
            }
          },
          { line: 8, fields: { domain: ["must be left out where email is given"] } },
          { line: 9, fields: { expiresAt: ["must be in the future"] } },
          { line: 10, fields: { email: ["must be an email address like ada@example.com"] } },
          { line: 11, fields: { line: ["must have at most 5 cells"] } }
        ]
      })
      const check = (email: string, category: string) =>
        Effect.map(
          call("GET", `${blocks}/check?${new URLSearchParams({ email, category })}`),
          ({ body: found }): boolean => found.blocked
        )
      assert.isTrue(yield* check("any@import.example.net", 'a "b", c'))
      assert.isTrue(yield* check("=import3@example.com", "x"))
    })
  )

  it.effect("stores nothing of a rejected file", () =>
    Effect.gen(function* () {
      const before = yield* total
      const good = "email\nwhole1@example.com\n"
      for (const [body, status, problem] of [
        ["", 422, { header: ["must name email or domain"] }],
        [
          "a@example.com\n",
          422,
          { header: ["must be names of email, domain, reason, category, expiresAt", "must name email or domain"] }
        ],
        ["email,email\na@example.com,\n", 422, { header: ["must not name a column twice"] }],
        [
          `email\n${Array.makeBy(100_001, (index) => `many${index}@example.com`).join("\n")}`,
          422,
          { lines: ["must be at most 100000"] }
        ],
        [`${good}"open@example.com\nx@example.com\n`, 400, "line 4"],
        [`${good}${"x".repeat(5_000)}\n`, 400, "4096 bytes"]
      ] as const) {
        const refused = yield* bring(body)
        assert.strictEqual(refused.status, status, refused.text)
        if (typeof problem === "string") assert.include(refused.body.message, problem)
        else assert.deepStrictEqual(refused.body.fields, problem)
      }
      assert.strictEqual((yield* bring(good, { "Content-Type": "application/json" })).status, 400)
      assert.strictEqual((yield* bring(good, { "Content-Type": "text/csv; charset=latin1" })).status, 400)
      const large = yield* bring(`email\n${"\n".repeat(16 * 1024 * 1024)}`)
      assert.deepInclude(large.body, { _tag: "PayloadTooLargeError", limitBytes: 16 * 1024 * 1024 })
      assert.strictEqual(yield* total, before)
    })
  )
})
