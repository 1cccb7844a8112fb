import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { partsOf } from "@switchboard/store/testing/providers/Fixtures"
import { TestDatabase } from "@switchboard/store/testing/TestDatabase"
import { Effect, Layer } from "effect"
import { v7 } from "uuid"
import { LiveService, settled, until } from "../LiveService.js"
import { failingCommand, runCommand } from "../TestCommand.js"
import { tablesWith } from "./TablesWith.js"

const Live = Layer.provideMerge(TestDatabase, LiveService.layer())

const ada = "+4915112345678"
const alike = "+49151123456789"
const bob = "+4930123456"

const call = (method: string, path: string, body?: unknown) =>
  Effect.gen(function* () {
    const service = yield* LiveService
    const response = yield* service.call(method, path, body)
    assert.include([200, 201], response.status, JSON.stringify(response.body))
    return response.body
  })

const text = (body: string, ...phones: ReadonlyArray<string>) =>
  call("POST", "/v1/messages", { channel: "sms", to: phones.map((phone) => ({ phone })), sms: { text: body } })

/** Sends the text of the phone that has a message, and waits until it is received. */
const replyTo = (messageId: string, body: string) =>
  Effect.gen(function* () {
    const handset = yield* call("GET", "/v1/handset?limit=100")
    const shown: { readonly id: string } = handset.items.find(
      (one: { readonly messageId: string }) => one.messageId === messageId
    )
    yield* call("POST", `/v1/handset/${shown.id}/reply`, { text: body })
    yield* until(call("GET", "/v1/messages?channel=sms&limit=100"), ({ items }) =>
      items.some((one: { readonly content: { readonly text: string } }) => one.content.text === body)
    )
  })

layer(Live, { excludeTestServices: true })("switchboard erase", (it) => {
  it.effect("removes a phone number everywhere except opt-outs, and keeps other people's messages", () =>
    Effect.gen(function* () {
      const { environment, organizationId } = yield* LiveService
      const sql = yield* SqlClient.SqlClient
      const [{ number }] = (yield* call("GET", "/v1/numbers")).items
      yield* call("POST", "/v1/participants", { name: `Ada ${ada}`, phone: ada, whatsappId: ada.slice(1) })
      const own = yield* text(`Call ${ada}`, ada)
      const both = yield* text("To both", ada, bob)
      const mention = yield* text(`Ask 0049${ada.slice(3)} or "${ada.slice(1)}"`, bob)
      const other = yield* text("To a longer number", alike)
      for (const { id } of [own, both, mention, other]) yield* settled(id, "delivered")
      yield* replyTo(own.id, "Hi")
      yield* replyTo(own.id, "STOP")
      yield* call("POST", "/v1/drafts", { channel: "sms", recipients: [{ phone: ada }, { phone: bob }], content: {} })
      const [part] = partsOf(ada, number, ["one", "two"])
      yield* sql`INSERT INTO provider_events (organization_id, id, event, part_of, received_at)
        VALUES (${organizationId}, ${v7()}, ${JSON.stringify(part)}::json, ${`sms ${ada} ${number} 7`}, now())`
      // After START of another number, which protects no person.
      yield* sql`INSERT INTO sms_opt_outs (organization_id, number, phone, id, source, created_at, is_active, decided_by)
        VALUES (${organizationId}, 'Ada', ${ada}, ${v7()}, 'recipient', now(), false, ${v7()})`
      const before = yield* tablesWith(ada.slice(1))
      assert.includeMembers(before, [
        "handset_texts.phone",
        "messages.addressing",
        "message_states.deliveries",
        "participant_addresses.address",
        "provider_events.event",
        "provider_messages.recipient",
        "sms_opt_outs.phone"
      ])

      const { stdout } = yield* runCommand(["erase", ada], environment)
      assert.match(stdout, /^Erased\n {2}3 messages\n {2}1 recipients of messages with other recipients\n/)
      assert.match(stdout, /Not erased.*:\n {2}1 sms_opt_outs\n/s)
      assert.notInclude(stdout, ada.slice(1))
      const aliens = yield* tablesWith(alike.slice(1))
      assert.deepStrictEqual(
        (yield* tablesWith(ada.slice(1))).filter((one) => one !== "sms_opt_outs.phone"),
        aliens
      )
      assert.lengthOf(yield* sql`SELECT FROM sms_opt_outs`, 1)
      assert.lengthOf(yield* sql`SELECT FROM provider_events`, 0)

      const shared = yield* call("GET", `/v1/messages/${both.id}`)
      assert.deepStrictEqual(
        shared.providerResponse.deliveries.map(({ recipient }: { readonly recipient: string }) => recipient),
        [bob]
      )
      const mentioning = yield* call("GET", `/v1/messages/${mention.id}`)
      assert.strictEqual(mentioning.content.text, 'Ask erased or "erased"')
      const { items: drafts } = yield* call("GET", "/v1/drafts")
      assert.deepStrictEqual(drafts[0].recipients, [{ phone: bob }])
      assert.strictEqual((yield* runCommand(["erase", ada], environment)).stdout.split("\n", 1)[0], "Nothing to erase")
    })
  )

  it.effect("refuses a number of an organization, and an invalid number", () =>
    Effect.gen(function* () {
      const { environment } = yield* LiveService
      const [{ number }] = (yield* call("GET", "/v1/numbers")).items
      assert.include(yield* failingCommand(["erase", number], environment), "first remove its number")
      assert.include(yield* failingCommand(["erase", "+12"], environment), "must be a phone number with plus")
    })
  )
})
