import { randomFillSync, randomInt } from "node:crypto"
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
