import { replyText } from "@switchboard/domain/email/receiving/ReplyText"
import { textWithQuoteMarks } from "@switchboard/services/email/receiving/QuotedHtml"
import { plainText } from "@switchboard/services/messages/compose/PlainText"
import { assert, describe, it } from "vitest"

const reply = (html: string) => replyText("Re: Your order", plainText(html), textWithQuoteMarks(html))

const quoted = "<p>It has <b>shipped</b>.</p><p>Help Desk</p>"

/** Replies of programs, with their text. */
const replies: ReadonlyArray<readonly [name: string, html: string, text: string]> = [
  [
    "Gmail, with answers between quotes",
    `<div class="gmail_quote"><div class="gmail_attr">On Fri, Jan 2, 2026 at 9:59 AM Help Desk
      &lt;<a href="mailto:help@example.com">help@example.com</a>&gt; wrote:<br></div>
      <blockquote class="gmail_quote">Which size?</blockquote><div>Large.</div>
      <blockquote class="gmail_quote">And when?</blockquote><div>Tomorrow.</div></div>
      <span class="gmail_signature_prefix">-- </span><br><div class="gmail_signature">Ada</div>`,
    "Large.\n\nTomorrow."
  ],
  [
    "Outlook on the web, in a language without rules",
    `<div>Thank you!</div><div id="Signature"><p>Ada<br>London</p></div><div id="appendonsend"></div><hr>
      <div id="divRplyFwdMsg" dir="ltr"><b>Anfonwyd:</b> 2 Ionawr</div>${quoted}`,
    "Thank you!"
  ],
  [
    "Outlook on Windows",
    `<div class="WordSection1"><p class="MsoNormal">Thank you!</p><div style="border-top:solid #E1E1E1 1.0pt">
      <p><b>Von:</b> Help Desk &lt;help@example.com&gt;<br><b>Gesendet:</b> Freitag, 2. Januar 2026 09:59<br>
      <b>An:</b> Ada<br><b>Betreff:</b> Bestellung</p></div>${quoted}</div>`,
    "Thank you!"
  ],
  [
    "Apple Mail",
    `<div>Thank you!</div><div>Sent from my iPhone</div><blockquote type="cite">On 2 Jan 2026, at 09:59, Help Desk
      wrote:<br></blockquote><blockquote type="cite">${quoted}</blockquote>`,
    "Thank you!"
  ],
  [
    "Thunderbird",
    `<p>Thank you!</p><div class="moz-cite-prefix">Am 02.01.26 um 09:59 schrieb Help Desk:<br></div>
      <blockquote type="cite" cite="mid:x">${quoted}</blockquote><pre class="moz-signature">-- \nAda</pre>`,
    "Thank you!"
  ],
  ["Yahoo", `<div>Thank you!</div><div class="yahoo_quoted"><div>On Friday:</div>${quoted}</div>`, "Thank you!"],
  ["Proton Mail", `<div>Thank you!</div><div class="protonmail_quote">On Friday:<br>${quoted}</div>`, "Thank you!"],
  ["GMX", `<div>Thank you!</div><div name="quote"><div><b>Gesendet:</b> Freitag</div>${quoted}</div>`, "Thank you!"]
]

describe("the reply text of HTML", () => {
  it("has no quote of a known program", () => {
    for (const [name, html, text] of replies) assert.strictEqual(reply(html), text, name)
  })

  it("is the complete text of a forwarded mail", () => {
    const html = `<div>See</div><div class="gmail_quote">---------- Forwarded message ---------<br>From: <b>Help</b>
      &lt;help@example.com&gt;<br>Date: Fri, Jan 2, 2026 at 9:59 AM<br>Subject: Your order<br>To: Ada<br>${quoted}</div>`
    assert.strictEqual(reply(html), plainText(html))
  })

  it("is the complete text if nothing else is left", () => {
    for (const html of [`<div class="yahoo_quoted">${quoted}</div>`, `<div id="divRplyFwdMsg">${quoted}</div>`]) {
      assert.strictEqual(reply(html), plainText(html))
    }
  })

  it("needs no second conversion without such elements", () => {
    assert.isUndefined(textWithQuoteMarks(`<p>Hello</p><blockquote>${quoted}</blockquote>`))
  })
})
