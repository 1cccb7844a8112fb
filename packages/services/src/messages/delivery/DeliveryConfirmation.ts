import type { Confirmation } from "@switchboard/domain/messages/delivery/Confirmation"
import { Context } from "effect"

/** `SMTP_CONFIRMATION`: what the relay's 250 means. */
export class DeliveryConfirmation extends Context.Tag("services/DeliveryConfirmation")<
  DeliveryConfirmation,
  Confirmation
>() {}
