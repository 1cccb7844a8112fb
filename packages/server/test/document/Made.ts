import { Schema } from "effect"

/* As much of what is made as the walk needs of it. */

/** Whatever has an id. */
export const Made = Schema.Struct({ id: Schema.String })

/** A message, with who it is to. */
export const MadeMessage = Schema.Struct({
  id: Schema.String,
  toParticipantIds: Schema.NonEmptyArray(Schema.String),
  emailMetadata: Schema.Struct({ messageId: Schema.String })
})

/** How far something is. */
export const Status = Schema.Struct({ status: Schema.String })

/** The mailbox. */
export const Mails = Schema.Struct({
  items: Schema.Array(Schema.Struct({ id: Schema.String, messageId: Schema.String }))
})

/** A mail of the mailbox. */
export const MadeMail = Schema.Struct({
  headers: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String })),
  html: Schema.String
})

/** What was sent, and how far it is. */
export const Sent = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({
      status: Schema.String,
      emailMetadata: Schema.Struct({ messageId: Schema.String, to: Schema.Array(Schema.String) })
    })
  )
})

/** What was told a webhook endpoint. */
export const Deliveries = Schema.Struct({
  items: Schema.Array(Schema.Struct({ id: Schema.String, status: Schema.String }))
})

/** A domain, with the records that it asks for. */
export const MadeDomain = Schema.Struct({
  domain: Schema.String,
  dnsRecords: Schema.Array(
    Schema.Struct({
      type: Schema.Literal("TXT", "MX"),
      name: Schema.String,
      value: Schema.String,
      priority: Schema.optionalWith(Schema.Number, { default: () => 0 })
    })
  )
})

/** Those records stand. */
export const Verified = Schema.Struct({ success: Schema.Literal(true) })

/** Where a document may be uploaded. */
export const MadeUpload = Schema.Struct({ uploadUrl: Schema.String, storageKey: Schema.String })
