import { Block, BlockId, type BlockReason } from "@switchboard/domain/email/blocks/Block"
import { strengthenBlock } from "@switchboard/domain/email/blocks/Suppression"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Duration } from "effect"
import { assert, describe, it } from "vitest"

const start = DateTime.unsafeMake("2026-01-01T00:00:00.000Z")
const after = (seconds: number) => DateTime.addDuration(start, Duration.seconds(seconds))

const block = (reason: BlockReason, given: Partial<typeof Block.Type> = {}) =>
  new Block({
    id: BlockId.make("01a1fc1e-3c55-7a1e-b6c0-1f2e3d4c5b6a"),
    organizationId: OrganizationId.make("01a1fc1d-cf8f-76d9-be28-52307925009f"),
    type: "email",
    value: "ada@example.com",
    scope: "all",
    reason,
    source: "api",
    hitCount: 3,
    createdAt: start,
    updatedAt: start,
    ...given
  })

const message = MessageId.make("01a1fc1d-e1a0-7029-814e-d493ca640e3c")
const complaint = (at = after(60)) =>
  block("complaint", {
    id: BlockId.make("01a1fc1e-3c55-7a1e-b6c0-1f2e3d4c5b6b"),
    source: "recipient",
    sourceMessageId: message,
    hitCount: 0,
    createdAt: at,
    updatedAt: at
  })

describe("An existing block", () => {
  it("takes a stronger reason and keeps its id and hit count", () => {
    const strong = strengthenBlock(block("hard_bounce"), complaint())
    assert.deepStrictEqual(
      { ...strong },
      {
        ...block("complaint", { source: "recipient", sourceMessageId: message, updatedAt: after(60) }),
        expiresAt: undefined
      }
    )
  })

  it("is unchanged by an equal or weaker reason", () => {
    const present = block("complaint")
    assert.strictEqual(strengthenBlock(present, complaint()), present)
    assert.strictEqual(strengthenBlock(present, block("hard_bounce")), present)
    assert.strictEqual(strengthenBlock(block("unsubscribe"), block("hard_bounce")).reason, "unsubscribe")
    assert.strictEqual(strengthenBlock(block("manual"), block("hard_bounce")).reason, "hard_bounce")
  })

  it("loses its expiry time, also with a weaker reason", () => {
    const strong = strengthenBlock(block("complaint", { expiresAt: after(90) }), block("hard_bounce"))
    assert.strictEqual(strong.reason, "complaint")
    assert.isUndefined(strong.expiresAt)
  })

  it("takes a weaker reason if it has expired", () => {
    const over = block("complaint", { expiresAt: after(60) })
    const again = strengthenBlock(over, block("hard_bounce", { source: "system", createdAt: after(60) }))
    assert.deepStrictEqual([again.reason, again.source, again.expiresAt], ["hard_bounce", "system", undefined])
    const notYet = strengthenBlock(over, block("hard_bounce", { source: "system", createdAt: after(59) }))
    assert.deepStrictEqual([notYet.reason, notYet.source], ["complaint", "api"])
  })
})
