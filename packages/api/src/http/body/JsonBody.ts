import { BadRequestError } from "@switchboard/domain/Errors"
import { FileContent } from "@switchboard/domain/messages/Attachment"
import { atOnce, type Slices } from "@switchboard/services/Slices"
import { Either } from "effect"
import { addFieldError, type FieldErrors, isStorable, noFieldErrors, unstorableText } from "./FieldErrors.js"

/** The maximum depth of JSON: recursive code must not overflow the stack. */
export const maxDepth = 64

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

export const quote = 0x22
const backslash = 0x5c
const openingBrace = 0x7b
const closingBrace = 0x7d
const openingBracket = 0x5b
const closingBracket = 0x5d
const comma = 0x2c
const plus = 0x2b
const minus = 0x2d
const point = 0x2e
const zero = 0x30
const upperExponent = 0x45
const exponent = 0x65

const isDigit = (code: number) => code >= 0x30 && code <= 0x39

/** Whether a character can continue a number: a digit, `+`, `-`, `.`, `E` or `e`. */
const continuesNumber = (code: number) =>
  isDigit(code) || code === plus || code === minus || code === point || code === exponent || code === upperExponent

/** The index of the closing quote of a JSON string that starts before `begin`. An escaped quote does not close it. */
export const endOfString = (bytes: Uint8Array, begin: number): number => {
  for (let at = bytes.indexOf(quote, begin); at !== -1; at = bytes.indexOf(quote, at + 1)) {
    let escapes = 0
    while (at - escapes > begin && bytes[at - escapes - 1] === backslash) escapes += 1
    if (escapes % 2 === 0) return at
  }
  return bytes.length
}

/** The same in decoded text. */
const endOfText = (text: string, begin: number): number => {
  for (let at = text.indexOf('"', begin); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (at - escapes > begin && text.charCodeAt(at - escapes - 1) === backslash) escapes += 1
    if (escapes % 2 === 0) return at
  }
  return text.length
}

/** Tokens that a slice of a scan reads. */
const sliceTokens = 50_000

/** The maximum number of values of a body: each of them may have an error. */
export const maxValues = 100_000

/** The limit that JSON text exceeds, checked before the text is parsed; null if none. */
export function* exceededLimit(bytes: Uint8Array): Slices<"depth" | "values" | null> {
  let depth = 0
  let values = 1
  for (let at = 0, left = sliceTokens; at < bytes.length; at++) {
    if (--left === 0) {
      yield
      left = sliceTokens
    }
    const byte = bytes[at]
    if (byte === quote) at = endOfString(bytes, at + 1)
    else if (byte === openingBrace || byte === openingBracket) {
      values += 1
      if (++depth > maxDepth) return "depth"
    } else if (byte === closingBrace || byte === closingBracket) depth -= 1
    else if (byte === comma && ++values > maxValues) return "values"
  }
  return null
}

/** A number of this length is the same as its double (IEEE 754), unless its exponent is too large or too small. */
const maxExactLength = 15

/** The maximum of `toPrecision`. */
const maxPrecision = 100

const numberSyntax = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** The digits of a number from the first to the last that is not zero, or more than `maxPrecision` of them. */
const significantDigits = (text: string): string => {
  let digits = ""
  let zeros = 0
  for (let at = 0; at < text.length && digits.length <= maxPrecision; at++) {
    const code = text.charCodeAt(at)
    if (code === exponent || code === upperExponent) break
    if (code === zero) zeros += digits === "" ? 0 : 1
    else if (isDigit(code)) {
      digits += `${"0".repeat(zeros)}${text.charAt(at)}`
      zeros = 0
    }
  }
  return digits
}

/**
 * Whether JSON changes a number: an integer beyond 2^53 - 1 (RFC 8259 section 6), or a decimal with a double that has
 * other digits when it is written with the same number of them. A double that is written with 17 digits is not changed.
 */
const isLossy = (text: string): boolean => {
  const value = Number(text)
  const size = Math.abs(value)
  if (text.length <= maxExactLength && size > 1e-300 && size < 1e300) return false
  // The usual forms of a double.
  if (!Number.isInteger(value) && (String(value) === text || value.toPrecision(17) === text)) return false
  if (!numberSyntax.test(text)) return false
  if (!/[.e]/i.test(text)) return !Number.isSafeInteger(value)
  const digits = significantDigits(text)
  return (
    digits !== "" && (digits.length > maxPrecision || significantDigits(value.toPrecision(digits.length)) !== digits)
  )
}

/** The maximum number of lossy numbers of a body that are reported. */
const maxLossy = 1_000

