import { Schema } from "effect"

/** A recorded span of a call in milliseconds from its start; `toMs` is null while recording. */
export const RecordedSpan = Schema.Struct({ fromMs: Schema.Int, toMs: Schema.NullOr(Schema.Int) })
export type RecordedSpan = typeof RecordedSpan.Type

/** Whether the call is being recorded. */
export const isRecording = (spans: ReadonlyArray<RecordedSpan>): boolean => spans.at(-1)?.toMs === null

/** Starts recording. */
export const recordFrom = (spans: ReadonlyArray<RecordedSpan>, ms: number): ReadonlyArray<RecordedSpan> => [
  ...spans,
  { fromMs: ms, toMs: null }
]

/** Stops recording. */
export const recordUntil = (spans: ReadonlyArray<RecordedSpan>, ms: number): ReadonlyArray<RecordedSpan> =>
  spans.map((span) => (span.toMs === null ? { ...span, toMs: Math.max(span.fromMs, ms) } : span))

/** The recorded spans within a call of the length `endMs`. */
export const recordedWithin = (spans: ReadonlyArray<RecordedSpan>, endMs: number) =>
  spans
    .map(({ fromMs, toMs }) => ({ fromMs: Math.min(fromMs, endMs), toMs: Math.min(toMs ?? endMs, endMs) }))
    .filter(({ fromMs, toMs }) => toMs > fromMs)
