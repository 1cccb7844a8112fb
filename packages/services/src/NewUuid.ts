import { randomFillSync } from "node:crypto"
import { v7 } from "uuid"

/** The octets of chance that one UUID takes. */
const octets = 16

/** To ask the system for 256 of them costs hardly more than to ask for one. */
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

/** A fresh UUID version 7 of a moment. Those of one millisecond sort by `seq`, or else by chance. */
export const newUuid = (moment: { readonly msecs: number; readonly seq?: number }): string => v7({ ...moment, rng })
