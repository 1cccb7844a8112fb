import type { Confirmation } from "@switchboard/domain/messages/delivery/Confirmation"
import { Context } from "effect"

/** `SMTP_CONFIRMATION`: whether the relay's 250 counts as delivery. */
export class DeliveryConfirmation extends Context.Tag("services/DeliveryConfirmation")<
  DeliveryConfirmation,
  Confirmation
>() {}
