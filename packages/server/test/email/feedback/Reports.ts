/** A delivery status notification in the format of Postfix. */
export const postfixDsn = (
  to: string,
  recipient: string,
  { action, diagnostic, status }: { readonly action: string; readonly status: string; readonly diagnostic: string }
) => `Date: Thu, 1 Jan 2026 00:00:00 +0000 (UTC)
From: MAILER-DAEMON@mx.example.com (Mail Delivery System)
Subject: ${action === "failed" ? "Undelivered Mail Returned to Sender" : "Successful Mail Delivery Report"}
To: ${to}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="4A1B2C3D4E.1767225600/mx.example.com"
Message-Id: <${crypto.randomUUID()}@mx.example.com>

This is a MIME-encapsulated message.

--4A1B2C3D4E.1767225600/mx.example.com
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

This is the mail system at host mx.example.com.

--4A1B2C3D4E.1767225600/mx.example.com
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com
X-Postfix-Queue-ID: 4A1B2C3D4E
X-Postfix-Sender: rfc822; ${to}
Arrival-Date: Thu,  1 Jan 2026 00:00:00 +0000 (UTC)

Final-Recipient: rfc822; ${recipient}
Original-Recipient: rfc822;${recipient}
Action: ${action}
Status: ${status}
Remote-MTA: dns; mail.example.com
Diagnostic-Code: smtp; ${diagnostic}

--4A1B2C3D4E.1767225600/mx.example.com
Content-Description: Undelivered Message Headers
Content-Type: text/rfc822-headers

Subject: Hello

--4A1B2C3D4E.1767225600/mx.example.com--
`

/** A text-only bounce in the format of qmail. */
export const qmailBounce = (to: string, recipient: string) => `From: MAILER-DAEMON@mx.example.com
To: ${to}
Subject: failure notice
Message-Id: <${crypto.randomUUID()}@mx.example.com>

Hi. This is the qmail-send program at mx.example.com.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<${recipient}>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.
`

/** A feedback report (RFC 5965) with the original mail. */
export const feedbackReport = (
  to: string,
  recipient: string,
  original: string,
  type = "abuse"
) => `From: <feedback@example.com>
To: ${to}
Subject: FW: Hello
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="part1"
Message-Id: <${crypto.randomUUID()}@example.com>

--part1
Content-Type: text/plain; charset="US-ASCII"
Content-Transfer-Encoding: 7bit

This is an email abuse report for an email message received from IP 192.0.2.1.

--part1
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: SomeGenerator/1.0
Version: 1
Original-Rcpt-To: <${recipient}>

--part1
Content-Type: message/rfc822
Content-Disposition: inline

${original}
--part1--
`

/** A complaint of Outlook's feedback loop (JMRP): the original mail without a feedback report part. */
export const plainComplaint = (to: string, recipient: string, original: string) => `From: <staff@example.com>
To: ${to}
Subject: complaint about message from 192.0.2.1
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="part1"
Message-Id: <${crypto.randomUUID()}@example.com>

--part1
Content-Type: message/rfc822
Content-Disposition: inline

X-HmXmrOriginalRecipient: <${recipient}>
${original}
--part1--
`
