import { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import { type Context, Option, Schema } from "effect"
import type { Signatures } from "../Signatures.js"

/** What a link to an object says. */
export interface ObjectToken {
  readonly key: ObjectKey
  readonly filename: string
  readonly expiresAtMs: number
}

const purpose = "object"

const decode = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Struct({ key: ObjectKey, filename: Schema.String, expiresAtMs: Schema.Int }))
)

/** Text that stands in a URL as it is, and that nobody else can make. */
export const objectToken = (signatures: Context.Tag.Service<Signatures>, token: ObjectToken): string => {
  const subject = Buffer.from(JSON.stringify(token)).toString("base64url")
  return `${subject}.${signatures.sign(purpose, subject)}`
}

/** None if the token is not ours. */
export const parseObjectToken = (
  signatures: Context.Tag.Service<Signatures>,
  text: string
): Option.Option<ObjectToken> => {
  const [subject = "", signature = "", ...rest] = text.split(".")
  return rest.length === 0 && signatures.verify(purpose, subject, signature)
    ? decode(Buffer.from(subject, "base64url").toString())
    : Option.none()
}
