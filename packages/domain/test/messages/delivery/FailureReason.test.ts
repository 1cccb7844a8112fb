import { type FailureReason, reasonOfReply } from "@switchboard/domain/messages/delivery/FailureReason"
import { assert, describe, it } from "vitest"

/** Replies as servers write them, by reason. */
const replies: Readonly<Record<FailureReason, ReadonlyArray<string>>> = {
  user_unknown: [
    "550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown in virtual mailbox table",
    "550-The address could not be verified.\n550 5.1.1 No such mailbox",
    "550 5.4.1 Recipient address rejected: Access denied. [mx1]",
    "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup",
    "554 delivery error: dd This user doesn't have a mail.example account",
    "550 5.5.0 Requested action not taken: mailbox unavailable",
    "550 No such user here",
    "551 ada@example.com does not exist",
    "553 sorry, no mailbox here by that name",
    "550 5.7.1 Unknown recipient <ada@example.com>",
    "550 5.0.0 unknown user",
    "550 5.1.1 Recipient not found. See https://policy.example/spam/blocked",
    "550 Unrouteable address"
  ],
  host_unknown: [
    "550 5.1.2 no",
    "550 5.4.4 Invalid domain",
    "556 5.1.10 Domain does not accept mail (nullMX)",
    "554 Unrouteable mail domain",
    "550 Host unknown (Name server: mail.example.com: host not found)",
    "521 5.3.2 System not accepting network messages"
  ],
  user_disabled: [
    "550 5.2.1 The email account that you tried to reach is disabled",
    "525 5.7.13 Disabled recipient address",
    "554 This account has been disabled or discontinued"
  ],
  moved: ["551 5.1.6 no", "550 The recipient has moved", "550 ada@example.com is no longer with the company"],
  mailbox_full: [
    "552 5.2.2 Mailbox full",
    "552 5.1.1 sorry, the mailbox of ada is over its quota for now",
    "452 4.2.2 The email account that you tried to reach is over quota",
    "550 5.1.1 ada's mailbox is full",
    "552 Requested mail action aborted: exceeded storage allocation"
  ],
  message_too_large: [
    "552 5.3.4 Message size exceeds fixed limit",
    "552 Exceeded the maximum size",
    "554 5.2.3 no",
    "552 message too large"
  ],
  too_many_recipients: [
    "452 4.5.3 no",
    "552 5.5.3 Too many recipients",
    "452 Too many recipients received this session"
  ],
  rate_limited: [
    "550 5.1.1 <ada@example.com> - 192.0.2.10 has sent to too many recipients this hour. RL607",
    "450 4.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages",
    "421 4.7.28 Our system has detected an unusual rate of mail from your network",
    "421 Too many concurrent SMTP connections",
    "452 4.3.2 Connection rate limit exceeded",
    "450 4.2.1 The user you are trying to contact is receiving mail too quickly"
  ],
  sender_blocked: [
    "554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org",
    "550 5.1.1 your IP address is listed in our blacklist",
    "550 5.7.1 Rejected because 192.0.2.1 is listed by list.example",
    "550 5.7.1 Refused. See https://www.spamhaus.org/query/ip/192.0.2.1",
    "550 5.7.606 Access denied, banned sending IP [192.0.2.1]",
    "554 Your access has been rejected due to the sending MTA's poor reputation"
  ],
  authentication: [
    "550 5.7.26 This mail is unauthenticated",
    "550 5.7.1 Message rejected: SPF check failed",
    "550 5.7.509 Access denied, sending domain does not pass DMARC verification",
    "450 4.7.1 Client host rejected: cannot find your reverse hostname",
    "550 5.7.25 no"
  ],
  policy: [
    "550 5.7.1 Message rejected due to local policy",
    "554 5.7.1 <ada@example.com>: Recipient address rejected: Access denied",
    "550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup",
    "550 5.1.8 No such domain of the sender",
    "550 5.7.520 Access denied, your organization does not allow external forwarding",
    "550 5.1.1 denied by policy",
    "550 5.1.0 <news@corp.example> User unknown (in reply to MAIL FROM command)"
  ],
  spam: [
    "550 5.7.1 Message rejected as spam",
    "554 5.1.1 Your message looks like unsolicited mail",
    "550 High probability of spam"
  ],
  content: [
    "550 5.6.0 Improper use of 8-bit data in message header",
    "554 Your message was infected with a virus",
    "552 5.7.0 This message was blocked: executable attachment"
  ],
  relay_denied: ["550 5.7.1 Relaying denied", "554 5.7.1 <ada@example.com>: Relay access denied", "550 5.7.54 no"],
  greylisted: [
    "451 4.7.1 Greylisted, please try again in 300 seconds",
    "451 4.7.1 Please try again later",
    "450 4.2.0 <ada@example.com>: Greylisting in action"
  ],
  network: ["Connection timed out", "450 4.4.1 no", "421 4.4.2 Connection dropped", "554 5.4.6 Too many hops"],
  system: ["451 4.3.0 Temporary system problem", "421 Service not available", "554 5.3.5 Local configuration error"],
  expired: ["554 5.4.7 Delivery expired (message too old)", "550 4.4.7 no", "retry timeout exceeded"],
  unknown: [
    "550 no",
    "",
    "554 5.0.0 Transaction failed",
    "550 5.1.100 no",
    "550 <policy@spam.example>: no",
    "550 5.1.0 Address rejected"
  ]
}

describe("The reason of a reply", () => {
  for (const [reason, texts] of Object.entries(replies)) {
    it(`is ${reason}`, () => {
      for (const response of texts) {
        const code = /^\d{3}/.exec(response)
        const smtpCode = code === null ? null : Number(code[0])
        assert.strictEqual(reasonOfReply({ smtpCode, response }), reason, response)
      }
    })
  }

  it("is found in bounded time", () => {
    const pieces = [
      "user ",
      "unknown ",
      "exceeded ",
      "message ",
      "mail ",
      "a@",
      "host ",
      "blocked by ",
      "5.1.1 ",
      "\n",
      "<"
    ]
    for (const piece of pieces) {
      assert.isString(reasonOfReply({ smtpCode: 550, response: piece.repeat(1_000_000) }), piece)
    }
  })
})
