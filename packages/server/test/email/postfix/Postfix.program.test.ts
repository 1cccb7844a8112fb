import { randomUUID } from "node:crypto"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LiveService, messageOf, settled, until } from "../../LiveService.js"
import { verifiedDomain } from "../ReceivingService.js"
import { mailboxDomain, noPostfix } from "./Postfix.js"
import { deliveriesOf, ours, PostfixService, sent, theirs, withoutDsn } from "./PostfixService.js"

const blockOf = Effect.fnUntraced(function* (email: string) {
  const { call } = yield* LiveService
  return (yield* call("GET", `/v1/email/blocks/check?email=${email}`)).body.block?.reason ?? null
})

/** Enables receiving for the organization's domain. */
const receivingDomain = Effect.gen(function* () {
  const { call } = yield* LiveService
  const { body } = yield* call("GET", `/v1/email/domains?filters=${encodeURIComponent(`{"search":"${ours}"}`)}`)
  if (body.items.length === 0) yield* verifiedDomain(ours)
  const { status } = yield* call("POST", "/v1/email/domains/enable-receiving", { domain: ours })
  assert.strictEqual(status, 200)
})

const options = { excludeTestServices: true } as const

describe.skipIf(noPostfix !== "")(`Postfix${noPostfix}`, () => {
  layer(PostfixService.Live, options)("between the service and external servers", (it) => {
    it.effect("sends bounces and delivery notifications that set the status of messages", () =>
      Effect.gen(function* () {
        yield* receivingDomain
        const gone = `perm550-${randomUUID()}@${theirs}`
        const alone = yield* sent(gone)
        const bounced = yield* settled(alone.id, "bounced")
        assert.match(bounced.lastError, /550 5\.1\.1 no such user/)
        assert.deepStrictEqual(deliveriesOf(bounced), [[gone, "bounced"]])
        assert.strictEqual(yield* blockOf(gone), "hard_bounce")

        // The external server offers DSN but sends none: the accepted recipient remains sent.
        const other = `perm550-${randomUUID()}@${theirs}`
        const both = yield* sent(other, `ada@${theirs}`)
        const partly = yield* until(messageOf(both.id), (now) => deliveriesOf(now)[0]?.[1] === "bounced")
        assert.deepStrictEqual(deliveriesOf(partly), [
          [other, "bounced"],
          [`ada@${theirs}`, "sent"]
        ])
        assert.strictEqual(partly.status, "sent")
        const { world } = yield* PostfixService
        yield* until(
          Effect.sync(() => world.mails.find(({ parsed }) => parsed.subject === both.subject)),
          (mail) => mail !== undefined
        )

        const kept = yield* sent(`ada@${mailboxDomain}`)
        const delivered = yield* settled(kept.id, "delivered")
        assert.deepStrictEqual(deliveriesOf(delivered), [[`ada@${mailboxDomain}`, "delivered"]])
        assert.isNull(yield* blockOf(`ada@${mailboxDomain}`))

        const lost = yield* sent("ada@nowhere.test")
        const failed = yield* settled(lost.id, "bounced")
        assert.match(failed.lastError, /no route to the domain/)
      })
    )

    it.effect("reports a next hop without DSN as relayed, which makes the message delivered", () =>
      Effect.gen(function* () {
        yield* receivingDomain
        const recipient = `ada@${withoutDsn}`
        const { id } = yield* sent(recipient)
        const delivered = yield* settled(id, "delivered")
        assert.deepStrictEqual(deliveriesOf(delivered), [[recipient, "delivered"]])
        const { call } = yield* LiveService
        const { events } = (yield* call("GET", `/v1/messages/${id}/timeline`)).body
        const event = events.find(({ type }: { readonly type: string }) => type === "message.delivered")
        assert.strictEqual(event.reason, "relayed")
        assert.strictEqual(event.metadata.recipient, recipient)
        assert.match(event.metadata.response, /^250 /)

        const gone = `perm550-${randomUUID()}@${withoutDsn}`
        const failed = yield* settled((yield* sent(gone)).id, "bounced")
        assert.deepStrictEqual(deliveriesOf(failed), [[gone, "bounced"]])
      })
    )
  })
})
