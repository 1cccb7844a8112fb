import { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import { type Context, Option, Schema } from "effect"
import type { Signatures } from "../Signatures.js"

/** The content of a download link. */
export interface ObjectToken {
  readonly key: ObjectKey
  readonly filename: string
  readonly expiresAtMs: number
}

const purpose = "object"

const decode = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Struct({ key: ObjectKey, filename: Schema.String, expiresAtMs: Schema.Int }))
)

/** A signed token, safe in a URL. */
export const objectToken = (signatures: Context.Tag.Service<Signatures>, token: ObjectToken): string => {
  const subject = Buffer.from(JSON.stringify(token)).toString("base64url")
  return `${subject}.${signatures.sign(purpose, subject)}`
}

/** None if the signature is invalid. */
export const parseObjectToken = (
  signatures: Context.Tag.Service<Signatures>,
  text: string
): Option.Option<ObjectToken> => {
  const [subject = "", signature = "", ...rest] = text.split(".")
  return rest.length === 0 && signatures.verify(purpose, subject, signature)
    ? decode(Buffer.from(subject, "base64url").toString())
    : Option.none()
}
