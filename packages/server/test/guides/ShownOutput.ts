/** Patterns of values that differ in every run. A shown value matches an actual value of the same pattern. */
const forms = [
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  /^sk_sm_\w{40}$/,
  /^whsec_[\w+/=]+$/
]

const isTimestamp = (text: string) => forms[1]?.test(text) === true

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** Parses a text that contains a JSON object, such as the `config` of a webhook endpoint. Null for other text. */
const jsonIn = (text: string): unknown => {
  try {
    return text.startsWith("{") ? JSON.parse(text) : null
  } catch {
    return null
  }
}

/** Whether a shown text matches an actual one; `…` matches any text. */
const isShownText = (shown: string, actual: string) =>
  new RegExp(`^${shown.split("…").map(escaped).join("[\\s\\S]*")}$`).test(actual)

/**
 * Maps the values that a guide shows to the actual values of a run. The actual id of a response replaces the shown id
 * in all later blocks of the guide.
 */
export const shownValues = (fixed: ReadonlyArray<readonly [shown: string, actual: string]>) => {
  const values = new Map(fixed)

  const replaced = (text: string, pairs: Iterable<readonly [string, string]>) => {
    let result = text
    for (const [from, to] of pairs) result = result.replaceAll(from, to)
    return result
  }

  /** The text of a guide with the values of the run. */
  const toActual = (text: string) => replaced(text, values)

  /** The text of the run with the values of the guide. */
  const toShown = (text: string) =>
    replaced(
      text,
      [...values].map(([shown, actual]) => [actual, shown] as const)
    )

  const differsText = (shown: string, actual: string, path: string): string | null => {
    const [shownJson, actualJson] = [jsonIn(shown), jsonIn(actual)]
    if (shownJson !== null && actualJson !== null) return differs(shownJson, actualJson, path)
    if (isShownText(shown, toShown(actual))) return null
    const isSameForm = forms.some((form) => form.test(shown) && form.test(actual))
    if (!isSameForm || values.has(shown)) return `${path} is ${JSON.stringify(toShown(actual))}`
    if (!isTimestamp(shown)) values.set(shown, actual)
    return null
  }

  /** The first difference of a value from the shown one, which may leave out fields and the end of a list. */
  const differs = (shown: unknown, actual: unknown, path = "The output"): string | null => {
    if (typeof shown === "string" && typeof actual === "string") return differsText(shown, actual, path)
    if (shown === actual) return null
    if (typeof shown !== "object" || shown === null || typeof actual !== "object" || actual === null) {
      return `${path} is ${JSON.stringify(actual)}`
    }
    if (Array.isArray(shown) && (!Array.isArray(actual) || (shown.length === 0 && actual.length > 0))) {
      return `${path} is ${JSON.stringify(actual)}`
    }
    for (const [name, value] of Object.entries(shown)) {
      const found = differs(value, Reflect.get(actual, name), `${path}.${name}`)
      if (found !== null) return found
    }
    return null
  }

  /** Finds the first shown line that is missing from the text after the previous shown line. */
  const differsLines = (shown: string, actual: string): string | null => {
    const lines = actual.split("\n")
    let next = 0
    for (const line of shown.trimEnd().split("\n")) {
      const found = lines.findIndex(
        (candidate, at) => at >= next && differsText(line, candidate.trimEnd(), "") === null
      )
      if (found < 0) return `There is no line ${JSON.stringify(line)} in:\n${toShown(actual)}`
      next = found + 1
    }
    return null
  }

  /** Discards the values of an output that differs: the guide may show a later output. */
  const comparing =
    <A>(compare: (shown: A, actual: A) => string | null) =>
    (shown: A, actual: A): string | null => {
      const before = [...values]
      const difference = compare(shown, actual)
      if (difference !== null) {
        values.clear()
        for (const [name, value] of before) values.set(name, value)
      }
      return difference
    }

  return {
    toActual,
    differs: comparing((shown: unknown, actual: unknown) => differs(shown, actual)),
    differsLines: comparing(differsLines)
  }
}
