import { Schema } from "effect"
import { ParticipantId } from "../participants/Participant.js"
import { Timestamp } from "../Timestamp.js"
import { Count } from "./MessageCounts.js"

/** A participant and the number of messages exchanged with it. */
export const TopParticipant = Schema.Struct({
  participantId: ParticipantId,
  name: Schema.String,
  messageCount: Count.annotations({ description: "messages to and from this participant" }),
  lastMessageAt: Timestamp.annotations({ description: "the time at which the latest message was accepted or received" })
}).annotations({ identifier: "TopParticipant" })
export type TopParticipant = typeof TopParticipant.Type
