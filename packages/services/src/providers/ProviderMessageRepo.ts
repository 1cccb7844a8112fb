import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import { Context, type Effect, type Option } from "effect"
import type { Receipt } from "./ProviderEvent.js"

/** The delivery that a receipt is about. */
export interface ReceiptSubject {
  readonly recipient: string
  /** Whether receipts confirmed all segments for the recipient, this one included. */
  readonly isComplete: boolean
}

/** The state after a receipt. None: the receipt came before the outcome of the send was stored. */
export type DecideReceipt = (state: MessageState, subject: ReceiptSubject) => Option.Option<MessageState>

/** `unknown`: no message was sent with the provider's ids. `tooEarly`: `DecideReceipt` returned None. */
export type AppliedReceipt = "applied" | "tooEarly" | "unknown"

/** The provider's ids of sent messages. */
export class ProviderMessageRepo extends Context.Tag("services/ProviderMessageRepo")<
  ProviderMessageRepo,
  {
    /**
     * Finds the segment with the receipt's id and phone, marks it as delivered if the receipt says so, and stores the new state of its message with an event for each new history entry. Concurrent calls share a
     * transaction. A repeat changes nothing. The other forms of the id, and an id of another phone, are searched only for
     * a late receipt: while the own message may not be settled, they would find another message.
     */
    readonly apply: (
      receipt: Receipt,
      isLate: boolean,
      decide: DecideReceipt
    ) => Effect.Effect<AppliedReceipt, ServiceUnavailableError>
  }
>() {}
