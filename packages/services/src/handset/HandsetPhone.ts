import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { HandsetChannel } from "@switchboard/domain/handset/HandsetText"
import type { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import type { MediaKind } from "@switchboard/domain/whatsapp/WhatsAppContent"
import { Context, type Effect } from "effect"

/** Whether the service sends texts or WhatsApp messages to the local handset. */
export class HandsetEnabled extends Context.Tag("services/HandsetEnabled")<HandsetEnabled, boolean>() {}

/** The file of a WhatsApp message, of which the text is the caption. */
export interface PhoneFile {
  readonly mediaId: string
  readonly kind: MediaKind
  readonly contentType: string
  readonly filename: string
}

/** The media id of an uploaded file: its object key with dots, as an id has no slashes. */
export const handsetMediaId = (key: ObjectKey): string => key.replaceAll("/", ".")

/** A text that a phone sends to a number of the service. */
export interface PhoneText {
  readonly channel: HandsetChannel
  /** E.164. */
  readonly from: string
  readonly to: string
  readonly text: string
  /** The provider's id of the message that the text answers. */
  readonly answers: string
  readonly file: PhoneFile | null
}

/** A phone of the local handset. */
export class HandsetPhone extends Context.Tag("services/HandsetPhone")<
  HandsetPhone,
  {
    /**
     * Sends a text over SMPP, in parts if it is long, or by a callback of WhatsApp. Succeeds when the service has
     * acknowledged it.
     */
    readonly send: (text: PhoneText) => Effect.Effect<void, ServiceUnavailableError>
  }
>() {}
