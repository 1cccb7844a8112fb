import { Schema } from "effect"
import { ParticipantId } from "../participants/Participant.js"
import { Timestamp } from "../Timestamp.js"
import { Count } from "./MessageCounts.js"

/** Somebody with whom messages were exchanged. */
export const TopParticipant = Schema.Struct({
  participantId: ParticipantId,
  name: Schema.String,
  messageCount: Count.annotations({ description: "messages to and from this participant" }),
  lastMessageAt: Timestamp.annotations({ description: "when the latest of them was accepted or received" })
}).annotations({ identifier: "TopParticipant" })
export type TopParticipant = typeof TopParticipant.Type
