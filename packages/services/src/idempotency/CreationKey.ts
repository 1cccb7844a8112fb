import { createHash, hash } from "node:crypto"
import type { FileContent } from "@switchboard/domain/messages/Attachment"
import { canonical } from "@switchboard/domain/messages/RequestIdentity"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect, FiberRef, GlobalValue } from "effect"
import { inSlices } from "../NextTurn.js"
import { type Slices, sliceBytes } from "../Slices.js"

/** SHA-256 in hexadecimal. */
const sha256 = (text: string): string => hash("sha256", text, "hex")

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

/** The idempotency key of a request that creates a resource. Sends have their own records (`SendIdentity`). */
export interface CreationKey {
  readonly organizationId: OrganizationId
  /** SHA-256 (hex) of the operation and the caller's key: each operation has its own keys. */
  readonly hash: string
  /** SHA-256 (hex) of the request. */
  readonly fingerprint: string
}

/** A request with an idempotency key. */
interface KeyedRequest {
  readonly organizationId: OrganizationId
  /** The name of the operation, without a line break. */
  readonly operation: string
  readonly key: string
  /** The decoded request. The order of fields and absent optional fields make no difference. */
  readonly request: unknown
}

/** The stored form of an idempotency key. It contains no personal data. */
export const makeCreationKey = ({
  key,
  operation,
  organizationId,
  request
}: KeyedRequest): Effect.Effect<CreationKey> =>
  Effect.map(
    hashIdentity((fileText) => canonical(request, fileText)),
    (fingerprint) => ({ organizationId, hash: sha256(`${operation}\n${key}`), fingerprint })
  )

/**
 * The key of the current request. The transaction that stores the new resource also stores the key. Null: the request
 * has none.
 */
export const currentCreationKey: FiberRef.FiberRef<CreationKey | null> = GlobalValue.globalValue(
  "services/CreationKey",
  () => FiberRef.unsafeMake<CreationKey | null>(null)
)
