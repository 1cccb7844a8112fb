import {
  applyStatusChange,
  type ConversationState,
  type StatusChange,
  statusEvents
} from "@switchboard/domain/conversations/Conversation"
import { DateTime } from "effect"
import { assert, describe, it } from "vitest"

const now = DateTime.unsafeMake("2026-11-20T09:30:00.000Z")
const later = DateTime.unsafeMake("2026-11-21T09:30:00.000Z")
const active: ConversationState = { status: "active" }

const change = (before: ConversationState, requested: StatusChange, at = now) => {
  const after = applyStatusChange(before, requested, "key", at)
  return { after: JSON.parse(JSON.stringify(after)), standing: after, news: statusEvents(before, after) }
}

describe("The status of a conversation", () => {
  it("records who resolved it, when and how", () => {
    const { after, news } = change(active, { status: "resolved", resolutionNotes: "Sent again" })
    assert.deepStrictEqual(after, {
      status: "resolved",
      resolvedAt: "2026-11-20T09:30:00.000Z",
      resolvedBy: "key",
      resolutionType: "manual",
      resolutionNotes: "Sent again"
    })
    assert.deepStrictEqual(news, ["conversation.resolved"])
  })

  it("keeps the resolution when archived and without a change of status", () => {
    const { standing } = change(active, { status: "resolved", resolutionType: "duplicate" })
    const again = change(standing, { status: "resolved" }, later)
    assert.deepStrictEqual([again.after.resolvedAt, again.news], ["2026-11-20T09:30:00.000Z", []])
    const archived = change(standing, { status: "archived" }, later)
    assert.deepInclude(archived.after, { resolutionType: "duplicate", archivedAt: "2026-11-21T09:30:00.000Z" })
    assert.deepStrictEqual(archived.news, [])
    assert.notProperty(change(archived.standing, { status: "resolved" }).after, "archivedAt")
    assert.strictEqual(change(standing, { resolutionType: "spam" }).after.resolutionType, "spam")
  })

  it("clears the resolution when it is reopened, and records an event", () => {
    const { standing } = change(active, { status: "resolved", statusReason: "Done" })
    const archived = change(standing, { status: "archived" })
    for (const before of [standing, archived.standing]) {
      for (const status of ["active", "waiting", "snoozed"] as const) {
        assert.deepStrictEqual(change(before, { status }).after, { status })
        assert.deepStrictEqual(change(before, { status }).news, ["conversation.reopened"])
      }
    }
    assert.deepStrictEqual(change(active, { status: "waiting" }).news, [])
  })

  it("keeps the status reason until the status changes", () => {
    const { standing } = change(active, { status: "waiting", statusReason: "For Ada" })
    assert.strictEqual(change(standing, {}).after.statusReason, "For Ada")
    assert.strictEqual(change(standing, { statusReason: "For Bob" }).after.statusReason, "For Bob")
    assert.notProperty(change(standing, { statusReason: null }).after, "statusReason")
    assert.notProperty(change(standing, { status: "active" }).after, "statusReason")
  })
})
