import { randomInt } from "node:crypto"
import { type Brand, DateTime, Effect } from "effect"
import { newUuid } from "./NewUuid.js"

/** Half of what the sequence holds: there is room above whatever it begins with. */
const firstHalf = 2 ** 31

/** Within a millisecond a process counts up from a number of chance (RFC 9562 section 6.2, method 1). */
let latest = { msecs: -1, seq: 0 }

const nextAfter = (msecs: number) => {
  latest = { msecs, seq: latest.msecs === msecs ? latest.seq + 1 : randomInt(firstHalf) }
  return latest
}

/** A fresh UUID version 7 and the instant it carries: what is made together sorts together, in the order it was made. */
export const newId = <A extends string & Brand.Brand<string>>(schema: {
  readonly make: (value: string, options: { readonly disableValidation: boolean }) => A
}) =>
  Effect.map(DateTime.now, (now) => ({
    id: schema.make(newUuid(nextAfter(DateTime.toEpochMillis(now))), { disableValidation: true }),
    now
  }))
