import { ValidationError } from "@switchboard/domain/Errors"
import { isSameType } from "@switchboard/domain/MediaType"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type Context, Effect, Option, Ref, Stream } from "effect"
import type { Signatures } from "../SecretBox.js"
import type { ObjectHead } from "./ObjectStore.js"

/** The path prefix of uploads; the token follows it. */
export const uploadsPath = "/v1/uploads/"

/** The document of an upload link. Its expiry is stored with the document. */
interface UploadToken {
  readonly organizationId: OrganizationId
  readonly documentId: string
}

const purpose = "document-upload"

/** A signed token, safe in a URL. */
export const uploadToken = (
  signatures: Context.Tag.Service<Signatures>,
  { documentId, organizationId }: UploadToken
): string => {
  const subject = `${organizationId}.${documentId}`
  return `${subject}.${signatures.sign(purpose, subject)}`
}

/** The texts of a token. None if the signature is invalid. */
export const openUploadToken = (signatures: Context.Tag.Service<Signatures>, text: string) => {
  const [organizationId = "", documentId = "", signature = "", ...rest] = text.split(".")
  return rest.length === 0 && signatures.verify(purpose, `${organizationId}.${documentId}`, signature)
    ? Option.some({ organizationId, documentId })
    : Option.none()
}

/** An upload. */
export interface UploadBody<E> {
  readonly contentType: string
  /** Null if the request has no Content-Length. */
  readonly contentLength: number | null
  readonly bytes: Stream.Stream<Uint8Array, E>
}

const invalid = (field: string, sentence: string) =>
  new ValidationError({ message: "The upload does not match its link", fields: { [field]: [sentence] } })

const otherLength = (length: number) => invalid("contentLength", `must be ${length} octets, as in the upload request`)

/** Fails as soon as the stream is longer than `length`, or at its end if it is shorter. */
const exactly = <E>(length: number, bytes: Stream.Stream<Uint8Array, E>) =>
  Stream.unwrap(
    Effect.map(Ref.make(0), (read) =>
      Stream.concat(
        Stream.tap(bytes, (piece) =>
          Effect.flatMap(
            Ref.updateAndGet(read, (sum) => sum + piece.byteLength),
            (sum) => (sum > length ? otherLength(length) : Effect.void)
          )
        ),
        Stream.execute(Effect.flatMap(Ref.get(read), (sum) => (sum < length ? otherLength(length) : Effect.void)))
      )
    )
  )

/** The octets of an upload, which fail unless their type and length are those of the link. */
export const checkedUpload = <E>(body: UploadBody<E>, { contentLength, contentType }: ObjectHead) =>
  Effect.gen(function* () {
    if (!isSameType(body.contentType, contentType)) {
      return yield* invalid("contentType", `must be ${contentType}, as in the upload request`)
    }
    if (body.contentLength !== null && body.contentLength !== contentLength) return yield* otherLength(contentLength)
    return exactly(contentLength, body.bytes)
  })
