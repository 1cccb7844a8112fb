import { Schema } from "effect"
import { Timestamp } from "../../Timestamp.js"
import { EmailSenderId, SenderVerification } from "./EmailSender.js"

/** How far the verification of a sender is. */
export class SenderStanding extends Schema.Class<SenderStanding>("SenderStanding")({
  id: EmailSenderId,
  verificationStatus: SenderVerification,
  verifiedAt: Schema.optional(Timestamp)
}) {}
