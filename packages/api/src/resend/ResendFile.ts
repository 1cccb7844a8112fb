import type { EmailAttachment } from "@switchboard/domain/email/records/EmailRecord"
import { Uuid } from "@switchboard/domain/Uuid"
import { linkLifetime } from "@switchboard/services/objects/ObjectLinks"
import { DateTime, Schema } from "effect"

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

/** A file whose link was made at `now` or later. */
export const toResendFile =
  (now: DateTime.Utc) =>
  ({ contentId, contentType, filename, id, size, url }: EmailAttachment): typeof ResendFile.Type => ({
    id,
    filename,
    size,
    content_type: contentType,
    content_disposition: contentId === undefined ? "attachment" : "inline",
    ...(contentId === undefined ? {} : { content_id: contentId }),
    download_url: url,
    expires_at: DateTime.formatIso(DateTime.addDuration(now, linkLifetime))
  })
