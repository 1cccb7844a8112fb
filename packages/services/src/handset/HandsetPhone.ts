import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, type Effect } from "effect"

/** Whether the service sends its texts to the local handset: `SMS_URL` is not set. */
export class HandsetEnabled extends Context.Tag("services/HandsetEnabled")<HandsetEnabled, boolean>() {}

/** A text that a phone sends to a number of the service. */
export interface PhoneText {
  /** E.164. */
  readonly from: string
  readonly to: string
  readonly text: string
}

/** A phone of the local handset. */
export class HandsetPhone extends Context.Tag("services/HandsetPhone")<
  HandsetPhone,
  {
    /** Sends a text, in parts if it is long. Succeeds when the service has acknowledged all of them. */
    readonly send: (text: PhoneText) => Effect.Effect<void, ServiceUnavailableError>
  }
>() {}
