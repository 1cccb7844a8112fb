/** Describes date ranges and the counting of messages in them. */
export const rangeDescription = [
  "- A status counts at the time when a message reached it, whenever the message was accepted.",
  "- A message that was read counts as sent, as delivered and as read.",
  "- Test messages are counted. Deleted messages stay counted."
].join("\n")
