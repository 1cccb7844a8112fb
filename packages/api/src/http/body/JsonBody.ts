import { BadRequestError } from "@switchboard/domain/Errors"
import { Either } from "effect"
import { addField, type Fields, noFields } from "./Fields.js"
import { isStorable, unstorableText } from "./Storable.js"

/** How deep JSON may nest, so that code that recurses over it does not overflow the stack. */
export const maxDepth = 64

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const quote = 0x22
const backslash = 0x5c
const openingBrace = 0x7b
const closingBrace = 0x7d
const openingBracket = 0x5b
const closingBracket = 0x5d

/** Where the text ends that begins before this place: a quote ends it unless it is escaped. */
const endOfText = (bytes: Uint8Array, begin: number): number => {
  for (let at = bytes.indexOf(quote, begin); at !== -1; at = bytes.indexOf(quote, at + 1)) {
    let escapes = 0
    while (at - escapes > begin && bytes[at - escapes - 1] === backslash) escapes += 1
    if (escapes % 2 === 0) return at
  }
  return bytes.length
}

/** How deep brackets nest, counted before anything is parsed. */
export const depthOf = (bytes: Uint8Array): number => {
  let depth = 0
  let most = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) at = endOfText(bytes, at + 1)
    else if (byte === openingBrace || byte === openingBracket) most = Math.max(most, ++depth)
    else if (byte === closingBrace || byte === closingBracket) depth -= 1
  }
  return most
}

const malformed = (message: string) => Either.left(new BadRequestError({ message }))

/** Reads a body as a JSON object (RFC 8259), or says why it is none. */
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

/** Whether all of a body can be kept: asked first, for hardly any body names what can't. */
export const isKeepable = (body: unknown): boolean => {
  if (typeof body === "string") return isStorable(body)
  if (typeof body !== "object" || body === null) return true
  if (Array.isArray(body)) return body.every(isKeepable)
  return Object.entries(body).every(([name, member]) => name !== "__proto__" && isStorable(name) && isKeepable(member))
}

/**
 * What of a body can't be kept, whatever its schema says, by its path: texts that can't be stored, and the one name that
 * no object takes for a member's, so that a map of the caller's own would lose it.
 */
export const unkeepable = (body: unknown): Fields => {
  const fields = noFields()
  const visit = (value: unknown, path: ReadonlyArray<string>): void => {
    if (typeof value === "string" && !isStorable(value)) {
      addField(fields, path, unstorableText)
    }
    if (typeof value !== "object" || value === null) return
    for (const [key, member] of Object.entries(value)) {
      const at = [...path, key]
      if (!isStorable(key)) addField(fields, at, "must not have NUL or lone surrogates in its name")
      if (key === "__proto__") addField(fields, at, "is not a known field")
      visit(member, at)
    }
  }
  visit(body, [])
  return fields
}
