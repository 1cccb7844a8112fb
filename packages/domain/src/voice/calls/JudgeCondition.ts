import type { ConditionOperator } from "../workflows/NodeConfig.js"

/** What a condition asks. */
export interface Condition {
  readonly variable: string
  readonly operator: ConditionOperator
  readonly value?: string | number | boolean | undefined
}

/** Letters that are said have no size. */
const plain = (value: string) => value.trim().toLowerCase()

const isSame = (held: string, value: string) =>
  plain(held) === plain(value) || (held.trim() !== "" && value.trim() !== "" && Number(held) === Number(value))

/** Whether it is so. Of a variable that holds nothing, only what is denied is so. */
export const judgeCondition = (
  { operator, value, variable }: Condition,
  variables: Readonly<Record<string, string>>
): boolean => {
  const held = Object.hasOwn(variables, variable) ? variables[variable] : undefined
  const asked = String(value ?? "")
  switch (operator) {
    case "exists":
      return held !== undefined && held !== ""
    case "notExists":
      return held === undefined || held === ""
    case "equals":
      return held !== undefined && isSame(held, asked)
    case "notEquals":
      return held === undefined || !isSame(held, asked)
    case "contains":
      return held !== undefined && plain(held).includes(plain(asked))
    case "notContains":
      return held === undefined || !plain(held).includes(plain(asked))
    case "greaterThan":
      return held !== undefined && held.trim() !== "" && Number(held) > Number(asked)
    case "lessThan":
      return held !== undefined && held.trim() !== "" && Number(held) < Number(asked)
  }
}
