import { randomFillSync, randomInt } from "node:crypto"
import { type Brand, DateTime, Effect } from "effect"
import { v7 } from "uuid"

/** The number of random octets of one UUID. */
const octets = 16

/** One system call fills the pool for 256 UUIDs and costs about as much as a call for one. */
const pool = new Uint8Array(256 * octets)
let used = pool.length

const rng = () => {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += octets
  return pool.subarray(used - octets, used)
}

/** Counts up from a random number (RFC 9562 section 6.2, method 1). The random start leaves room to count. */
let sequence = randomInt(2 ** 31)

/**
 * A new UUID version 7 for a time in milliseconds since 1970. UUIDs of one process and the same millisecond sort in the
 * order in which they were made.
 */
export const newUuid = (msecs: number): string => {
  sequence = (sequence + 1) >>> 0
  return v7({ msecs, seq: sequence, rng })
}

/** The time of a UUID version 7. */
export const timeOfId = (id: string): DateTime.Utc =>
  DateTime.unsafeMake(Number.parseInt(id.replace("-", "").slice(0, 12), 16))

/** A new UUID version 7 and its time. Ids of one process sort in the order in which they were made. */
export const newId = <A extends string & Brand.Brand<string>>(schema: {
  readonly make: (value: string, options: { readonly disableValidation: boolean }) => A
}) =>
  Effect.clockWith((clock) => {
    const milliseconds = clock.unsafeCurrentTimeMillis()
    const id = schema.make(newUuid(milliseconds), { disableValidation: true })
    return Effect.succeed({ id, now: DateTime.unsafeMake(milliseconds) })
  })