/** JSON text in which numbers that would change are infinite. Without such numbers it is the same text. */
function* markLossyNumbers(text: string): Slices<string> {
  let marked = ""
  let copied = 0
  let count = 0
  for (let at = 0, left = sliceTokens; at < text.length && count < maxLossy; at++) {
    if (--left === 0) {
      yield
      left = sliceTokens
    }
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfText(text, at + 1)
    else if (isDigit(code) || code === minus) {
      const begin = at
      let hasExponent = false
      for (let next = text.charCodeAt(at + 1); continuesNumber(next); next = text.charCodeAt(at + 1)) {
        hasExponent ||= next === exponent || next === upperExponent
        at += 1
      }
      if ((hasExponent || at + 1 - begin > maxExactLength) && isLossy(text.slice(begin, at + 1))) {
        marked += `${text.slice(copied, begin)}1e999`
        copied = at + 1
        count += 1
      }
    }
  }
  return marked + text.slice(copied)
}

const malformed = (message: string) => Either.left(new BadRequestError({ message }))
const notAnObject = () => new BadRequestError({ message: "The body must be a JSON object" })

const convertiblePrototype = Object.create(Object.prototype, {
  [Symbol.toPrimitive]: { value: () => "[object Object]" }
})

/**
 * Makes objects with a field `toString` convertible to text: schemas convert the field that selects the member of a union,
 * and `String` would throw.
 */
export const convertible = <A>(value: A): A => {
  const rest: Array<unknown> = [value]
  while (rest.length > 0) {
    const next = rest.pop()
    if (typeof next !== "object" || next === null) continue
    if (Object.hasOwn(next, "toString")) Object.setPrototypeOf(next, convertiblePrototype)
    for (const member of Object.values(next)) rest.push(member)
  }
  return value
}

/** Whether a text can have the name `toString`, also with escapes. */
const mayName = (text: string) => text.includes("toString") || text.includes("\\u")

/** Parses a body as a JSON object or array, in slices. */
export function* parsingJson(bytes: Uint8Array): Slices<Either.Either<object, BadRequestError>> {
  const exceeded = yield* exceededLimit(bytes)
  if (exceeded !== null) {
    return malformed(
      exceeded === "depth"
        ? `The body nests deeper than ${maxDepth} levels`
        : `The body has more than ${maxValues} values`
    )
  }
  try {
    const text = yield* markLossyNumbers(utf8.decode(bytes))
    const value: unknown = JSON.parse(text)
    if (typeof value !== "object" || value === null) return Either.left(notAnObject())
    return Either.right(mayName(text) ? convertible(value) : value)
  } catch (error) {
    return malformed(error instanceof SyntaxError ? "The body is not valid JSON" : "The body is not valid UTF-8")
  }
}

/**
 * Parses a body as a JSON object or array (RFC 8259), with numbers that would change as Infinity. Fails with 400 and the
 * reason.
 */
export const parseJson = (bytes: Uint8Array): Either.Either<object, BadRequestError> => atOnce(parsingJson(bytes))

/** Fails with 400 if a parsed body is an array. */
export const asObject = (body: object): Either.Either<object, BadRequestError> =>
  Array.isArray(body) ? Either.left(notAnObject()) : Either.right(body)

/** Parses a body as a JSON object. */
export const parseJsonObject = (bytes: Uint8Array): Either.Either<object, BadRequestError> =>
  Either.flatMap(parseJson(bytes), asObject)

/** The error of a number that would change. */
const lossyNumber =
  "must be a number that JSON does not change (IEEE 754 double, integers up to ±9007199254740991): send others as text"

/** Whether a body can be stored. The errors of one that cannot are those of `unstorableFields`. */
export const isStorableJson = (body: unknown): boolean => {
  if (typeof body === "string") return isStorable(body)
  if (typeof body === "number") return Number.isFinite(body)
  if (typeof body !== "object" || body === null || body instanceof FileContent) return true
  if (Array.isArray(body)) return body.every(isStorableJson)
  return Object.entries(body).every(
    ([name, member]) => name !== "__proto__" && isStorable(name) && isStorableJson(member)
  )
}

/**
 * Errors of the parts of a body that cannot be stored with any schema: text with NUL or lone surrogates, numbers that
 * would change, and the name `__proto__`, which an assignment to an object would lose.
 */
export const unstorableFields = (body: unknown): FieldErrors => {
  const fields = noFieldErrors()
  const visit = (value: unknown, path: ReadonlyArray<string>): void => {
    if (typeof value === "string" && !isStorable(value)) {
      addFieldError(fields, path, unstorableText)
    }
    if (typeof value === "number" && !Number.isFinite(value)) addFieldError(fields, path, lossyNumber)
    if (typeof value !== "object" || value === null || value instanceof FileContent) return
    for (const [key, member] of Object.entries(value)) {
      const at = [...path, key]
      if (!isStorable(key)) addFieldError(fields, at, "must not have NUL or lone surrogates in its name")
      if (key === "__proto__") addFieldError(fields, at, "is not a known field")
      visit(member, at)
    }
  }
  visit(body, [])
  return fields
}
