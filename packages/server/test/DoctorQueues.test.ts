import { assert, describe, it } from "@effect/vitest"
import { queueFinding } from "@switchboard/server/doctor/DoctorQueues"
import { type QueueDepth, type QueueName, queueNames } from "@switchboard/services/queues/QueueDepths"

const depths = (given: Partial<Record<QueueName, Partial<QueueDepth>>> = {}): ReadonlyArray<QueueDepth> =>
  queueNames.map((queue) => ({ queue, ready: 0, leased: 0, waiting: 0, oldestSeconds: 0, ...given[queue] }))

describe("What the doctor says of queues", () => {
  it("is well while what waits is young, however much it is", () => {
    assert.deepStrictEqual(queueFinding(depths({ message: { waiting: 7 } })), {
      well: true,
      what: "what waits is worked on (nothing waits)"
    })
    assert.deepStrictEqual(
      queueFinding(depths({ message: { ready: 20, leased: 10, oldestSeconds: 300 }, inbound: { leased: 1 } })),
      { well: true, what: "what waits is worked on (30 messages, 1 mails that came in)" }
    )
  })

  it("names what waits too long", () => {
    const { advice, well } = queueFinding(
      depths({
        message: { ready: 1 },
        inbound: { ready: 2, oldestSeconds: 3700.4 },
        voice_call: { oldestSeconds: 301 }
      })
    )
    assert.isFalse(well)
    assert.deepStrictEqual(advice?.split("\n       "), [
      "of the mails that came in one has waited for 1h 1m 40s",
      "of the calls one has waited for 5m 1s",
      'is there a worker ("switchboard serve" or "switchboard worker"), and what does it log?'
    ])
  })
})
