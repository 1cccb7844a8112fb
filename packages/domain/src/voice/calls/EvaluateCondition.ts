import type { ConditionOperator } from "../workflows/NodeConfig.js"

/** A condition on a variable. */
export interface Condition {
  readonly variable: string
  readonly operator: ConditionOperator
  readonly value?: string | number | boolean | undefined
}

/** Spoken text is compared without case. */
const plain = (value: string) => value.trim().toLowerCase()

const isSame = (actual: string, value: string) =>
  plain(actual) === plain(value) || (actual.trim() !== "" && value.trim() !== "" && Number(actual) === Number(value))

/** Evaluates a condition. For a variable without a value, only the negated operators are true. */
export const evaluateCondition = (
  { operator, value, variable }: Condition,
  variables: Readonly<Record<string, string>>
): boolean => {
  const actual = Object.hasOwn(variables, variable) ? variables[variable] : undefined
  const expected = String(value ?? "")
  switch (operator) {
    case "exists":
      return actual !== undefined && actual !== ""
    case "notExists":
      return actual === undefined || actual === ""
    case "equals":
      return actual !== undefined && isSame(actual, expected)
    case "notEquals":
      return actual === undefined || !isSame(actual, expected)
    case "contains":
      return actual !== undefined && plain(actual).includes(plain(expected))
    case "notContains":
      return actual === undefined || !plain(actual).includes(plain(expected))
    case "greaterThan":
      return actual !== undefined && actual.trim() !== "" && Number(actual) > Number(expected)
    case "lessThan":
      return actual !== undefined && actual.trim() !== "" && Number(actual) < Number(expected)
  }
}
