import { Schema } from "effect"
import { Timestamp } from "../../Timestamp.js"
import { EmailSenderId, SenderVerification } from "./EmailSender.js"

/** The verification state of a sender. */
export class SenderStanding extends Schema.Class<SenderStanding>("SenderStanding")({
  id: EmailSenderId,
  verificationStatus: SenderVerification,
  verifiedAt: Schema.optional(Timestamp)
}) {}
