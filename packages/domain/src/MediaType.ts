import { Schema } from "effect"

/** A token (RFC 9110 section 5.6.2), as a source of regular expressions. */
export const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const quotedText = '"(?:[ !#-\\[\\]-~]|\\\\[ -~])*"'

/** Parameters of a header field (RFC 2045 section 5.1), each after a semicolon. */
export const parametersForm = `(?:[ \\t]*;[ \\t]*${token}=(?:${token}|${quotedText}))*`

/** A media type with parameters (RFC 2045 section 5.1; names by RFC 6838 section 4.2). */
const form = new RegExp(
  `^[A-Za-z0-9][A-Za-z0-9_!#$&^.+-]{0,126}/[A-Za-z0-9][A-Za-z0-9_!#$&^.+-]{0,126}${parametersForm}$`
)

const maxLength = 255

/** Splits a field value at the semicolons outside of quoted strings: the value itself, then its parameters as written. */
export const fieldParts = (value: string): readonly [string, ...Array<string>] => {
  const [first = "", ...parameters] = (value.match(new RegExp(`(?:${quotedText}|[^;"])+`, "g")) ?? []).map((part) =>
    part.trim()
  )
  return [first, ...parameters]
}

/** The name of a parameter, in lower case. */
export const parameterName = (parameter: string): string => parameter.slice(0, parameter.indexOf("=")).toLowerCase()

const areDistinct = (names: ReadonlyArray<string>) => new Set(names).size === names.length

/** The canonical form: names in lower case, no spaces around semicolons. */
const plain = (contentType: string): string =>
  contentType
    .trim()
    .replace(/\s*;\s*/g, ";")
    .replace(/"(?:[^"\\]|\\.)*"|[^"]+/g, (part) => (part.startsWith('"') ? part : part.toLowerCase()))

/** Whether two media types are equal, including their parameters. */
export const isSameType = (left: string, right: string): boolean => plain(left) === plain(right)

/** A media type with parameters. */
export const mediaType = (example: string) =>
  Schema.String.pipe(
    Schema.filter((text) => {
      if (text.length > maxLength || !form.test(text)) return `must be a media type like ${example}`
      // RFC 6838 section 4.3
      return areDistinct(fieldParts(text).slice(1).map(parameterName)) || "must not have a parameter twice"
    })
  ).annotations({
    description: "a media type",
    jsonSchema: { type: "string", pattern: form.source, maxLength, examples: [example] }
  })
