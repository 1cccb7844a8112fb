/** What callers are told of ranges, and of what is counted in them. */
export const rangeDescription = [
  "From `startDate` on (default: 30 days before the end) and before `endDate` (default: now), at most 366 days.",
  "Each status counts at the moment when a message got it, whenever it was accepted: one that was read counts as sent,",
  "as delivered and as read. Tests count like other messages; what was counted stays when a message's record is deleted."
].join(" ")
