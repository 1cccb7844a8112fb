import { it, makeMethods } from "@effect/vitest"
import { Equal, Option, Redacted } from "effect"
import { chai } from "vitest"

const { eql } = chai.util

/** Returns null where chai's own comparison is correct. */
const comparator = (one: unknown, other: unknown): boolean | null => {
  if (Option.isOption(one) || Option.isOption(other)) {
    if (!Option.isOption(one) || !Option.isOption(other)) return false
    if (Option.isNone(one) || Option.isNone(other)) return one._tag === other._tag
    return deeplyEqual(one.value, other.value)
  }
  if (Redacted.isRedacted(one) || Redacted.isRedacted(other)) return Equal.equals(one, other)
  if (one instanceof Error && other instanceof Error) {
    return one.name === other.name && one.message === other.message && deeplyEqual({ ...one }, { ...other })
  }
  return null
}

const deeplyEqual = (one: unknown, other: unknown): boolean => eql(one, other, { comparator })

// Chai's own comparison treats some and none, all secrets, and errors with different fields as equal, so assertions
// could never fail.
chai.config.deepEqual = deeplyEqual

// `layer` changes the `it` that test files of the same process share, so each file starts with new methods.
makeMethods(it)
