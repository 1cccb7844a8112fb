import { DateTime } from "effect"
import { clicksByPersons } from "../../email/tracking/Click.js"
import { deliveriesOf, type Message, MessageTimeline } from "../Message.js"

/** Merges the status history and the recipients' last status into one list, oldest first. */
export const timelineOf = (message: Message): MessageTimeline => {
  const history = (message.statusHistory ?? []).map(({ metadata, reason, status, timestamp }) => ({
    type: `message.${status}`,
    status,
    timestamp,
    ...(reason === undefined ? {} : { reason }),
    ...(metadata ? { metadata } : {})
  }))
  const recipients = deliveriesOf(message)
    .filter(({ status }) => status !== "pending")
    .map(({ at, errorCode, reason, recipient, response, smtpCode, status }) => ({
      type: `recipient.${status}`,
      timestamp: at,
      recipient,
      ...(response === undefined ? {} : { reason: response }),
      ...(smtpCode === undefined && errorCode === undefined && reason === undefined
        ? {}
        : {
            metadata: {
              ...(smtpCode === undefined ? {} : { smtpCode }),
              ...(errorCode === undefined ? {} : { errorCode }),
              ...(reason === undefined ? {} : { reason })
            }
          })
    }))
  const clicks = clicksByPersons(message.emailMetadata?.clicks ?? []).map(({ at, recipient, url }) => ({
    type: "message.clicked",
    timestamp: at,
    recipient,
    metadata: { url }
  }))
  const created = { type: "message.created", timestamp: DateTime.formatIso(message.createdAt) }
  const events = [created, ...history, ...recipients, ...clicks]
  return new MessageTimeline({
    id: message.id,
    status: message.status,
    // The sort is stable: events of the same millisecond stay in causal order.
    events: events.sort((left, right) =>
      left.timestamp < right.timestamp ? -1 : left.timestamp > right.timestamp ? 1 : 0
    )
  })
}
