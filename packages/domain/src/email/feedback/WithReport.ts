import { type DateTime, Option } from "effect"
import { isOpen } from "../../messages/delivery/Delivery.js"
import type { MessageState } from "../../messages/state/MessageState.js"
import type { DeliveryReport, ReportedRecipient } from "./DeliveryReport.js"
import { findRecipient } from "./FindRecipient.js"
import { confirmed, returned } from "./Reported.js"

/** Applies a report to a message; none if it is about a recipient that is not settled as sent yet. */
export const withReport = (
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
          : Option.some((news.action === "failed" ? returned : confirmed)(current, delivery, news, now))
    })
  }
  return report.reduce((current, news) => Option.flatMap(current, (found) => apply(found, news)), Option.some(state))
}
