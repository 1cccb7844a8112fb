import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LiveService, send } from "../LiveService.js"

const inADay = () => new Date(Date.now() + 86_400_000).toISOString()

/** A message that stays as it is. */
const scheduled = (overrides: Readonly<Record<string, unknown>>, email: Readonly<Record<string, unknown>> = {}) =>
  Effect.flatMap(LiveService, ({ call }) =>
    Effect.map(
      call("POST", "/v1/messages", send({ scheduledAt: inADay(), ...overrides }, email)),
      ({ body }): { readonly id: string; readonly createdAt: string } => body
    )
  )

const list = (path: string, query: Readonly<Record<string, string>>) =>
  Effect.flatMap(LiveService, ({ call }) => call("GET", `${path}?${new URLSearchParams(query)}`))

/** The ids of the messages that a query finds. */
const found = (query: Readonly<Record<string, string>>) =>
  Effect.map(
    list("/v1/messages", query),
    ({ body }): ReadonlyArray<string> => body.items.map(({ id }: { readonly id: string }) => id)
  )

const written = "ΣΟΦΟΣ Заказ ÄRGER Éléonore"
const searched = " σοφοσ заказ ärger éLÉONORE "

const trigger = { id: "start", type: "trigger.callStarted", position: { x: 0, y: 0 }, data: {} }

/** A resource of each list with a search, with the text in it. */
const resources: ReadonlyArray<readonly [path: string, body: Readonly<Record<string, unknown>>]> = [
  ["/v1/participants", { name: written }],
  ["/v1/conversations", { title: written, channels: ["email"] }],
  ["/v1/drafts", { channel: "email", title: written, recipients: [], content: {} }],
  ["/v1/drafts", { channel: "email", recipients: [{ name: written }], content: {} }],
  ["/v1/email/templates", { name: written, subject: "Hello", html: "<p>Hello</p>" }],
  [
    "/v1/email/forwarding/rules",
    { name: written, match: { subjectContains: "x" }, forwardTo: ["ada@example.com"], isActive: false }
  ],
  ["/v1/api-keys", { name: written, roleName: "viewer" }],
  ["/v1/webhook-endpoints", { name: written, url: "https://example.com/hook", events: ["message.sent"] }],
  ["/v1/voice/agents", { name: written }],
  ["/v1/voice/workflows", { name: written, nodes: [trigger], edges: [] }],
  ["/v1/voice/knowledge-bases", { name: written }]
]

