import { forgetRecipient } from "@switchboard/domain/messages/ForgetRecipient"
import { accepted } from "@switchboard/domain/messages/state/MessageLifecycle"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import { DateTime } from "effect"
import { assert, describe, it } from "vitest"

const now = DateTime.unsafeMake("2026-01-01T00:00:00.000Z")
const [ada, bob] = ["Ada@example.com", "bob@example.com"] as const
const isAda = (recipient: string) => recipient === ada

const waiting = accepted([ada, bob], 8, false, now)
const with_ = (state: MessageState, recipient: string, status: MessageState["deliveries"][number]["status"]) => ({
  ...state,
  deliveries: state.deliveries.map((one) => (one.recipient === recipient ? { ...one, status } : one))
})
const recipients = ({ deliveries }: MessageState) => deliveries.map(({ recipient }) => recipient)

describe("A message that forgets a recipient", () => {
  it("goes on for the others", () => {
    const state = forgetRecipient(waiting, isAda, now)
    assert.deepStrictEqual(recipients(state), [bob])
    assert.deepStrictEqual([state.status, state.statusHistory.length], ["pending", 1])
  })

  it("ends if nobody else waits and nobody has it", () => {
    const state = forgetRecipient(with_(waiting, bob, "bounced"), isAda, now)
    assert.deepStrictEqual(recipients(state), [bob])
    assert.deepStrictEqual([state.status, state.errorDetails?.code], ["failed", "recipient_erased"])
  })

  it("keeps its status if somebody has it, or if it was over", () => {
    const sent = { ...with_(waiting, bob, "sent"), status: "sent" as const }
    assert.deepStrictEqual(
      [forgetRecipient(sent, isAda, now).status, forgetRecipient(sent, isAda, now).lastError],
      ["sent", null]
    )
    const over = { ...with_(with_(waiting, bob, "bounced"), ada, "bounced"), status: "bounced" as const }
    assert.strictEqual(forgetRecipient(over, isAda, now).status, "bounced")
  })

  it("is the same if it never had that recipient", () => {
    assert.strictEqual(
      forgetRecipient(waiting, () => false, now),
      waiting
    )
  })
})
