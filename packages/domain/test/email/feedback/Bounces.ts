import type { PlainMail } from "@switchboard/domain/email/feedback/ReadReport"

/** A bounce in a non-standard form, written after the format of the named system. */
export interface Bounce {
  readonly from: string
  readonly subject: string
  readonly headers?: PlainMail["headers"]
  readonly text: string
  /** The recipients of the message. Default: the expected ones. */
  readonly recipients?: ReadonlyArray<string>
  /** The failed recipient, the reason and the response. */
  readonly expected: ReadonlyArray<string>
}

export const bounces: Readonly<Record<string, Bounce>> = {
  qmail: {
    from: "MAILER-DAEMON@mx.example.com",
    subject: "failure notice",
    text: `Hi. This is the qmail-send program at mx.example.com.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<ada@example.com>:
Sorry, no mailbox here by that name. (#5.1.1)

<bob@example.com>:
192.0.2.25 does not like recipient.
Remote host said: 550 5.7.1 <bob@example.com>: blocked
Giving up on 192.0.2.25.

<cyd@example.com>:
Sorry, I wasn't able to establish an SMTP connection. (#4.4.1)
I'm not going to try again; this message has been in the queue too long.

--- Below this line is a copy of the message.

Return-Path: <b+x@bounce.example.org>
To: eve@example.com
Your order 550 5.1.1 has come.
`,
    expected: [
      "ada@example.com user_unknown 5.1.1 Sorry, no mailbox here by that name. (#5.1.1)",
      "bob@example.com sender_blocked 550 5.7.1 <bob@example.com>: blocked",
      "cyd@example.com expired 4.4.1 Sorry, I wasn't able to establish an SMTP connection. (#4.4.1)"
    ]
  },
  Exchange: {
    from: "postmaster@outlook.example",
    subject: "Undeliverable: Hello",
    text: `Delivery has failed to these recipients or groups:

Ada Lovelace (ada@example.com)<mailto:ada@example.com>
The email address you entered couldn't be found. Please check the recipient's email address and try to resend the message.

Diagnostic information for administrators:

Generating server: AM0PR01MB0001.eurprd01.prod.exchangelabs.example

ada@example.com
Remote Server returned '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ada@example.com not found by SMTP address lookup'

Original message headers:

Received: from mail.example.org (198.51.100.7) by AM0PR01MB0001 with Microsoft SMTP Server id 15.20.5.1.1
`,
    expected: [
      "ada@example.com user_unknown 550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ada@example.com not found by SMTP address lookup'"
    ]
  },
  "Exchange 2003": {
    from: "postmaster@corp.example",
    subject: "Undeliverable: Hello",
    text: `Your message did not reach some or all of the intended recipients.

      Subject:\tHello
      Sent:\t1/1/2026 12:00 AM

The following recipient(s) cannot be reached:

      ada@example.com on 1/1/2026 12:00 AM
            The e-mail account does not exist at the organization this message was sent to.  Check the e-mail address, or contact the recipient directly to find out the correct address.
            <mail.corp.example #5.1.1>
`,
    expected: ["ada@example.com user_unknown 5.1.1 <mail.corp.example #5.1.1>"]
  },
  Gmail: {
    from: "mailer-daemon@googlemail.com",
    subject: "Delivery Status Notification (Failure)",
    headers: [{ name: "x-failed-recipients", value: "ada@example.com" }],
    text: `
** Address not found **

Your message wasn't delivered to ada@example.com because the address couldn't be found, or is unable to receive mail.

Learn more here: https://support.google.com/mail/?p=NoSuchUser

The response was:

550 5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address for typos or unnecessary spaces. For more information, go to https://support.google.com/mail/?p=NoSuchUser

----- Original message -----

To: ada@example.com
`,
    expected: [
      "ada@example.com user_unknown 550 5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address for typos or unnecessary spaces. For more information, go to https://support.google.com/mail/?p=NoSuchUser"
    ]
  },
  Yahoo: {
    from: "MAILER-DAEMON@yahoo.com",
    subject: "Failure Notice",
    text: `Sorry, we were unable to deliver your message to the following address.

<ada@yahoo.example>:
554: delivery error: dd This user doesn't have a yahoo.example account (ada@yahoo.example) [-20] - mta1001.mail.example

--- Below this line is a copy of the message.
`,
    expected: [
      "ada@yahoo.example user_unknown 554 delivery error: dd This user doesn't have a yahoo.example account (ada@yahoo.example) [-20] - mta1001.mail.example"
    ]
  },
  Exim: {
    from: "Mailer-Daemon@host.example.com",
    subject: "Mail delivery failed: returning message to sender",
    headers: [{ name: "x-failed-recipients", value: "ada@example.com, bob@example.com" }],
    text: `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ada@example.com
    host mx.example.com [192.0.2.25]
    SMTP error from remote mail server after RCPT TO:<ada@example.com>:
    550-5.1.1 <ada@example.com>: Recipient address rejected:
    550 5.1.1 User unknown
  bob@example.com
    mailbox is full: 552 5.2.2 retry timeout exceeded

------ This is a copy of the message, including all the headers. ------

Return-path: <b+x@bounce.example.org>
`,
    expected: [
      "ada@example.com user_unknown 550-5.1.1 <ada@example.com>: Recipient address rejected:",
      "bob@example.com mailbox_full 552 5.2.2 retry timeout exceeded"
    ]
  },
  sendmail: {
    from: "MAILER-DAEMON@mx.example.com",
    subject: "Returned mail: see transcript for details",
    text: `The original message was received at Thu, 1 Jan 2026 00:00:00 GMT
from mail.example.org [198.51.100.7]

   ----- The following addresses had permanent fatal errors -----
<ada@example.com>
    (reason: 550 5.1.1 <ada@example.com>... User unknown)

   ----- Transcript of session follows -----
... while talking to mx2.example.com.:
>>> DATA
<<< 550 5.1.1 <ada@example.com>... User unknown
550 5.1.1 <ada@example.com>... User unknown
`,
    expected: ["ada@example.com user_unknown 550 5.1.1 <ada@example.com>... User unknown)"]
  },
  "Postfix without the report part": {
    from: "MAILER-DAEMON@mx.example.com",
    subject: "Undelivered Mail Returned to Sender",
    text: `This is the mail system at host mx.example.com.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

For further assistance, please send mail to postmaster.

                   The mail system

<ada@example.com>: host mail.example.com[192.0.2.25] said: 550 5.1.1
    <ada@example.com>: Recipient address rejected: User unknown (in reply to RCPT TO command)
`,
    expected: ["ada@example.com user_unknown 550 5.1.1"]
  },
  "a mailer daemon with only a code": {
    from: "mailer-daemon@mx.example.com",
    subject: "Mail delivery failed",
    text: `ada@example.com: 550 No such user here`,
    expected: ["ada@example.com user_unknown 550 No such user here"]
  },
  "a bounce without an address": {
    from: "postmaster@mx.example.com",
    subject: "Undeliverable",
    text: `The recipient's server said: 550 5.1.1 No such user here`,
    expected: ["ada@example.com user_unknown 550 5.1.1 No such user here"]
  },
  "a generic code before the specific one": {
    from: "postmaster@mx.example.com",
    subject: "Delivery failure",
    text: `ada@example.com failed with status 550\nada@example.com\n550 5.1.1 No such user here`,
    expected: ["ada@example.com user_unknown 550 5.1.1 No such user here"]
  },
  "Exim without a code": {
    from: "Mailer-Daemon@host.example.com",
    subject: "Mail delivery failed: returning message to sender",
    headers: [{ name: "x-failed-recipients", value: "ada@example.com, bob@example.com" }],
    text: `A message that you sent could not be delivered to all of its recipients.
This is a permanent error. The following addresses failed:

  ada@example.com
    Unrouteable address
  bob@example.com
    retry timeout exceeded
`,
    expected: ["ada@example.com host_unknown Unrouteable address", "bob@example.com expired retry timeout exceeded"]
  },
  "the sender named in the reply about one of several recipients": {
    from: "Mailer-Daemon@host.example.com",
    subject: "Mail delivery failed: returning message to sender",
    headers: [{ name: "x-failed-recipients", value: "bob@example.com" }],
    text: `The following address failed:

  bob@example.com
    SMTP error from remote mail server after MAIL FROM:<news@corp.example> SIZE=1500:
    host mx.example.com: 550 5.1.8 <news@corp.example> no such user in your domain
`,
    recipients: ["ada@example.com", "bob@example.com"],
    expected: ["bob@example.com policy 550 5.1.8 <news@corp.example> no such user in your domain"]
  },
  OpenSMTPD: {
    from: "MAILER-DAEMON@mx.example.com",
    subject: "Delivery status notification: error",
    text: `An error has occurred while attempting to deliver a message for the following recipients:

ada@example.com: 550 5.1.1 unknown here

    Below is a copy of the original message:
bob@example.com: 550 5.1.1 quoted
`,
    recipients: ["ada@example.com", "bob@example.com"],
    expected: ["ada@example.com user_unknown 550 5.1.1 unknown here"]
  },
  "a failure of a mail with the subject of a delay": {
    from: "postmaster@example.com",
    subject: "Undeliverable: Your parcel has been delayed",
    text: `Your message

  To:      ada@example.com
  Subject: Your parcel has been delayed

did not reach the following recipient(s):

ada@example.com on Thu, 1 Jan 2026 00:00:00 +0000
    The recipient name is not recognized
`,
    expected: [
      "ada@example.com user_unknown ada@example.com on Thu, 1 Jan 2026 00:00:00 +0000 The recipient name is not recognized"
    ]
  },
  "a notification without a code": {
    from: "postmaster@example.com",
    subject: "Undeliverable: Hello",
    text: "Your message to ada@example.com could not be delivered.",
    expected: ["ada@example.com unknown Your message to ada@example.com could not be delivered."]
  }
}

