import { Schema } from "effect"

/** A part of a call that is recorded, in its time; one without an end goes on. */
export const RecordedSpan = Schema.Struct({ fromMs: Schema.Int, toMs: Schema.NullOr(Schema.Int) })
export type RecordedSpan = typeof RecordedSpan.Type

/** Whether it is recorded now. */
export const isRecording = (spans: ReadonlyArray<RecordedSpan>): boolean => spans.at(-1)?.toMs === null

/** Recorded on from then. */
export const recordFrom = (spans: ReadonlyArray<RecordedSpan>, ms: number): ReadonlyArray<RecordedSpan> => [
  ...spans,
  { fromMs: ms, toMs: null }
]

/** Not recorded any longer from then on. */
export const recordUntil = (spans: ReadonlyArray<RecordedSpan>, ms: number): ReadonlyArray<RecordedSpan> =>
  spans.map((span) => (span.toMs === null ? { ...span, toMs: Math.max(span.fromMs, ms) } : span))

/** What of a call of that length is recorded. */
export const recordedWithin = (spans: ReadonlyArray<RecordedSpan>, endMs: number) =>
  spans
    .map(({ fromMs, toMs }) => ({ fromMs: Math.min(fromMs, endMs), toMs: Math.min(toMs ?? endMs, endMs) }))
    .filter(({ fromMs, toMs }) => toMs > fromMs)
