import { it, makeMethods } from "@effect/vitest"
import { Equal, Option, Redacted } from "effect"
import { chai } from "vitest"

const { eql } = chai.util

/** Null where chai compares rightly by itself. */
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

// Left to itself chai takes a value for none, any secret for any other, and an error for one with other fields:
// assertions would hold whatever the code answers.
chai.config.deepEqual = deeplyEqual

// `layer` changes the `it` that it shares with the other files of a process: each begins with its own.
makeMethods(it)