/** Mails to a return path that report no failure. */
export const others: Readonly<Record<string, Partial<PlainMail>>> = {
  "a delay (Gmail)": {
    from: "mailer-daemon@googlemail.com",
    subject: "Delivery Status Notification (Delay)",
    text: "** Delivery incomplete **\n\nThere was a temporary problem delivering your message to ada@example.com. Gmail will retry for 46 more hours. You'll be notified if the delivery fails permanently.\n\nThe response was:\n\n451 4.7.1 Greylisted"
  },
  "a delay (Exim)": {
    from: "Mailer-Daemon@host.example.com",
    subject: "Warning: message 1tSx0A-0001 delayed 24 hours",
    text: "A message that you sent has not yet been delivered to one or more of its\nrecipients after more than 24 hours on the queue.\n\n  ada@example.com\n    host mx.example.com: 451 4.7.1 try later\n\nNo action is required on your part. Delivery attempts will continue."
  },
  "a delay (sendmail)": {
    from: "MAILER-DAEMON@mx.example.com",
    subject: "Warning: could not send message for past 4 hours",
    text: "**********************************************\n**      THIS IS A WARNING MESSAGE ONLY      **\n**  YOU DO NOT NEED TO RESEND YOUR MESSAGE  **\n**********************************************\n\n<ada@example.com>... Deferred: 451 4.4.1 mx.example.com"
  },
  "a delay worded like a failure (qmail, Microsoft)": {
    subject: "Delivery delayed: Hello",
    text: "This is a warning message only. Your message could not be delivered to ada@example.com yet:\n\nada@example.com\n451 4.4.1 Connection timed out\n\nIt will be retried for 2 days."
  },
  "a person's reply to the envelope sender": {
    mailFrom: "ada@example.com",
    from: "ada@example.com",
    subject: "Re: Hello",
    text: "Your last mail was not delivered: 550 5.1.1 said bob@example.com. Can you send it again?"
  },
  "an absence note": {
    from: "ada@example.com",
    subject: "Out of office: Hello",
    text: "I am away until 5.1. Call 550 1234, or write to bob@example.com."
  },
  "a delay in words of a failure": {
    subject: "Undelivered Mail (still trying)",
    text: "The message could not be delivered so far:\n\nada@example.com: 450 4.2.0 later\n\nDelivery attempts will continue for 3 days."
  },
  "an automatic answer of the recipient that quotes an order": {
    from: "ada@example.com",
    headers: [{ name: "auto-submitted", value: "auto-replied" }],
    subject: "Automatic reply: Order #512 not delivered",
    text: "I am away until Monday.\n\n> Order #512 - not delivered: no answer at the door."
  },
  "an automatic answer from another address of the recipient": {
    from: "ada@home.example",
    headers: [{ name: "auto-submitted", value: "auto-replied" }],
    subject: "Out of office: Order not delivered",
    text: "I am away. Delivery failed? Call 550 1234."
  },
  "an empty mail": { subject: "", text: "" }
}
