import { Uuid } from "@switchboard/domain/Uuid"
import { Schema } from "effect"

/** A file of an e-mail, with its download link. */
export const ResendFile = Schema.Struct({
  id: Uuid,
  filename: Schema.String,
  size: Schema.Int.annotations({ description: "the size in bytes" }),
  content_type: Schema.String,
  content_disposition: Schema.Literal("inline", "attachment"),
  content_id: Schema.optionalWith(Schema.String, { exact: true }),
  download_url: Schema.String.annotations({ description: "a link that needs no key" }),
  expires_at: Schema.String.annotations({ description: "the time at which the link expires" })
})

/** One file. */
export const RetrievedFile = Schema.Struct({
  object: Schema.Literal("attachment"),
  ...ResendFile.fields
}).annotations({ identifier: "RetrievedAttachment" })
