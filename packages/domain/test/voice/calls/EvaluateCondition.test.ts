import { assert, describe, it } from "@effect/vitest"
import { evaluateCondition } from "@switchboard/domain/voice/calls/ChooseExit"
import type { ConditionOperator } from "@switchboard/domain/voice/workflows/NodeConfig"

type Case = readonly [stored: string | undefined, ConditionOperator, value: string | number | boolean, boolean]

const cases: ReadonlyArray<Case> = [
  ["Yes ", "equals", "yes", true],
  ["7.0", "equals", 7, true],
  ["", "equals", 0, false],
  ["true", "equals", true, true],
  ["no", "notEquals", "yes", true],
  [undefined, "equals", "", false],
  [undefined, "notEquals", "yes", true],
  ["I said YES", "contains", "yes", true],
  [undefined, "notContains", "yes", true],
  ["10", "greaterThan", 9, true],
  ["ten", "greaterThan", 9, false],
  ["", "lessThan", 9, false],
  ["8", "lessThan", "9", true],
  ["x", "exists", "", true],
  ["", "exists", "", false],
  [undefined, "notExists", "", true]
]

describe("A condition", () => {
  it.each(cases)("%j %s %j is %j", (stored, operator, value, expected) => {
    const variables: Record<string, string> = stored === undefined ? {} : { it: stored }
    assert.strictEqual(evaluateCondition({ variable: "it", operator, value }, variables), expected)
  })
})
