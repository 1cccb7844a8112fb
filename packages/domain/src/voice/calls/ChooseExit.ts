import type { MenuMatch } from "../VoiceCall.js"
import type { MenuItem, nodeConfigs } from "../workflows/NodeConfig.js"

/** Normalizes case, width and punctuation. */
const foldedText = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

const isWithin = (spoken: string, words: string) => words !== "" && ` ${spoken} `.includes(` ${words} `)

/**
 * The menu item that the caller chose, with a confidence of 1 for its exact name or keypad number, and 0.8 for its name
 * within a sentence. Of several matches the longest name wins. Null if none matches.
 */
export const matchMenu = (items: ReadonlyArray<MenuItem>, text: string): MenuMatch | null => {
  const spoken = foldedText(text)
  const named = items.flatMap((item, at) => {
    const names = [item.label, item.id, ...(item.keywords ?? [])].map(foldedText)
    if (names.includes(spoken) || spoken === String(at + 1)) return [{ item, confidence: 1, length: spoken.length }]
    const lengths = names.filter((name) => isWithin(spoken, name)).map((name) => name.length)
    return lengths.length === 0 ? [] : [{ item, confidence: 0.8, length: Math.max(...lengths) }]
  })
  const [best] = spoken === "" ? [] : named.sort((a, b) => b.confidence - a.confidence || b.length - a.length)
  return best === undefined
    ? null
    : {
        menuItemId: best.item.id,
        menuItemLabel: best.item.label,
        matchedText: text,
        confidence: best.confidence
      }
}

/** The maximum number of characters of a text after substitution. */
const maxTextLength = 20_000

/** Replaces `{{name}}` by the value of the variable, or by an empty text if it has none. */
export const fillText = (text: string, variables: Readonly<Record<string, string>>): string =>
  text
    .replaceAll(
      /\{\{\s*(\w+)\s*\}\}/g,
      (_, name: string) => (Object.hasOwn(variables, name) ? variables[name] : "") ?? ""
    )
    .slice(0, maxTextLength)

type Condition = Pick<(typeof nodeConfigs)["logic.condition"]["Type"], "variable" | "operator" | "value">

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
