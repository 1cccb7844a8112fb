import { assert, layer } from "@effect/vitest"
import { DeliveryOutcome } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import { settled, taken } from "@switchboard/domain/messages/state/MessageLifecycle"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { newAddressBlock } from "@switchboard/services/email/blocks/BlockRecords"
import { BlockRepo } from "@switchboard/services/email/blocks/BlockRepo"
import { Blocks } from "@switchboard/services/email/blocks/Blocks"
import { Complaints } from "@switchboard/services/email/feedback/Feedback"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { blocksOf } from "@switchboard/store/testing/email/blocks/Fixtures"
import { makeOrganization, newMessage } from "@switchboard/store/testing/messages/Fixtures"
import { StoreLive } from "@switchboard/store/testing/StoreLive"
import { DateTime, Effect, Layer } from "effect"

const Live = Complaints.Default.pipe(Layer.provideMerge(Blocks.Default), Layer.provideMerge(StoreLive))

/** Stores a message that the relay accepted for ada and rejected for bob. */
const sendToAdaAndBob = (own: OrganizationId) =>
  Effect.gen(function* () {
    const repo = yield* MessageRepo
    const { message } = yield* repo.accept(yield* newMessage(own, { to: ["Ada@example.com", "bob@example.com"] }))
    const now = yield* DateTime.now
    const outcome = DeliveryOutcome.Replied({
      replies: [
        { recipient: "Ada@example.com", verdict: "accepted" },
        { recipient: "bob@example.com", verdict: "refused" }
      ],
      response: "250 ok",
      providerMessageId: null,
      retryAt: null
    })
    yield* repo.change(own, message.id, (state) =>
      Effect.succeed(settled(taken(state, false, now), outcome, "accept", now))
    )
    return message.id
  })

const blockEntries = (own: OrganizationId) =>
  Effect.map(blocksOf(own), (blocks) =>
    blocks.map(({ reason, source, sourceMessageId, value }) => ({ value, reason, source, sourceMessageId }))
  )

layer(Live, { excludeTestServices: true })("Complaints on PostgreSQL", (it) => {
  it.effect("blocks the complaining recipient once, also if the report is repeated or the block was removed", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const complaints = yield* Complaints
      const messageId = yield* sendToAdaAndBob(own)
      const report = complaints.report({ organizationId: own, messageId }, ["ada@EXAMPLE.com"], "abuse")
      assert.deepStrictEqual([yield* report, yield* report], ["recorded", "recorded"])
      assert.deepStrictEqual(yield* blockEntries(own), [
        { value: "ada@example.com", reason: "complaint", source: "recipient", sourceMessageId: messageId }
      ])
      const { remove } = yield* Blocks
      yield* Effect.forEach(yield* blocksOf(own), ({ id }) => remove(own, id))
      yield* report
      assert.deepStrictEqual(yield* blockEntries(own), [])
    })
  )

  it.effect(
    "blocks no address that did not receive the message, and reports a message that is not sent yet as too early",
    () =>
      Effect.gen(function* () {
        const own = yield* makeOrganization()
        const other = yield* makeOrganization()
        const complaints = yield* Complaints
        const repo = yield* MessageRepo
        const messageId = yield* sendToAdaAndBob(own)
        for (const recipient of ["bob@example.com", "eve@example.com"]) {
          yield* complaints.report({ organizationId: own, messageId }, [recipient], "abuse")
        }
        const foreign = complaints.report({ organizationId: other, messageId }, ["Ada@example.com"], "abuse")
        assert.strictEqual(yield* foreign, "unknown")
        const { message } = yield* repo.accept(yield* newMessage(own))
        const early = complaints.report({ organizationId: own, messageId: message.id }, ["ada@example.com"], "abuse")
        assert.strictEqual(yield* early, "tooEarly")
        assert.deepStrictEqual([...(yield* blockEntries(own)), ...(yield* blockEntries(other))], [])
      })
  )

  it.effect("replaces a bounce block with a complaint block and keeps unsubscribe blocks separate", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const blocks = yield* Blocks
      const repo = yield* BlockRepo
      const complaints = yield* Complaints
      const messageId = yield* sendToAdaAndBob(own)
      const blocksAfter = (change: Effect.Effect<unknown, unknown>) =>
        Effect.zipRight(
          change,
          Effect.map(blocksOf(own), (all) => all.map(({ category = "all", reason }) => `${category} ${reason}`))
        )
      const bounce = Effect.flatMap(
        newAddressBlock(own, "ada@example.com", {
          category: undefined,
          reason: "hard_bounce",
          source: "system",
          sourceMessageId: messageId
        }),
        (block) => repo.strengthen([block])
      )
      const complaint = complaints.report({ organizationId: own, messageId }, ["ada@example.com"], "abuse")
      const unsubscribe = (address: string, ...categories: ReadonlyArray<string>) =>
        blocks.unsubscribe(own, address, categories, messageId)
      assert.deepStrictEqual(yield* blocksAfter(bounce), ["all hard_bounce"])
      assert.deepStrictEqual(
        yield* blocksAfter(unsubscribe("ADA@example.com", "marketing", "transactional", "offers", "offers")),
        ["offers unsubscribe", "marketing unsubscribe", "all hard_bounce"]
      )
      const after = ["offers unsubscribe", "marketing unsubscribe", "all complaint"]
      assert.deepStrictEqual(yield* blocksAfter(complaint), after)
      assert.deepStrictEqual(yield* blocksAfter(unsubscribe("ada@example.com", "transactional")), after)
      assert.deepStrictEqual(yield* blocksAfter(unsubscribe("ada@example.com")), after)
    })
  )
})
