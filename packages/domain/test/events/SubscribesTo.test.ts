import { subscribesTo } from "@switchboard/domain/events/SubscribesTo"
import { assert, describe, it } from "vitest"

describe("A subscription", () => {
  it("matches an event type, a group or all", () => {
    assert.isTrue(subscribesTo(["api_key.created", "message.sent"], "message.sent"))
    assert.isTrue(subscribesTo(["message.*"], "message.sent"))
    assert.isTrue(subscribesTo(["*"], "message.sent"))
    assert.isFalse(subscribesTo(["message.delivered", "email_domain.*", "message"], "message.sent"))
    assert.isFalse(subscribesTo([], "message.sent"))
    assert.isFalse(subscribesTo(["email.*"], "email_domain.created"))
  })
})
