import { type DateTime, Option } from "effect"
import { isOpen } from "../../messages/delivery/Delivery.js"
import type { MessageState } from "../../messages/state/MessageState.js"
import type { DeliveryReport, ReportedRecipient } from "./DeliveryReport.js"
import { findRecipient } from "./FindRecipient.js"
import { applyBounce, applyConfirmation } from "./ReportTransitions.js"

/** Applies a report to a message. None if a reported recipient's delivery is still open: the report came too early. */
export const applyReport = (
  state: MessageState,
  report: DeliveryReport,
  now: DateTime.Utc
): Option.Option<MessageState> => {
  const apply = (current: MessageState, news: ReportedRecipient): Option.Option<MessageState> => {
    if (news.action === "delayed") return Option.some(current)
    return Option.match(findRecipient(current, news.addresses), {
      onNone: () => Option.some(current),
      onSome: (delivery) =>
        isOpen(delivery)
          ? Option.none()
          : Option.some((news.action === "failed" ? applyBounce : applyConfirmation)(current, delivery, news, now))
    })
  }
  return report.reduce((current, news) => Option.flatMap(current, (found) => apply(found, news)), Option.some(state))
}
