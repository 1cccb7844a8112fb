import { Block, BlockId } from "@switchboard/domain/email/blocks/Block"
import {
  allMail,
  blockKeys,
  scopeOf,
  scopesOf,
  suppressions,
  unsubscribedCategories
} from "@switchboard/domain/email/blocks/Suppression"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime } from "effect"
import { assert, describe, it } from "vitest"

const now = DateTime.unsafeMake("2026-01-01T00:00:00.000Z")

const block = (value: string, category?: string, expiresAt?: DateTime.Utc) =>
  new Block({
    id: BlockId.make("01a1fc1e-3c55-7a1e-b6c0-1f2e3d4c5b6a"),
    organizationId: OrganizationId.make("01a1fc1d-cf8f-76d9-be28-52307925009f"),
    type: value.includes("@") ? "email" : "domain",
    value,
    scope: category === undefined ? "all" : "category",
    ...(category === undefined ? {} : { category }),
    reason: "manual",
    source: "api",
    hitCount: 0,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    createdAt: now,
    updatedAt: now
  })

/** The blocks that suppress mail to ada@example.com, in order of precedence. */
const onAda = (categories: ReadonlyArray<string> | undefined, ...blocks: ReadonlyArray<Block>) =>
  suppressions(blocks, blockKeys("Ada@example.com"), categories, now).map(
    ({ category, value }) => `${value} ${category ?? "all"}`
  )

describe("Mail to a recipient", () => {
  it("is suppressed by a block on the address or its domain only", () => {
    assert.deepStrictEqual(onAda([], block("ada@example.com")), ["ada@example.com all"])
    assert.deepStrictEqual(onAda([], block("example.com")), ["example.com all"])
    for (const other of ["bob@example.com", "ada@sub.example.com", "com", "notexample.com"]) {
      assert.deepStrictEqual(onAda([], block(other)), [], other)
    }
  })

  it("is suppressed by a block on one of its categories, or by any block without given categories", () => {
    const news = block("ada@example.com", "news")
    assert.deepStrictEqual(onAda([], news), [])
    assert.deepStrictEqual(onAda(["offers"], news), [])
    assert.deepStrictEqual(onAda(["offers", "news"], news), ["ada@example.com news"])
    assert.deepStrictEqual(onAda(undefined, news), ["ada@example.com news"])
  })

  it("is suppressed until the block expires", () => {
    const until = (expiresAt: DateTime.Utc) => onAda([], block("example.com", undefined, expiresAt))
    assert.deepStrictEqual(until(DateTime.add(now, { millis: 1 })), ["example.com all"])
    assert.deepStrictEqual(until(now), [])
  })

  it("is suppressed by the address before the domain, and by all mail before a category", () => {
    const blocks = [
      block("example.com", "news"),
      block("example.com"),
      block("ada@example.com", "offers"),
      block("ada@example.com", "news"),
      block("ada@example.com")
    ]
    assert.deepStrictEqual(onAda(["offers", "news"], ...blocks), [
      "ada@example.com all",
      "ada@example.com news",
      "ada@example.com offers",
      "example.com all",
      "example.com news"
    ])
  })
})

const applies = (category: string | undefined, categories: ReadonlyArray<string>) =>
  scopesOf(categories).includes(scopeOf({ category }))

describe("A block", () => {
  it("on all mail applies to every message", () => {
    assert.strictEqual(scopeOf({}), allMail)
    for (const categories of [[], ["marketing"], ["transactional"], ["news", "offers"]]) {
      assert.isTrue(applies(undefined, categories))
    }
  })

  it("on a category applies to messages with exactly this category", () => {
    assert.isTrue(applies("offers", ["news", "offers"]))
    assert.isFalse(applies("offers", ["Offers", "offer"]))
    assert.isFalse(applies("offers", []))
  })
})

describe("An unsubscribe", () => {
  it("covers each category of the message except transactional", () => {
    assert.deepStrictEqual(unsubscribedCategories(["marketing", "offers", "marketing"]), ["marketing", "offers"])
    assert.deepStrictEqual(unsubscribedCategories(["transactional", "news"]), ["news"])
  })

  it("covers marketing if the message has no other category", () => {
    assert.deepStrictEqual(unsubscribedCategories([]), ["marketing"])
    assert.deepStrictEqual(unsubscribedCategories(["transactional"]), ["marketing"])
  })
})
