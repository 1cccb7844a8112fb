import { createHash, hash } from "node:crypto"
import type { FileContent } from "@switchboard/domain/messages/Attachment"
import { Effect } from "effect"
import { inSlices } from "../NextTurn.js"
import { type Slices, sliceBytes } from "../Slices.js"

/** SHA-256 in hexadecimal. */
export const sha256 = (text: string): string => hash("sha256", text, "hex")

/** Canonical JSON never has a NUL: it marks the place of a file. */
const fileMark = "\0"

function* hashSlices(text: string, files: ReadonlyArray<Uint8Array>): Slices<string> {
  const digest = createHash("sha256")
  for (const [index, part] of text.split(fileMark).entries()) {
    digest.update(part)
    const { buffer, byteLength, byteOffset } = files[index] ?? new Uint8Array()
    // A multiple of three octets has no padding.
    for (let at = 0; at < byteLength; at += sliceBytes) {
      digest.update(Buffer.from(buffer, byteOffset + at, Math.min(sliceBytes, byteLength - at)).toString("base64"))
      yield
    }
  }
  return digest.digest("hex")
}

/** The SHA-256 of a canonical text, which may contain files. `identity` makes it with a text for each file. */
export const hashIdentity = (identity: (fileText: (file: FileContent) => string) => string): Effect.Effect<string> =>
  Effect.suspend(() => {
    const files: Array<Uint8Array> = []
    const text = identity(({ octets }) => {
      files.push(octets)
      return `"${fileMark}"`
    })
    return files.length === 0 ? Effect.succeed(sha256(text)) : inSlices(hashSlices(text, files))
  })
