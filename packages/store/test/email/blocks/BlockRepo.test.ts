import { assert, layer } from "@effect/vitest"
import { Block } from "@switchboard/domain/email/blocks/Block"
import { blockKeys } from "@switchboard/domain/email/blocks/Suppression"
import { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { blockRecords } from "@switchboard/services/email/blocks/BlockRecords"
import { BlockRepo } from "@switchboard/services/email/blocks/BlockRepo"
import { Array, DateTime, Effect, Option, Schema } from "effect"
import { v7 } from "uuid"
import { makeOrganization } from "../../messages/Fixtures.js"
import { storedEvents } from "../../StoredRows.js"
import { StoreLive } from "../../StoreLive.js"
import { addBlock, blockLog, blocksOf, complain, everything } from "./Fixtures.js"

const message = MessageId.make(v7())
const valuesFor = (own: OrganizationId, ...addresses: ReadonlyArray<string>) =>
  Effect.flatMap(BlockRepo, (repo) =>
    Effect.forEach(addresses, (address) =>
      Effect.map(repo.find(own, blockKeys(address), undefined), ([block]) => block?.value)
    )
  )

const events = (own: OrganizationId) =>
  Effect.map(storedEvents(own), (rows) => rows.map(({ data, type }) => `${type} ${data.value}`))

const ago = Effect.map(DateTime.now, (now) => DateTime.subtract(now, { minutes: 1 }))
const ahead = Effect.map(DateTime.now, (now) => DateTime.add(now, { minutes: 1 }))

layer(StoreLive, { excludeTestServices: true })("BlockRepo on PostgreSQL", (it) => {
  it.effect("stores a block with its log entry and event, once", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const expiresAt = yield* ahead
      const { block, isNew } = yield* addBlock(own, "ada@example.com", { reason: "unsubscribe", expiresAt })
      assert.isTrue(isNew)
      const encode = (one: Block) => JSON.parse(JSON.stringify(Schema.encodeSync(Block)(one)))
      const [found] = yield* blocksOf(own)
      assert.deepStrictEqual(found && encode(found), encode(block))
      const again = yield* addBlock(own, "ada@example.com")
      assert.isFalse(again.isNew)
      assert.strictEqual((yield* blocksOf(own)).length, 1)
      assert.deepStrictEqual(yield* blockLog(own), [{ action: "added", email: "ada@example.com", messageId: null }])
      assert.deepStrictEqual(yield* events(own), ["email_block.created ada@example.com"])
    })
  )

  it.effect("stores one of many concurrent blocks with the same value, with one event", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const added = yield* Effect.forEach(Array.range(1, 20), () => addBlock(own, "example.com"), {
        concurrency: "unbounded"
      })
      assert.strictEqual(added.filter(({ isNew }) => isNew).length, 1)
      yield* Effect.forEach(Array.range(1, 20), () => complain(own, "Ada@example.com", message), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(yield* events(own), [
        "email_block.created example.com",
        "email_block.created ada@example.com"
      ])
      assert.strictEqual((yield* blockLog(own)).length, 2)
    })
  )

  it.effect("finds blocks by address, then by domain, case-insensitive", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const other = yield* makeOrganization()
      yield* addBlock(own, "ada@example.com")
      yield* addBlock(own, "example.com")
      yield* addBlock(own, "bob@example.org")
      yield* addBlock(other, "cyd@example.org")
      assert.deepStrictEqual(
        yield* valuesFor(
          own,
          "Ada@example.com",
          "bob@EXAMPLE.com",
          "BOB@example.org",
          "cyd@example.org",
          "ada@sub.example.com",
          "ada@notexample.com"
        ),
        ["ada@example.com", "example.com", "bob@example.org", undefined, undefined, undefined]
      )
      assert.deepStrictEqual(yield* valuesFor(other, "cyd@example.org"), ["cyd@example.org"])
    })
  )

  it.effect("ignores expired blocks, and applies the domain's block instead", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      yield* addBlock(own, "ada@example.com", { expiresAt: yield* ago })
      yield* addBlock(own, "bob@example.com", { expiresAt: yield* ahead })
      assert.deepStrictEqual(yield* valuesFor(own, "ada@example.com", "bob@example.com"), [
        undefined,
        "bob@example.com"
      ])
      yield* addBlock(own, "example.com")
      assert.deepStrictEqual(yield* valuesFor(own, "ada@example.com"), ["example.com"])
    })
  )

  it.effect("replaces an expired block, once for concurrent requests", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { block: over } = yield* addBlock(own, "ada@example.com", { reason: "complaint", expiresAt: yield* ago })
      yield* addBlock(own, "bob@example.com", { expiresAt: yield* ago })
      const added = yield* Effect.forEach(Array.range(1, 10), () => addBlock(own, "ada@example.com"), {
        concurrency: "unbounded"
      })
      const [{ block } = { block: over }, ...others] = added.filter(({ isNew }) => isNew)
      assert.strictEqual(others.length, 0)
      assert.notStrictEqual(block.id, over.id)
      assert.deepStrictEqual(
        (yield* blocksOf(own)).map(({ id, reason, value }) => [id === block.id, reason, value]),
        [
          [true, "manual", "ada@example.com"],
          [false, "manual", "bob@example.com"]
        ]
      )
      assert.deepStrictEqual(yield* valuesFor(own, "ada@example.com", "bob@example.com"), [
        "ada@example.com",
        undefined
      ])
      assert.deepStrictEqual(
        (yield* blockLog(own)).map(({ action, email }) => `${action} ${email}`),
        ["added ada@example.com", "added bob@example.com", "removed ada@example.com", "added ada@example.com"]
      )
      assert.deepStrictEqual(yield* events(own), [
        "email_block.created ada@example.com",
        "email_block.created bob@example.com",
        "email_block.deleted ada@example.com",
        "email_block.created ada@example.com"
      ])
    })
  )

  it.effect("stores one block per address and scope, and finds those of a message's scopes", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const repo = yield* BlockRepo
      const categories = ["news", "offers", undefined, "Offers"]
      const added = yield* Effect.forEach([...categories, ...categories], (category) =>
        addBlock(own, "ada@example.com", category === undefined ? {} : { category })
      )
      assert.deepStrictEqual(
        added.map(({ isNew }) => isNew),
        [true, true, true, true, false, false, false, false]
      )
      yield* addBlock(own, "example.com", { category: "news" })
      const found = (category?: string) =>
        Effect.map(repo.find(own, blockKeys("Ada@example.com"), category), (blocks) =>
          blocks.map((one) => `${one.value} ${one.scope} ${one.category}`)
        )
      assert.deepStrictEqual(yield* found(), [
        "ada@example.com all undefined",
        "ada@example.com category Offers",
        "ada@example.com category news",
        "ada@example.com category offers",
        "example.com category news"
      ])
      assert.deepStrictEqual(yield* found("news"), [
        "ada@example.com all undefined",
        "ada@example.com category news",
        "example.com category news"
      ])
      assert.deepStrictEqual(yield* found("receipts"), ["ada@example.com all undefined"])
      assert.deepStrictEqual(yield* repo.find(yield* makeOrganization(), blockKeys("ada@example.com"), undefined), [])
    })
  )

  it.effect("replaces an expired block of the same scope only", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      yield* addBlock(own, "ada@example.com", { expiresAt: yield* ago })
      const { block: news } = yield* addBlock(own, "ada@example.com", { category: "news", expiresAt: yield* ago })
      const again = yield* addBlock(own, "ada@example.com", { category: "news" })
      assert.isTrue(again.isNew)
      assert.deepStrictEqual(
        (yield* blocksOf(own)).map(({ id, scope }) => [id === news.id, scope]),
        [
          [false, "category"],
          [false, "all"]
        ]
      )
    })
  )

  it.effect("strengthens an existing block, with one log entry", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { block } = yield* addBlock(own, "ada@example.com", { expiresAt: yield* ago })
      yield* complain(own, "ADA@example.com", message)
      yield* complain(own, "ada@example.com", message)
      const [found, ...others] = yield* blocksOf(own)
      assert.deepStrictEqual([found?.id, found?.reason, found?.source], [block.id, "complaint", "recipient"])
      assert.deepStrictEqual([found?.sourceMessageId, found?.expiresAt, others.length], [message, undefined, 0])
      assert.deepStrictEqual(yield* blockLog(own), [
        { action: "added", email: "ada@example.com", messageId: null },
        { action: "updated", email: "ada@example.com", messageId: message }
      ])
      assert.deepStrictEqual(yield* events(own), ["email_block.created ada@example.com"])
    })
  )

  it.effect("lists blocks by reason and part of the value, newest first, in pages", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const repo = yield* BlockRepo
      for (const value of ["ada@example.com", "bob@example.com", "cyd@example.org", "example.net"]) {
        yield* addBlock(own, value, { reason: value.startsWith("bob") ? "complaint" : "manual" })
      }
      const values = (filters: Parameters<typeof repo.list>[1], request = everything) =>
        Effect.map(repo.list(own, filters, request), ({ items, pagination }) => [
          items.map(({ value }) => value),
          pagination.total
        ])
      assert.deepStrictEqual(yield* values({ search: "EXAMPLE.COM" }), [["bob@example.com", "ada@example.com"], 2])
      assert.deepStrictEqual(yield* values({ reason: "complaint" }), [["bob@example.com"], 1])
      assert.deepStrictEqual(yield* values({ search: "example", reason: "manual" }, { page: 2, limit: 2 }), [
        ["ada@example.com"],
        3
      ])
      assert.deepStrictEqual(yield* values({ search: "%" }), [[], 0])
      const page = yield* repo.logs(own, { page: 2, limit: 3 })
      assert.deepStrictEqual([page.items.map(({ email }) => email), page.pagination.total], [["ada@example.com"], 4])
    })
  )

  it.effect("changes or removes a block of the organization only, with log entries and events", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const other = yield* makeOrganization()
      const repo = yield* BlockRepo
      const { block } = yield* addBlock(own, "ada@example.com")
      const setReason = (present: Block) =>
        Effect.gen(function* () {
          const changed = new Block({ ...present, reason: "complaint" })
          return { block: changed, removed: false, records: yield* blockRecords("updated", changed) }
        })
      const remove = (present: Block) =>
        Effect.map(blockRecords("removed", present), (records) => ({ block: present, removed: true, records }))

      assert.isTrue(Option.isNone(yield* repo.change(other, block.id, remove)))
      assert.isTrue(Option.isSome(yield* repo.change(own, block.id, setReason)))
      assert.deepStrictEqual(
        (yield* blocksOf(own)).map(({ reason }) => reason),
        ["complaint"]
      )
      assert.isTrue(Option.isSome(yield* repo.change(own, block.id, remove)))
      assert.isTrue(Option.isNone(yield* repo.change(own, block.id, remove)))
      assert.deepStrictEqual(yield* blocksOf(own), [])
      assert.deepStrictEqual(
        (yield* blockLog(own)).map(({ action }) => action),
        ["added", "updated", "removed"]
      )
      assert.deepStrictEqual(yield* events(own), [
        "email_block.created ada@example.com",
        "email_block.deleted ada@example.com"
      ])
    })
  )
})
