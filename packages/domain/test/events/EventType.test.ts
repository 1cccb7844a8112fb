import { assert, describe, it } from "@effect/vitest"
import { eventData } from "@switchboard/domain/events/EventCatalog"
import { eventTypes, Subscription } from "@switchboard/domain/events/EventType"
import { Schema } from "effect"

const isSubscription = Schema.is(Subscription)

describe("A subscription", () => {
  it("names an event type, a group or all", () => {
    for (const name of [...eventTypes, "message.*", "api_key.*", "recording.*", "*"])
      assert.isTrue(isSubscription(name), name)
  })

  it("rejects other names", () => {
    for (const name of [
      "",
      "message",
      "message.",
      "message.Sent",
      "*.sent",
      "message.*.*",
      "unknown.*",
      "constructor"
    ]) {
      assert.isFalse(isSubscription(name), name)
    }
  })
})

describe("The event catalog", () => {
  it("has a schema for each event type", () => {
    assert.sameMembers(Object.keys(eventData), [...eventTypes])
  })
})
