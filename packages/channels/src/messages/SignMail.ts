import { Readable } from "node:stream"
import type { DkimIdentity } from "@switchboard/services/messages/MailTransport"
import { dkimSignature } from "./DkimSignature.js"
import { relaxedBodyHash } from "./RelaxedForm.js"

const headerEnd = "\r\n\r\n"

const bytes = (piece: unknown): Buffer => (Buffer.isBuffer(piece) ? piece : Buffer.from(String(piece)))

async function* signedPieces(mime: Readable, identity: DkimIdentity) {
  const body = relaxedBodyHash()
  const pieces: Array<Buffer> = []
  let begun = Buffer.alloc(0)
  let header: string | null = null
  // A signature stands before what it signs: the mail is held until its end is known.
  for await (const read of mime) {
    const piece = bytes(read)
    pieces.push(piece)
    if (header === null) {
      begun = Buffer.concat([begun, piece])
      const end = begun.indexOf(headerEnd)
      if (end >= 0) {
        header = begun.toString("latin1", 0, end)
        body.update(begun.subarray(end + headerEnd.length))
      }
    } else body.update(piece)
  }
  yield Buffer.from(await dkimSignature(identity, header ?? begun.toString("latin1"), body.digest()), "latin1")
  yield* pieces
}

/** Puts a signature before a mail. One that can't be signed is not sent. */
export const signMail = (mime: Readable, identity: DkimIdentity): Readable =>
  Readable.from(signedPieces(mime, identity), { objectMode: false })
