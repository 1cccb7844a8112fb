import { randomUUID } from "node:crypto"

/** A sent mail as the replying person received it. */
export interface GotMail {
  readonly subject: string
  readonly messageId: string
  /** Its References, empty if it begins the line. */
  readonly references: string
  readonly from: string
  /** Its Reply-To. */
  readonly replyTo: string
}

/** A reply: its content, and the address that it is sent to. */
export interface Reply {
  readonly to: string
  readonly raw: string
}

/** Creates the reply of a mail client. */
export type Program = (got: GotMail, author: string) => Reply

const date = "Fri, 02 Jan 2026 10:00:00 +0100"
const line = ({ messageId, references }: GotMail) => `${references} ${messageId}`.trim()
const encodedWord = (charset: string, octets: Buffer) => `=?${charset}?B?${octets.toString("base64")}?=`

/** Gmail in the browser: both headers, folded, and the quoted mail in a `gmail_quote`. */
export const gmail: Program = (got, author) => ({
  to: got.replyTo,
  raw: `MIME-Version: 1.0
References: ${line(got).replaceAll(" ", "\n ")}
In-Reply-To: ${got.messageId}
From: Ada Lovelace <${author}>
Date: ${date}
Message-ID: <CAF+${randomUUID().replaceAll("-", "")}=Q@mail.gmail.com>
Subject: Re: ${got.subject}
To: Help <${got.replyTo}>
Content-Type: multipart/alternative; boundary="000000000000a1b2c3061f2e3d4c"

--000000000000a1b2c3061f2e3d4c
Content-Type: text/plain; charset="UTF-8"

Thank you!

On Fri, Jan 2, 2026 at 9:59 AM Help <${got.from}> wrote:

> Hello
>

--000000000000a1b2c3061f2e3d4c
Content-Type: text/html; charset="UTF-8"
Content-Transfer-Encoding: quoted-printable

<div dir=3D"ltr">Thank you!</div><br><div class=3D"gmail_quote gmail_quote_con=
tainer"><blockquote class=3D"gmail_quote">Hello</blockquote></div>

--000000000000a1b2c3061f2e3d4c--
`
})

/** Outlook with Exchange Online in German: `AW:`, its own thread headers, ids on separate lines. */
export const outlook: Program = (got, author) => ({
  to: got.replyTo,
  raw: `From: "Lovelace, Ada" <${author}>
To: Help <${got.replyTo}>
Subject: AW: ${got.subject}
Thread-Topic: ${got.subject}
Thread-Index: AQHbXQ1kTmVwbT9mQEuY0Vn7c6yC1rNv8E2g
Date: ${date}
Message-ID:
 <AM6PR04MB${randomUUID().slice(0, 8)}@AM6PR04MB4567.eurprd04.prod.outlook.com>
References: ${got.messageId}
In-Reply-To: ${got.messageId}
Accept-Language: de-DE, en-US
Content-Language: de-DE
X-MS-Has-Attach:
X-MS-TNEF-Correlator:
Content-Type: text/html; charset="iso-8859-1"
Content-Transfer-Encoding: quoted-printable
MIME-Version: 1.0

<html><body><p>Sch=F6nen Dank!</p><hr><p><b>Von:</b> Help &lt;${got.from}&gt;<br><b>Gesendet:</b> Freitag, 2. Januar
2026 09:59<br><b>An:</b> Ada<br><b>Betreff:</b> ${got.subject}</p><p>Hello</p></body></html>
`
})

/** Apple Mail on a telephone: `Message-Id` in its own spelling, the version in brackets. */
export const appleMail: Program = (got, author) => ({
  to: got.replyTo,
  raw: `Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable
From: Ada Lovelace <${author}>
Mime-Version: 1.0 (1.0)
Subject: Re: ${got.subject}
Date: ${date}
Message-Id: <${randomUUID().toUpperCase()}@example.com>
References: ${line(got)}
In-Reply-To: ${got.messageId}
To: Help <${got.replyTo}>
X-Mailer: iPhone Mail (23B85)

Thanks =E2=80=93 Ada

> On 2 Jan 2026, at 09:59, Help <${got.from}> wrote:
> =EF=BB=BFHello
`
})

/** A ticket system: a new mail without references, with a ticket number before the subject. */
export const ticketSystem: Program = (got, author) => ({
  to: got.replyTo,
  raw: `From: "Example Support" <${author}>
To: ${got.replyTo}
Subject: [Ticket#2026010210000018] ${got.subject}
Message-ID: <1767344400.${randomUUID().slice(0, 6)}.18.example.com>
Date: ${date}
X-Mailer: Ticket System (https://tickets.example.com/)
Organization: Example
MIME-Version: 1.0
Content-Type: text/plain; charset="utf-8"
Content-Transfer-Encoding: 8bit

Dear customer, we have got it.
`
})

/**
 * QQ Mail: Chinese in GB 18030, with a full-width colon. A gateway replaced the Message-ID of the sent mail: the reply
 * refers to the new one, and goes to From.
 */
export const rewrittenChinese: Program = (got, author) => {
  const rewritten = `<0100018f${randomUUID()}-000000@email.amazonses.com>`
  return {
    to: got.from,
    raw: `From: ${encodedWord("gb18030", Buffer.from("b0a2b4ef", "hex"))} <${author}>
To: ${got.from}
Subject: ${encodedWord("gb18030", Buffer.concat([Buffer.from("bbd8b8b4a3ba", "hex"), Buffer.from(got.subject)]))}
In-Reply-To: ${rewritten}
References: ${rewritten}
Message-ID: <${randomUUID()}@example.com>
Date: ${date}
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8

Hello
`
  }
}

/** The automatic reply of Exchange. */
export const outOfOffice: Program = (got, author) => ({
  to: got.replyTo,
  raw: `From: "Lovelace, Ada" <${author}>
To: Help <${got.replyTo}>
Subject: Automatic reply: ${got.subject}
Thread-Index: AQHbXQ1kTmVwbT9mQEuY0Vn7c6yC1g==
X-MS-Exchange-Inbox-Rules-Loop: ${author}
Auto-Submitted: auto-generated
X-Auto-Response-Suppress: All
In-Reply-To: ${got.messageId}
References: ${got.messageId}
Message-ID: <${randomUUID()}@AM6PR04MB4567.eurprd04.prod.outlook.com>
Date: ${date}
MIME-Version: 1.0
Content-Type: text/plain; charset="us-ascii"

I am out of office.
`
})
