import { randomInt } from "node:crypto"
import { type Brand, Context, DateTime, Effect } from "effect"
import { newUuid } from "./NewUuid.js"

/** Half of the sequence: every first number leaves room above it. */
const firstHalf = 2 ** 31

/** Within a millisecond a process counts up from a random number (RFC 9562 section 6.2, method 1). */
class IdSequence extends Context.Reference<IdSequence>()("services/IdSequence", {
  defaultValue: () => ({ msecs: -1, seq: 0 })
}) {}

const advance = (sequence: { msecs: number; seq: number }, msecs: number) => {
  sequence.seq = sequence.msecs === msecs ? sequence.seq + 1 : randomInt(firstHalf)
  sequence.msecs = msecs
  return sequence
}

/** A fresh UUID version 7 and the instant it carries: what is made together sorts together, in the order it was made. */
export const newId = <A extends string & Brand.Brand<string>>(schema: {
  readonly make: (value: string, options: { readonly disableValidation: boolean }) => A
}) =>
  Effect.zipWith(DateTime.now, IdSequence, (now, sequence) => ({
    id: schema.make(newUuid(advance(sequence, DateTime.toEpochMillis(now))), { disableValidation: true }),
    now
  }))
