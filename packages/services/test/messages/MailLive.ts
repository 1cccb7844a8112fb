import { Conversations } from "@switchboard/services/conversations/Conversations"
import { ReceivedMessages } from "@switchboard/services/email/receiving/ReceivedMessages"
import { Threads } from "@switchboard/services/email/threads/Threads"
import { Participants } from "@switchboard/services/participants/Participants"
import { StoreLive } from "@switchboard/store/testing/StoreLive"
import { Layer } from "effect"
import { objectsInMemory } from "../objects/ObjectsInMemory.js"
import { MessagesLive } from "./MessagesLive.js"

/** Sent and received messages, their threads, conversations and participants, on the test database. */
export const MailLive = Layer.mergeAll(
  MessagesLive,
  ReceivedMessages.Default,
  Threads.Default,
  Conversations.Default,
  Participants.Default
).pipe(Layer.provide(objectsInMemory()), Layer.provideMerge(StoreLive))
