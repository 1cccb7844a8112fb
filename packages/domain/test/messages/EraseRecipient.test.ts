import { eraseRecipient } from "@switchboard/domain/messages/EraseRecipient"
import { accepted } from "@switchboard/domain/messages/state/MessageLifecycle"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import { DateTime } from "effect"
import { assert, describe, it } from "vitest"

const now = DateTime.unsafeMake("2026-01-01T00:00:00.000Z")
const [ada, bob] = ["Ada@example.com", "bob@example.com"] as const
const isAda = (recipient: string) => recipient === ada

const pendingMessage = accepted([ada, bob], 8, false, now)
const withStatus = (state: MessageState, recipient: string, status: MessageState["deliveries"][number]["status"]) => ({
  ...state,
  deliveries: state.deliveries.map((one) => (one.recipient === recipient ? { ...one, status } : one))
})
const recipients = ({ deliveries }: MessageState) => deliveries.map(({ recipient }) => recipient)

describe("A message whose recipient is erased", () => {
  it("continues for the other recipients", () => {
    const state = eraseRecipient(pendingMessage, isAda, now)
    assert.deepStrictEqual(recipients(state), [bob])
    assert.deepStrictEqual([state.status, state.statusHistory.length], ["pending", 1])
  })

  it("fails if no recipient is open or has received it", () => {
    const state = eraseRecipient(withStatus(pendingMessage, bob, "bounced"), isAda, now)
    assert.deepStrictEqual(recipients(state), [bob])
    assert.deepStrictEqual([state.status, state.errorDetails?.code], ["failed", "recipient_erased"])
  })

  it("keeps its status if a recipient has received it or if it has ended", () => {
    const sent = { ...withStatus(pendingMessage, bob, "sent"), status: "sent" as const }
    assert.deepStrictEqual(
      [eraseRecipient(sent, isAda, now).status, eraseRecipient(sent, isAda, now).lastError],
      ["sent", null]
    )
    const over = {
      ...withStatus(withStatus(pendingMessage, bob, "bounced"), ada, "bounced"),
      status: "bounced" as const
    }
    assert.strictEqual(eraseRecipient(over, isAda, now).status, "bounced")
  })

  it("is unchanged if it does not have the recipient", () => {
    assert.strictEqual(
      eraseRecipient(pendingMessage, () => false, now),
      pendingMessage
    )
  })
})
