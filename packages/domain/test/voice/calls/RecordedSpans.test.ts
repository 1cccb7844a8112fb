import { assert, describe, it } from "@effect/vitest"
import { isRecording, recordedWithin, recordFrom, recordUntil } from "@switchboard/domain/voice/calls/CallProgress"

describe("The recording of a call", () => {
  it("covers the spans in which it was on, up to the end of the call", () => {
    const on = recordFrom([], 0)
    const off = recordUntil(on, 2_000)
    const again = recordFrom(off, 5_000)
    assert.deepStrictEqual(
      [isRecording([]), isRecording(on), isRecording(off), isRecording(again)],
      [false, true, false, true]
    )
    assert.deepStrictEqual(recordedWithin(again, 6_000), [
      { fromMs: 0, toMs: 2_000 },
      { fromMs: 5_000, toMs: 6_000 }
    ])
    assert.deepStrictEqual(recordedWithin(again, 1_000), [{ fromMs: 0, toMs: 1_000 }])
  })
})
