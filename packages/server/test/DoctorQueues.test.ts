import { assert, describe, it } from "@effect/vitest"
import { type QueueDepth, type QueueName, queueNames } from "@switchboard/domain/system/QueueDepth"
import { parsingFinding, queueFinding } from "@switchboard/server/doctor/DoctorQueues"

const depths = (overrides: Partial<Record<QueueName, Partial<QueueDepth>>> = {}): ReadonlyArray<QueueDepth> =>
  queueNames.map((queue) => ({ queue, ready: 0, leased: 0, waiting: 0, oldestSeconds: 0, ...overrides[queue] }))

describe("switchboard doctor, queues", () => {
  it("reports ok while the oldest entry is at most five minutes old, however long the queue is", () => {
    assert.deepStrictEqual(queueFinding(depths({ message: { waiting: 7 } })), { level: "ok", subject: "Queues: empty" })
    assert.deepStrictEqual(
      queueFinding(depths({ message: { ready: 20, leased: 10, oldestSeconds: 300 }, inbound: { leased: 1 } })),
      { level: "ok", subject: "Queues: messages 30, received mails 1" }
    )
  })

  it("reports an error for each queue whose oldest entry is older, and the remedy", () => {
    const { advice, level } = queueFinding(
      depths({
        message: { ready: 1 },
        inbound: { ready: 2, oldestSeconds: 3700.4 },
        voice_call: { oldestSeconds: 301 }
      })
    )
    assert.strictEqual(level, "error")
    assert.deepStrictEqual(advice, [
      "received mails: the oldest has been ready for 1h 1m 40s",
      "calls: the oldest has been ready for 5m 1s",
      'Check that a worker is running ("switchboard serve" or "switchboard worker"), and read its log.'
    ])
  })

  it("warns of received mails that could not be parsed", () => {
    assert.strictEqual(parsingFinding(0).level, "ok")
    const { advice, level, subject } = parsingFinding(2)
    assert.deepStrictEqual([level, subject], ["warning", "Received mails of the last day: 2 could not be parsed"])
    assert.lengthOf(advice ?? [], 1)
  })
})
