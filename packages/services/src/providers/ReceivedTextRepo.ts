import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { MessageAddressing } from "@switchboard/domain/messages/Message"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import { type Array, Context, type DateTime, type Effect, type Either, type Option } from "effect"
import type { ReceivedAttachment } from "../email/receiving/ReceivedMessageRepo.js"
import type { MessageFacts } from "../messages/MessageRepo.js"
import type { StoredServiceWindow } from "../whatsapp/ServiceWindowRepo.js"
import type { ReceivedText } from "./ProviderEvent.js"
import type { StoredEvent } from "./ProviderEventQueue.js"

/** A stored event with a text, or with a part of one. */
export interface StoredText extends StoredEvent {
  readonly event: ReceivedText
}

/** The fields that the repository fills in: it finds the parent message and the participants. */
type Found =
  | "conversationId"
  | "threadId"
  | "parentMessageId"
  | "fromParticipantId"
  | "toParticipantIds"
  | "currency"
  | "isTest"

/** A received text before it is stored. */
export interface NewReceivedText {
  readonly facts: Omit<MessageFacts, Found>
  readonly state: MessageState
  readonly addressing: MessageAddressing
  /** The sender (E.164). */
  readonly phone: string
  /** The organization's number that received it. */
  readonly number: string
  /** The name of the sender; null if it is unknown. */
  readonly name: string | null
  /** The provider's id of the message that it answers. Null if unknown: the newest message to the sender is its parent. */
  readonly answers: string | null
  /** The service window that it opens or renews. */
  readonly window: Pick<StoredServiceWindow, "entryPoint" | "expiresAt"> | null
  readonly files: ReadonlyArray<ReceivedAttachment>
  /** The events of the text. They are deleted when the message is stored. */
  readonly eventIds: ReadonlyArray<string>
}

/** Makes the message of an event and of the other parts of its text. Left is the time to try again. */
export type MakeText = (parts: Array.NonEmptyReadonlyArray<StoredText>) => Either.Either<NewReceivedText, DateTime.Utc>

/** Stores received texts as messages. */
export class ReceivedTextRepo extends Context.Tag("services/ReceivedTextRepo")<
  ReceivedTextRepo,
  {
    /**
     * Reads the parts of the event's text, and stores the message of `make` in the conversation of its parent, in the
     * open one of the participant, or in a new one, with participants, usage and events. Deletes the events of the
     * text. One transaction; texts of the same phone are stored one after another. None if the text is stored; an event
     * that was received before changes nothing.
     */
    readonly receive: (
      event: StoredText,
      make: MakeText
    ) => Effect.Effect<Option.Option<DateTime.Utc>, ServiceUnavailableError>
  }
>() {}
