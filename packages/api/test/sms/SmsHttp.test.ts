import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, keys, LiveApi, organization } from "../LiveApi.js"

const optOuts = "/v1/sms/opt-outs"
const number = "+4930123456"
const foreign = "+4930999999"
const unknown = "01a1fc1d-e1a0-7029-814e-d493ca640e3f"

const optOut = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  call("POST", optOuts, { body, headers })

const listed = (filters: object) => call("GET", `${optOuts}?filters=${encodeURIComponent(JSON.stringify(filters))}`)

const addNumbers = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`INSERT INTO numbers (number, organization_id, channels, created_at)
    SELECT g.number, o.id, g.channels::text[], g.created_at::timestamptz
    FROM (VALUES (${number}, 'own', '{sms,whatsapp}', '2026-11-20T09:30:00Z'),
        ('Ada', 'own', '{sms}', '2026-11-21T09:30:00Z'), ('12345', 'own', '{voice}', '2026-11-22T09:30:00Z'),
        (${foreign}, 'other', '{sms}', '2026-11-20T09:30:00Z')) AS g(number, owner, channels, created_at)
      JOIN organizations AS o ON (o.id = ${organization}) = (g.owner = 'own') AND o.slug <> 'limited'
    ON CONFLICT DO NOTHING`
)

layer(LiveApi.layer, { excludeTestServices: true })("Numbers and opt-outs", (it) => {
  it.effect("list the organization's numbers, oldest first", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* call("GET", "/v1/numbers")).body, { items: [] })
      yield* addNumbers
      const { body, status } = yield* call("GET", "/v1/numbers", { key: keys.reader })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(
        body.items.map(({ id: _, ...one }: Readonly<Record<string, unknown>>) => one),
        [
          { number, channels: ["sms", "whatsapp"], createdAt: "2026-11-20T09:30:00.000Z" },
          { number: "Ada", channels: ["sms"], createdAt: "2026-11-21T09:30:00.000Z" },
          { number: "12345", channels: ["voice"], createdAt: "2026-11-22T09:30:00.000Z" }
        ]
      )
      assert.strictEqual((yield* call("GET", "/v1/numbers", { key: keys.domainReader })).status, 403)
      assert.strictEqual((yield* call("GET", "/v1/numbers", { key: null })).status, 401)
    })
  )

  it.effect("add, list and lift an opt-out", () =>
    Effect.gen(function* () {
      yield* addNumbers
      const phone = "+491701111111"
      const created = yield* optOut({ number, phone })
      assert.strictEqual(created.status, 201, created.text)
      const { createdAt, id, ...rest } = created.body
      assert.match(createdAt, /Z$/)
      assert.deepStrictEqual(rest, { number, phone, source: "api" })
      const again = yield* optOut({ number, phone })
      assert.strictEqual(again.status, 409)
      assert.deepInclude(again.body, {
        message: `${phone} already opted out of texts from ${number}`,
        resource: "opt-out"
      })
      assert.strictEqual((yield* optOut({ number: "Ada", phone })).status, 201)
      assert.deepStrictEqual((yield* listed({ number, phone })).body, {
        items: [created.body],
        pagination: { page: 1, limit: 20, total: 1, totalPages: 1 }
      })
      assert.lengthOf((yield* listed({ phone })).body.items, 2)
      const others = yield* call("GET", optOuts, { key: keys.otherOrganization })
      assert.deepStrictEqual(others.body.items, [])
      const notOwn = yield* call("DELETE", `${optOuts}/${id}`, { key: keys.otherOrganization })
      assert.strictEqual(notOwn.status, 404)
      assert.strictEqual((yield* call("DELETE", `${optOuts}/${id}`, { key: keys.reader })).status, 403)
      const removed = yield* call("DELETE", `${optOuts}/${id}`)
      assert.deepStrictEqual([removed.status, removed.body], [200, { success: true }])
      assert.strictEqual((yield* call("DELETE", `${optOuts}/${id}`)).status, 404)
      assert.strictEqual((yield* call("DELETE", `${optOuts}/${unknown}`)).status, 404)
    })
  )

  it.effect("return the first opt-out to a repeated request with its idempotency key", () =>
    Effect.gen(function* () {
      yield* addNumbers
      const [body, headers] = [{ number, phone: "+491702222222" }, { "Idempotency-Key": "opt-out" }]
      const first = yield* optOut(body, headers)
      const second = yield* optOut(body, headers)
      assert.deepStrictEqual([first.status, second.status], [201, 201])
      assert.deepStrictEqual(second.body, first.body)
      assert.strictEqual(second.headers.get("idempotent-replayed"), "true")
      assert.strictEqual((yield* optOut({ ...body, number: "Ada" }, headers)).status, 409)
    })
  )

  it.effect("reject numbers and phones that are invalid or not the organization's", () =>
    Effect.gen(function* () {
      yield* addNumbers
      const phone = "+491703333333"
      const form =
        "must be a number like +4930123456, a short code of 3 to 8 digits, or 1 to 11 GSM 03.38 characters with a letter"
      const phoneForm = "must be a phone number with plus and country code, like +4930123456"
      const owned = "must be a number of the organization for sms"
      const refusals: ReadonlyArray<readonly [object, object]> = [
        [
          { number: "4930123456", phone: "491703333333" },
          { number: [form], phone: [phoneForm] }
        ],
        [{ number: "ABCDEFGHIJKL", phone }, { number: [form] }],
        [{ number: "12", phone }, { number: [form] }],
        [{ number: foreign, phone }, { number: [owned] }],
        [{ number: "12345", phone }, { number: [owned] }],
        [
          { number, phone: "+9991234567" },
          { phone: ["must be a phone number with its country code, like +4930123456"] }
        ],
        [{ number }, { phone: ["is required"] }],
        [{ number, phone, source: "recipient" }, { source: ["is not a known field"] }]
      ]
      for (const [body, fields] of refusals) {
        const refused = yield* optOut(body)
        assert.strictEqual(refused.status, 422, refused.text)
        assert.deepStrictEqual(refused.body.fields, fields)
      }
      assert.lengthOf((yield* listed({ phone })).body.items, 0)
      assert.strictEqual((yield* call("POST", optOuts, { body: { number, phone }, key: keys.reader })).status, 403)
      assert.strictEqual((yield* listed({ phone: "0170" })).status, 400)
    })
  )
})
