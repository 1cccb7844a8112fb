import {
  type ConversationStanding,
  standingNews,
  type WantedStanding,
  withStanding
} from "@switchboard/domain/conversations/ConversationStanding"
import { DateTime } from "effect"
import { assert, describe, it } from "vitest"

const now = DateTime.unsafeMake("2026-11-20T09:30:00.000Z")
const later = DateTime.unsafeMake("2026-11-21T09:30:00.000Z")
const active: ConversationStanding = { status: "active" }

const moved = (before: ConversationStanding, wanted: WantedStanding, at = now) => {
  const after = withStanding(before, wanted, "key", at)
  return { after: JSON.parse(JSON.stringify(after)), standing: after, news: standingNews(before, after) }
}

describe("Where a conversation stands", () => {
  it("is resolved by hand, by whom and when", () => {
    const { after, news } = moved(active, { status: "resolved", resolutionNotes: "Sent again" })
    assert.deepStrictEqual(after, {
      status: "resolved",
      resolvedAt: "2026-11-20T09:30:00.000Z",
      resolvedBy: "key",
      resolutionType: "manual",
      resolutionNotes: "Sent again"
    })
    assert.deepStrictEqual(news, ["conversation.resolved"])
  })

  it("keeps its resolution where it is archived, and while nothing moves it", () => {
    const { standing } = moved(active, { status: "resolved", resolutionType: "duplicate" })
    const again = moved(standing, { status: "resolved" }, later)
    assert.deepStrictEqual([again.after.resolvedAt, again.news], ["2026-11-20T09:30:00.000Z", []])
    const archived = moved(standing, { status: "archived" }, later)
    assert.deepInclude(archived.after, { resolutionType: "duplicate", archivedAt: "2026-11-21T09:30:00.000Z" })
    assert.deepStrictEqual(archived.news, [])
    assert.notProperty(moved(archived.standing, { status: "resolved" }).after, "archivedAt")
    assert.strictEqual(moved(standing, { resolutionType: "spam" }).after.resolutionType, "spam")
  })

  it("forgets all of that where it goes on, and tells so", () => {
    const { standing } = moved(active, { status: "resolved", statusReason: "Done" })
    const archived = moved(standing, { status: "archived" })
    for (const before of [standing, archived.standing]) {
      for (const status of ["active", "waiting", "snoozed"] as const) {
        assert.deepStrictEqual(moved(before, { status }).after, { status })
        assert.deepStrictEqual(moved(before, { status }).news, ["conversation.reopened"])
      }
    }
    assert.deepStrictEqual(moved(active, { status: "waiting" }).news, [])
  })

  it("has a reason as long as its status", () => {
    const { standing } = moved(active, { status: "waiting", statusReason: "For Ada" })
    assert.strictEqual(moved(standing, {}).after.statusReason, "For Ada")
    assert.strictEqual(moved(standing, { statusReason: "For Bob" }).after.statusReason, "For Bob")
    assert.notProperty(moved(standing, { statusReason: null }).after, "statusReason")
    assert.notProperty(moved(standing, { status: "active" }).after, "statusReason")
  })
})