layer(LiveService.Shared, { excludeTestServices: true })("A search", (it) => {
  it.effect("of messages folds case in every script", () =>
    Effect.gen(function* () {
      for (const [subject, search] of [
        ["ÄRGER mit Überraschung", "ärger"],
        ["Ваш Заказ", "вАШ заказ"],
        ["ΑΘΗΝΩΝ", "αθηνων"],
        ["σοφός λόγος", "ΣΟΦΌΣ ΛΌΓ"],
        ["Straße 7", "STRASSE"],
        ["İstanbul", "istanbul"],
        ["e\u0301le\u0301gant", "ÉLÉGANT"],
        ["Éléonore", "élÉo"],
        ["Բարի Լույս", "ԲԱՐԻ լու"],
        ["日本語の件名", "本語の"],
        ["100%_\\sure", "0%_\\S"]
      ]) {
        const { id } = yield* scheduled({}, { subject })
        assert.deepStrictEqual(yield* found({ search: ` ${search} ` }), [id], `${subject} ${search}`)
      }
    })
  )

  it.effect("of messages reads recipients and the caller's ids", () =>
    Effect.gen(function* () {
      const { id } = yield* scheduled(
        {
          to: [{ email: "Ida@Bücher.example" }],
          cc: [{ email: "copy@readers.test" }],
          bcc: [{ email: "secret@readers.test" }],
          externalId: "Bestellung-4711",
          referenceId: "KUNDE-Ω9"
        },
        { subject: 'A "quoted", subject' }
      )
      for (const search of [
        "ida@",
        "IDA@bücher.EXAMPLE",
        "@bücher.example",
        "cher-kva",
        "py@read",
        "SECRET",
        "lung-47",
        " kunde-ω9 ",
        '"quoted", '
      ]) {
        assert.deepStrictEqual(yield* found({ search }), [id], search)
      }
      for (const search of ['["ida', '","', '"copy', "4711KUNDE", "subject["]) {
        assert.deepStrictEqual(yield* found({ search }), [], search)
      }
      assert.deepStrictEqual(yield* found({ recipient: " IDA@BÜCHER.example " }), [id])
    })
  )

  it.effect("folds case in every list", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      for (const [path, resource] of resources) {
        const { body } = yield* call("POST", path, resource)
        assert.isString(body.id, `${path} ${JSON.stringify(body)}`)
        const ids = (yield* list(path, { filters: JSON.stringify({ search: searched }) })).body.items.map(
          ({ id }: { readonly id: string }) => id
        )
        assert.include(ids, body.id, path)
        yield* call("DELETE", `${path}/${body.id}`)
      }
      const { id: inReplyToMessageId } = yield* scheduled({}, { subject: written })
      const reply = { to: "ada@example.com", subject: `Re: ${written}`, html: "<p>Hello</p>", inReplyToMessageId }
      yield* call("POST", "/v1/email/send", reply)
      const threads = yield* list("/v1/email/threads", { filters: JSON.stringify({ search: searched }) })
      assert.lengthOf(threads.body.items, 1)
    })
  )

  it.effect("of addresses and their checks take an address as a send does", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const { body: block } = yield* call("POST", "/v1/email/blocks", { email: "ida@bücher.example" })
      const blocks = yield* list("/v1/email/blocks", { filters: JSON.stringify({ search: "A@BÜCHER.example" }) })
      assert.deepStrictEqual(
        blocks.body.items.map(({ id }: { readonly id: string }) => id),
        [block.id]
      )
      const check = yield* list("/v1/email/blocks/check", { email: " Ida@BÜCHER.Example " })
      assert.deepStrictEqual([check.status, check.body.blocked], [200, true], JSON.stringify(check.body))
      for (const email of ["nonsense", "ida@", "", "ida@bücher"]) {
        const { body, status } = yield* list("/v1/email/blocks/check", { email })
        assert.strictEqual(status, 400)
        assert.match(body.message, /^The parameter email must be an email address/)
      }
    })
  )

  it.effect("of a range of dates has complete days of the organization's time zone", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const timeZone = "Pacific/Auckland"
      yield* call("PATCH", "/v1/organizations/current", { timezone: timeZone })
      const { createdAt, id } = yield* scheduled({ externalId: "dated" })
      const day = new Intl.DateTimeFormat("en-CA", { timeZone }).format(new Date(createdAt))
      const shifted = (days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
      const inRange = (range: Readonly<Record<string, string>>) => found({ externalId: "dated", ...range })
      for (const range of [
        { startDate: day, endDate: day },
        { startDate: day },
        { endDate: day },
        { startDate: createdAt, endDate: createdAt },
        { startDate: createdAt, endDate: day }
      ]) {
        assert.deepStrictEqual(yield* inRange(range), [id], JSON.stringify(range))
      }
      assert.deepStrictEqual(yield* inRange({ startDate: shifted(-1), endDate: shifted(-1) }), [])
      assert.deepStrictEqual(yield* inRange({ startDate: shifted(1), endDate: shifted(1) }), [])
      for (const range of [
        { startDate: day, endDate: shifted(-1) },
        { startDate: createdAt, endDate: shifted(-1) }
      ]) {
        const { body, status } = yield* list("/v1/messages", range)
        assert.deepStrictEqual([status, body.message], [400, "The parameter endDate must not be before startDate"])
      }
    })
  )
})
