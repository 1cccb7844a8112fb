import { type DateTime, Option } from "effect"
import { isOpen } from "../../messages/Delivery.js"
import type { MessageState } from "../../messages/MessageState.js"
import type { DeliveryReport, ReportedRecipient } from "./DeliveryReport.js"
import { findRecipient } from "./FindRecipient.js"
import { confirmed, returned } from "./Reported.js"

/** What a report makes of a message; none if it tells of what is not known to be sent yet. */
export const withReport = (
  state: MessageState,
  report: DeliveryReport,
  now: DateTime.Utc
): Option.Option<MessageState> => {
  const apply = (current: MessageState, news: ReportedRecipient): Option.Option<MessageState> => {
    // A delay, or a copy that goes on where nobody reports, is no end of anything.
    if (news.action !== "failed" && news.action !== "delivered") return Option.some(current)
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
