import { Either } from "effect"

/** Tags of one part: what is kept of it in memory stays small. */
const mostTags = 5_000

/** How deep sections may stand in each other: what recurses must not be made to overflow. */
const deepest = 32

/** Characters of a tag between its braces. The library's parser takes quadratic time over white space in one. */
const longestTag = 200

const kinds: Readonly<Record<string, string>> = { ">": "has a partial", "=": "changes the delimiters" }

/** Line and column, counted from 1, as editors show them. */
const placeOf = (source: string, at: number): string => {
  const before = source.slice(0, at)
  const line = before.split("\n").length
  return `at line ${line}, column ${at - before.lastIndexOf("\n")}`
}

/**
 * A part of a template in the form in which the library's parser takes linear time over it, or what is wrong with it, and
 * where. Comments are filled with other text of the same length.
 */
export const checkTags = (source: string): Either.Either<string, string> => {
  const wrong = (sentence: string, at: number) => Either.left(`${sentence} ${placeOf(source, at)}`)
  const open: Array<{ readonly name: string; readonly at: number }> = []
  const checked: Array<string> = []
  let tags = 0
  let end = 0
  for (let at = source.indexOf("{{"); at !== -1; at = source.indexOf("{{", end)) {
    const [start = "", kind = ""] = /\{\{\s*([#^/>{&=!]?)/y.exec(source.slice(at, at + longestTag)) ?? []
    const close = kind === "{" ? "}}}" : "}}"
    const inner = at + start.length
    const closed = source.indexOf(close, inner)
    if (closed === -1) return wrong("has a tag that is not closed", at)
    checked.push(source.slice(end, at))
    end = closed + close.length
    tags += 1
    if (tags > mostTags) return wrong(`has more than ${mostTags} tags`, at)
    if (kind === "!") {
      checked.push(`${start}${"!".repeat(closed - inner)}${close}`)
      continue
    }
    checked.push(source.slice(at, end))
    const refused = kinds[kind]
    if (refused !== undefined) return wrong(refused, at)
    if (end - at > longestTag) return wrong(`has a tag longer than ${longestTag} characters`, at)
    const name = source.slice(inner, closed).trim()
    if (name === "") return wrong("has a tag without a name", at)
    if (kind === "#" || kind === "^") {
      if (open.push({ name, at }) > deepest) return wrong(`has more than ${deepest} sections in each other`, at)
    } else if (kind === "/") {
      const section = open.pop()
      if (section === undefined) return wrong(`closes a section "${name}" that is not open`, at)
      if (section.name !== name) return wrong(`closes "${name}" in the section "${section.name}"`, at)
    }
  }
  const [unclosed] = open.slice(-1)
  if (unclosed !== undefined) return wrong(`has a section "${unclosed.name}" that is not closed`, unclosed.at)
  return Either.right(checked.join("") + source.slice(end))
}
