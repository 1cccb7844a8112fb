import { allMail, scopeOf, scopesOf, unsubscribedCategories } from "@switchboard/domain/email/blocks/BlockScope"
import { assert, describe, it } from "vitest"

const applies = (category: string | undefined, categories: ReadonlyArray<string>) =>
  scopesOf(categories).includes(scopeOf({ category }))

describe("A block", () => {
  it("on all mail applies to every message", () => {
    assert.strictEqual(scopeOf({}), allMail)
    for (const categories of [[], ["marketing"], ["transactional"], ["news", "offers"]]) {
      assert.isTrue(applies(undefined, categories))
    }
  })

  it("on a category applies to messages that have it, exactly as it is written", () => {
    assert.isTrue(applies("offers", ["news", "offers"]))
    assert.isFalse(applies("offers", ["Offers", "offer"]))
    assert.isFalse(applies("offers", []))
  })
})

describe("A recipient unsubscribes", () => {
  it("from each category of the message but transactional", () => {
    assert.deepStrictEqual(unsubscribedCategories(["marketing", "offers", "marketing"]), ["marketing", "offers"])
    assert.deepStrictEqual(unsubscribedCategories(["transactional", "news"]), ["news"])
  })

  it("from marketing where the message has no other category", () => {
    assert.deepStrictEqual(unsubscribedCategories([]), ["marketing"])
    assert.deepStrictEqual(unsubscribedCategories(["transactional"]), ["marketing"])
  })
})
