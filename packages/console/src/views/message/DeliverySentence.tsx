import type { FailureReason } from "@switchboard/domain/messages/delivery/FailureReason"
import type { ComponentChildren } from "preact"
import type { Delivery, Message } from "../../app/Types.js"
import { Time } from "../../components/Time.js"

/** Why a recipient did not get a message, in a sentence for people. */
export const failureSentences: Readonly<Record<FailureReason, string>> = {
  user_unknown: "The address does not exist.",
  host_unknown: "The domain does not exist or accepts no mail.",
  user_disabled: "The mailbox is disabled.",
  moved: "The recipient has moved to another address.",
  mailbox_full: "The mailbox is full.",
  message_too_large: "The message is too large for the recipient's server.",
  too_many_recipients: "The server takes fewer recipients at once.",
  rate_limited: "The server limits how much mail it takes from this service.",
  sender_blocked: "The server blocks the address or the domain of the sender.",
  authentication: "SPF, DKIM, DMARC or the reverse DNS name of the sender failed.",
  policy: "A rule of the recipient's server refuses the message.",
  spam: "The server takes the message for spam.",
  content: "The server does not accept the content of the message.",
  relay_denied: "The server does not relay mail to this address.",
  greylisted: "The server asks to try again later (greylisting).",
  network: "The recipient's server could not be reached.",
  system: "The recipient's server has a fault.",
  expired: "The message could not be delivered in time.",
  unknown: "The server gave no clear reason."
}

const NextTry = ({ at }: { readonly at: string | undefined }) =>
  at === undefined ? null : (
    <>
      {" "}
      Next try: <Time value={at} isUpcoming />
    </>
  )

/** What happened to a recipient, and what happens next, in sentences. */
export const deliverySentence = (
  { reason, status }: Delivery,
  { errorDetails, scheduledAt, status: messageStatus }: Message
): ComponentChildren => {
  const failure = reason === undefined ? "" : failureSentences[reason]
  switch (status) {
    case "pending":
      return messageStatus === "scheduled" && scheduledAt !== null ? (
        <>
          It is sent on <Time value={scheduledAt} isComplete />.
        </>
      ) : (
        <>
          It is not sent yet.
          <NextTry at={errorDetails?.nextRetryAt} />
        </>
      )
    case "deferred":
      return (
        <>
          {failure || "The server asks to try again later."}
          <NextTry at={errorDetails?.nextRetryAt} />
        </>
      )
    case "sent":
      return "The server took it; its delivery is not confirmed yet."
    case "delivered":
      return "It was delivered."
    case "read":
      return "The recipient has opened it."
    case "bounced":
      return `${failure} It was not delivered.`.trim()
    case "failed":
      return `${failure} It is not tried again.`.trim()
    case "suppressed":
      return "It was not sent: the address was blocked."
    case "complained":
      return "The recipient reported it as spam."
  }
}
