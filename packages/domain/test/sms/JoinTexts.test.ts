import { joinTexts, maxPartWait, type ReceivedPart } from "@switchboard/domain/sms/JoinTexts"
import { type Array, DateTime, Duration, Either } from "effect"
import { assert, describe, it } from "vitest"

const start = DateTime.unsafeMake("2026-01-01T00:00:00.000Z")
const after = (seconds: number) => DateTime.addDuration(start, Duration.seconds(seconds))

/** A part that arrived at the second of its id. */
const part = (id: number, text: string, number: number, total: number): ReceivedPart => ({
  id: String(id).padStart(4, "0"),
  text,
  part: { number, total },
  receivedAt: after(id)
})

const join = (now: DateTime.Utc, ...parts: Array.NonEmptyReadonlyArray<ReceivedPart>) => joinTexts(parts, now)

const textOf = (joined: ReturnType<typeof joinTexts>) => Either.getOrThrow(joined).text

describe("joinTexts", () => {
  it("joins the parts in the order of their numbers, with the id of the first to arrive", () => {
    const joined = join(after(9), part(2, "Hello ", 1, 3), part(1, "Ada", 3, 3), part(3, "dear ", 2, 3))
    assert.deepStrictEqual(Either.getOrThrow(joined), {
      text: "Hello dear Ada",
      id: "0001",
      receivedAt: after(1),
      parts: ["0002", "0003", "0001"]
    })
  })

  it("waits for missing parts until the first one is five minutes old", () => {
    const parts = [part(1, "one ", 1, 3), part(60, "three", 3, 3)] as const
    const end = DateTime.addDuration(after(1), maxPartWait)
    assert.deepStrictEqual(join(after(60), ...parts), Either.left(end))
    assert.strictEqual(textOf(join(end, ...parts)), "one three")
  })

  it("leaves a second part with the same number to the next text with this reference", () => {
    const joined = join(after(9), part(1, "a1 ", 1, 2), part(2, "b1 ", 1, 2), part(3, "a2", 2, 2))
    assert.deepStrictEqual(Either.getOrThrow(joined).parts, ["0001", "0003"])
  })

  it("takes a text in one part as it is, without half pairs and NUL", () => {
    const text = "Hi \u{1F600}\u0000!"
    assert.strictEqual(textOf(join(after(1), { ...part(1, text, 1, 1), part: null })), "Hi \u{1F600}!")
    assert.strictEqual(textOf(join(after(3), part(1, "\ud83d", 1, 2), part(2, "\ude00", 2, 2))), "\u{1F600}")
    assert.strictEqual(textOf(join(after(400), part(1, "a\ud83d", 1, 2))), "a\ufffd")
  })
})
