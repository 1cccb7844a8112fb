import { BadRequestError } from "@switchboard/domain/Errors"
import { Either } from "effect"
import { addFieldError, type FieldErrors, noFieldErrors } from "./FieldErrors.js"
import { isStorable, unstorableText } from "./Storable.js"

/** The maximum depth of JSON: recursive code must not overflow the stack. */
export const maxDepth = 64

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const quote = 0x22
const backslash = 0x5c
const openingBrace = 0x7b
const closingBrace = 0x7d
const openingBracket = 0x5b
const closingBracket = 0x5d

/** The index of the closing quote of a JSON string that starts before `begin`. An escaped quote does not close it. */
const endOfString = (bytes: Uint8Array, begin: number): number => {
  for (let at = bytes.indexOf(quote, begin); at !== -1; at = bytes.indexOf(quote, at + 1)) {
    let escapes = 0
    while (at - escapes > begin && bytes[at - escapes - 1] === backslash) escapes += 1
    if (escapes % 2 === 0) return at
  }
  return bytes.length
}

/** The nesting of brackets in JSON text, in levels. It is counted before the text is parsed. */
export const depthOf = (bytes: Uint8Array): number => {
  let depth = 0
  let deepest = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) at = endOfString(bytes, at + 1)
    else if (byte === openingBrace || byte === openingBracket) deepest = Math.max(deepest, ++depth)
    else if (byte === closingBrace || byte === closingBracket) depth -= 1
  }
  return deepest
}

const malformed = (message: string) => Either.left(new BadRequestError({ message }))

/** Parses a body as a JSON object (RFC 8259). Fails with 400 and the reason. */
export const parseJsonObject = (bytes: Uint8Array): Either.Either<object, BadRequestError> => {
  if (depthOf(bytes) > maxDepth) return malformed(`The body nests deeper than ${maxDepth} levels`)
  try {
    const text = utf8.decode(bytes)
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? Either.right(value)
      : malformed("The body must be a JSON object")
  } catch (error) {
    return malformed(error instanceof SyntaxError ? "The body is not valid JSON" : "The body is not valid UTF-8")
  }
}

/** Whether a body can be stored. It is faster than `unstorableFields`, which is only needed for the errors. */
export const isStorableJson = (body: unknown): boolean => {
  if (typeof body === "string") return isStorable(body)
  if (typeof body !== "object" || body === null) return true
  if (Array.isArray(body)) return body.every(isStorableJson)
  return Object.entries(body).every(
    ([name, member]) => name !== "__proto__" && isStorable(name) && isStorableJson(member)
  )
}

/**
 * Errors of the parts of a body that cannot be stored with any schema: text with NUL or lone surrogates, and the
 * name `__proto__`, which an assignment to an object would lose.
 */
export const unstorableFields = (body: unknown): FieldErrors => {
  const fields = noFieldErrors()
  const visit = (value: unknown, path: ReadonlyArray<string>): void => {
    if (typeof value === "string" && !isStorable(value)) {
      addFieldError(fields, path, unstorableText)
    }
    if (typeof value !== "object" || value === null) return
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
