import { randomInt } from "node:crypto"

/** A phone number that no other test uses. */
export const freshNumber = (): string => `+1555${randomInt(1_000_000, 9_999_999)}`
