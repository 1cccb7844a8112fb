import {
  bounceRate,
  clickRate,
  complaintRate,
  deliveryRate,
  failureRate,
  type MessageCounts,
  readRate
} from "@switchboard/domain/analytics/MessageCounts"
import { assert, describe, it } from "vitest"

const noMessages: MessageCounts = {
  accepted: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  clicked: 0,
  failed: 0,
  bounced: 0,
  refused: 0,
  complained: 0,
  received: 0
}

const rates = (counts: Partial<MessageCounts>) => {
  const all = { ...noMessages, ...counts }
  return [deliveryRate(all), readRate(all), clickRate(all), bounceRate(all), complaintRate(all), failureRate(all)]
}

describe("The rates of message counts", () => {
  it("are 0 without data", () => {
    assert.deepStrictEqual(rates({}), [0, 0, 0, 0, 0, 0])
    assert.deepStrictEqual(rates({ accepted: 3, received: 3 }), [0, 0, 0, 0, 0, 0])
  })

  it("are based on sent messages and those rejected before they were sent", () => {
    assert.deepStrictEqual(
      rates({ sent: 8, delivered: 7, read: 4, clicked: 2, bounced: 3, refused: 2, complained: 1, failed: 10 }),
      [0.7, 0.4, 0.2, 0.3, 0.1, 0.5]
    )
  })

  it("count bounces that were rejected before they were sent", () => {
    assert.deepStrictEqual(rates({ bounced: 2, refused: 2 }), [0, 0, 0, 1, 0, 0])
  })

  it("are at most 1, because reads can belong to messages of an earlier period", () => {
    assert.deepStrictEqual(rates({ sent: 1, read: 5, clicked: 2, delivered: 2 }), [1, 1, 1, 0, 0, 0])
    assert.deepStrictEqual(rates({ failed: 5 }), [0, 0, 0, 0, 0, 1])
  })
})
