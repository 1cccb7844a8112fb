import { MimeWriter } from "@switchboard/services/messages/delivery/MailTransport"
import { Layer } from "effect"
import { unsignedMessage } from "./MimeMessage.js"

/** Serializes mail with the functions that delivery uses. */
export const MimeWriterLive = Layer.succeed(MimeWriter, { write: unsignedMessage })
