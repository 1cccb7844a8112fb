import { Schema } from "effect"

/* The fields of created resources that the tests read. */

/** Any resource with an id. */
export const Created = Schema.Struct({ id: Schema.String })

/** A message with its recipients. */
export const CreatedMessage = Schema.Struct({
  id: Schema.String,
  toParticipantIds: Schema.NonEmptyArray(Schema.String)
})

/** A resource with a status. */
export const Status = Schema.Struct({ status: Schema.String })

/** The texts of the local handset. */
export const HandsetList = Schema.Struct({
  items: Schema.Array(Schema.Struct({ id: Schema.String, text: Schema.String }))
})

/** The mails of the mailbox. */
export const MailboxList = Schema.Struct({
  items: Schema.Array(Schema.Struct({ id: Schema.String }))
})

/** A mail of the mailbox. */
export const MailboxMail = Schema.Struct({
  headers: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String })),
  html: Schema.String
})

/** The list of messages. */
export const MessageList = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      status: Schema.String
    })
  )
})

/** The deliveries of a webhook endpoint. */
export const DeliveryList = Schema.Struct({
  items: Schema.Array(Schema.Struct({ id: Schema.String, status: Schema.String }))
})

/** The numbers of an organization. */
export const NumberList = Schema.Struct({ items: Schema.Array(Schema.Struct({ number: Schema.String })) })

/** A domain with its required records. */
export const CreatedDomain = Schema.Struct({
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

/** The response to a successful verification. */
export const Verified = Schema.Struct({ success: Schema.Literal(true) })

/** The upload URL of a document. */
export const CreatedUpload = Schema.Struct({ uploadUrl: Schema.String, storageKey: Schema.String })

export const CreatedInvitation = Schema.Struct({ id: Schema.String, url: Schema.String })

export const UserList = Schema.Struct({ items: Schema.Array(Created) })
