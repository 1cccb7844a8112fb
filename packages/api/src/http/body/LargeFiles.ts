import { randomUUID } from "node:crypto"
import type { BadRequestError } from "@switchboard/domain/Errors"
import { FileContent } from "@switchboard/domain/messages/Attachment"
import { type Slices, sliceBytes } from "@switchboard/services/Slices"
import { Either, Predicate } from "effect"
import { endOfString, parsingJsonObject, quote } from "./JsonBody.js"

/** The minimum length of a text that is taken out of a body, in octets. */
const minTextBytes = 64 * 1024

/** What stands for the text of a file in the rest of a body, before its number. No client knows it. */
const mark = `${randomUUID()}:`

const paddingOf = (base64: string) => (base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0)

/** Decodes the base64 (RFC 4648 section 4) of a JSON string, of which some writers escape `/`. Null: it is something else. */
function* decodeBase64(text: Buffer): Slices<Uint8Array | null> {
  const octets = Buffer.allocUnsafeSlow(Math.ceil(text.byteLength / 4) * 3)
  let length = 0
  let carried = ""
  for (let at = 0; at < text.byteLength; at += sliceBytes) {
    const slice = carried + text.toString("latin1", at, at + sliceBytes).replaceAll("\\/", "/")
    const complete = slice.slice(0, slice.length - ((slice.length - (slice.endsWith("\\") ? 1 : 0)) % 4))
    carried = slice.slice(complete.length)
    const expected = (complete.length / 4) * 3 - paddingOf(complete)
    // The decoder skips other characters, but takes those of base64url.
    const isBase64url = complete.includes("-") || complete.includes("_")
    if (isBase64url || octets.write(complete, length, "base64") !== expected) return null
    length += expected
    yield
  }
  return carried === "" ? octets.subarray(0, length) : null
}

/** A body without its large files: the text of each is a mark with its number. */
interface Body {
  readonly rest: Uint8Array
  readonly files: ReadonlyArray<FileContent>
}

/** Takes long base64 texts out of JSON. */
function* takeLargeFiles(bytes: Uint8Array): Slices<Body> {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const rest: Array<Uint8Array> = []
  const files: Array<FileContent> = []
  let copied = 0
  let strings = 0
  for (let begin = body.indexOf(quote); begin !== -1; ) {
    const end = endOfString(body, begin + 1)
    if (end - begin > minTextBytes) {
      const octets = yield* decodeBase64(body.subarray(begin + 1, end))
      if (octets !== null) {
        rest.push(body.subarray(copied, begin + 1), Buffer.from(`${mark}${files.length}`))
        files.push(new FileContent(octets))
        copied = end
      }
    }
    if (++strings % 10_000 === 0) yield
    begin = body.indexOf(quote, end + 1)
  }
  return { rest: Buffer.concat([...rest, body.subarray(copied)]), files }
}

/** The objects of a body that may have attachments: of an e-mail, of a send with one, or of a batch of sends. */
const holders = (body: object): ReadonlyArray<unknown> => {
  const { messages } = { messages: undefined, ...body }
  return [body, ...(Array.isArray(messages) ? messages : [])].flatMap((one: unknown) =>
    Predicate.hasProperty(one, "email") ? [one, one.email] : [one]
  )
}

const attachmentsOf = (holder: unknown): ReadonlyArray<unknown> =>
  Predicate.hasProperty(holder, "attachments") && Array.isArray(holder.attachments) ? holder.attachments : []

/**
 * Puts files back as `FileContent`, where a body has the content of a file. Returns whether all of them are there; the
 * others are texts of the client.
 */
const putFilesBack = (body: object, files: ReadonlyArray<FileContent>): boolean => {
  const found = [body, ...holders(body).flatMap(attachmentsOf)].filter((file) => {
    if (!Predicate.hasProperty(file, "content") || !Predicate.isString(file.content)) return false
    const content = file.content.startsWith(mark) ? files[Number(file.content.slice(mark.length))] : undefined
    if (content === undefined) return false
    return Reflect.set(file, "content", content)
  })
  return found.length === files.length
}

/**
 * Parses a body as `parseJsonObject` does, with the contents of large files as `FileContent`. They are decoded in slices
 * and never become text.
 */
export function* parsingWithFiles(bytes: Uint8Array): Slices<Either.Either<object, BadRequestError>> {
  const { files, rest } = yield* takeLargeFiles(bytes)
  const body = yield* parsingJsonObject(rest)
  return Either.isLeft(body) || putFilesBack(body.right, files) ? body : yield* parsingJsonObject(bytes)
}
