import { assert, describe, it } from "@effect/vitest"
import { eventData } from "@switchboard/domain/events/EventCatalog"
import { eventTypes, Subscription } from "@switchboard/domain/events/EventType"
import { Schema } from "effect"

const takes = Schema.is(Subscription)

describe("A subscription", () => {
  it("names an event, all of a group, or all", () => {
    for (const name of [...eventTypes, "message.*", "api_key.*", "recording.*", "*"]) assert.isTrue(takes(name), name)
  })

  it("names nothing else", () => {
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
      assert.isFalse(takes(name), name)
    }
  })
})

describe("The catalog", () => {
  it("says of every event what it tells", () => {
    assert.sameMembers(Object.keys(eventData), [...eventTypes])
  })
})
