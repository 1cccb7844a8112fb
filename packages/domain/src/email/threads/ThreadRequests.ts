import { Schema } from "effect"
import { ParticipantId } from "../../participants/Participant.js"
import { SearchText } from "../../Search.js"
import { ThreadStatus } from "./Thread.js"

/** Filters of a list of threads; `search` matches the subject. */
export const ThreadFilters = Schema.Struct({
  status: Schema.optional(ThreadStatus),
  participantId: Schema.optional(ParticipantId),
  search: Schema.optional(SearchText)
})
export type ThreadFilters = typeof ThreadFilters.Type
