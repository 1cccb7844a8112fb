import { bytes, type HostileMail, mailOf, type Summary } from "./Corpus.js"

const subject = (name: string, line: string, expected: string): HostileMail => ({
  name: `a subject of ${name}`,
  raw: () => mailOf([`Subject: ${line}`]),
  outcome: { subject: expected, text: "Hello", from: "ada@example.com" }
})

const header = (name: string, line: string, outcome: Summary | RegExp): HostileMail => ({
  name,
  raw: () => mailOf([line]),
  outcome
})

const replacement = "\uFFFD"

const subjects: ReadonlyArray<HostileMail> = [
  subject("one encoded word", "=?utf-8?q?H=C3=A9?=", "Hé"),
  subject("a character split between two invalid words", "=?utf-8?b?w6==?= =?utf-8?b?qQ==?=", "é"),
  subject("a character split over two words", "=?utf-8?q?H=C3?= =?utf-8?q?=A9?=", "Hé"),
  subject("1,000 words", "=?utf-8?q?a?= ".repeat(1_000), "a".repeat(1_000)),
  subject("nested words", "=?utf-8?q?=3D=3Futf-8=3Fq=3Fa=3F=3D?=", "=?utf-8?q?a?="),
  subject("an unterminated word", "=?utf-8?q?abc", "=?utf-8?q?abc"),
  subject("a word without a charset", "=??q?abc?=", "=??q?abc?="),
  subject("a word of an unknown encoding", "=?utf-8?x?abc?=", "=?utf-8?x?abc?="),
  subject("an empty word", "=?utf-8?q??=", ""),
  subject("a word of an unknown charset", "=?x-no-such?q?=E9?=", "é"),
  subject("a word of UTF-7", "=?utf-7?q?+ADw-script+AD4-?=", "<script>"),
  subject("a word of broken base64", "=?utf-8?b?!!!!YWJj!!!?=", "abc"),
  subject("a word with a language", "=?utf-8*en?q?abc?=", "abc"),
  subject("a word with CRLF", "=?utf-8?q?a=0D=0ABcc:_eve=40example.com?=", "a Bcc: eve@example.com"),
  subject("a word with a NUL", "=?utf-8?q?a=00b?=", "ab"),
  subject("a word with a lone surrogate", "=?utf-16be?b?2AA=?=", replacement),
  subject("a word of UTF-16", "=?utf-16be?b?AGEAYg==?=", "ab"),
  subject("a word of gb18030", "=?gb18030?b?xOO6ww==?=", "你好"),
  subject("a word of Shift_JIS", "=?shift_jis?b?g2WDWINn?=", "テスト"),
  subject("a word of KOI8-R", "=?koi8-r?b?8NLJ18XU?=", "Привет"),
  subject("a word with an escape character", "=?utf-8?q?a=1B[31mb?=", "a[31mb"),
  subject("question marks", `=?${"?".repeat(10_000)}`, `=?${"?".repeat(10_000)}`),
  subject("equal signs", "=".repeat(10_000), "=".repeat(10_000)),
  subject("unterminated words", "=?utf-8?q?".repeat(5_000), "=?utf-8?q?".repeat(5_000)),
  subject("50 KB of spaces in the middle", `a${" ".repeat(50_000)}b`, `a${" ".repeat(50_000)}b`),
  subject("only spaces", " ".repeat(50_000), ""),
  subject("a tab", "a\tb", "a b"),
  subject("a NUL", "a\0b", "ab"),
  subject("control characters", "a\x01\x02\x07\x08\x1b\x7fb", "ab"),
  subject("undeclared 8-bit characters", "Gr\xfc\xdfe", "Grüße"),
  subject("unencoded UTF-8", "H\xc3\xa9", "Hé"),
  subject("overlong UTF-8", "\xc0\xaf", "À¯"),
  subject("a noncharacter", "\xef\xbf\xbf", ""),
  subject("100 KB", "s".repeat(100_000), "s".repeat(100_000)),
  subject("3,000 folds", `a${"\r\n b".repeat(3_000)}`, `a${" b".repeat(3_000)}`),
  subject("empty folded lines", "a\r\n \r\n \r\n b", "a   b"),
  subject("a bare CR", "a\rBcc: eve@example.com", "a Bcc: eve@example.com"),
  header("two Subject fields, of which the first is used", "Subject: one\r\nSubject: two", { subject: "one" }),
  header("a Subject field in upper case", "SUBJECT: one", { subject: "one" }),
  header("a Subject field with a space before the colon", "Subject : one", { subject: "one" }),
  header("a Subject field after a no-break space", "\xc2\xa0Subject: one", { subject: "", headers: 1 }),
  header("a Subject field after a BOM", "\xef\xbb\xbfSubject: one", { subject: "", headers: 1 }),
  header("a Subject field without a colon", "Subject", { subject: "" })
]

const bombs: ReadonlyArray<HostileMail> = [
  ...[10, 500, 999].map((count) =>
    header(`${count} headers`, "X-A: b\r\n".repeat(count).trim(), { headers: count + 1 })
  ),
  ...[1_001, 5_000, 15_000].map((count) =>
    header(`${count} headers`, "X-A: b\r\n".repeat(count).trim(), /too many headers/)
  ),
  header("100,000 headers", "X-A: b\r\n".repeat(100_000).trim(), /header size/),
  header("a header of 120 KB", `X-A: ${"a".repeat(120_000)}`, { headers: 2 }),
  header("a header of 200 KB", `X-A: ${"a".repeat(200_000)}`, /header size/),
  header("a header of 20 MB", `X-A: ${"a".repeat(20_000_000)}`, /header size/),
  header("a field name of 100 KB", `${"a".repeat(100_000)}: b`, { headers: 1 }),
  header("a header of colons", ":".repeat(10_000), { headers: 1 }),
  header("a header without a name", ": b", { headers: 1 }),
  header("a header with spaces in its name", "X A B: c", { headers: 1 }),
  header("a header named __proto__", "__proto__: polluted", { headers: 2, subject: "" }),
  header("a header named constructor", "constructor: polluted", { headers: 2 }),
  header("a parameter named __proto__", "Content-Type: text/plain; __proto__=polluted; charset=utf-8", {
    text: "Hello"
  }),
  header("an mbox From line", "From ada@example.com Thu Jan  1 00:00:00 1970", { headers: 1, from: "ada@example.com" }),
  header("25,000 folds", `X-A: a${"\r\n b".repeat(50_000 / 2)}`, { headers: 2 }),
  header("a header of 60,000 nested comments", `Content-Type: text/plain ${"(".repeat(60_000)}${")".repeat(60_000)}`, {
    text: "Hello"
  }),
  header("a header of 100,000 unclosed comments", `Content-Type: text/plain ${"(".repeat(100_000)}`, { text: "Hello" }),
  header("100,000 backslashes", `Content-Type: text/plain; a="${"\\".repeat(100_000)}"`, { text: "Hello" }),
  header("30,000 parameters", `Content-Type: text/plain${";a=b".repeat(30_000)}`, { text: "Hello" }),
  header(
    "10,000 parameter continuations",
    `Content-Type: text/plain${Array.from({ length: 10_000 }, (_, n) => `;a*${n}=b`).join("")}`,
    {
      text: "Hello"
    }
  ),
  header("semicolons", `Content-Type: text/plain${";".repeat(100_000)}`, { text: "Hello" }),
  header("quotes", `Content-Type: text/plain; a=${'"'.repeat(100_000)}`, { text: "Hello" }),
  header("an invalid date", "Date: the day before yesterday", { text: "Hello" }),
  header("a date of the year 300,000", "Date: Thu, 1 Jan 300000 00:00:00 +9999", { text: "Hello" })
]

const raw = (name: string, text: string, outcome: Summary | RegExp): HostileMail => ({
  name,
  raw: () => bytes(text),
  outcome
})

const forms: ReadonlyArray<HostileMail> = [
  raw("an empty mail", "", { headers: 0, text: "" }),
  raw("one line feed", "\n", { headers: 0, text: "" }),
  raw("one NUL", "\0", { headers: 0, text: "" }),
  raw("an empty line and a body", "\r\nHello", { headers: 0, text: "Hello" }),
  raw("only headers", "From: ada@example.com\r\nSubject: x", { subject: "x", text: "" }),
  raw("only headers, ended by CRLF", "From: ada@example.com\r\nSubject: x\r\n", { subject: "x", text: "" }),
  raw("an incomplete header", "From: ada@exam", { from: "ada@exam" }),
  raw("bare LF line ends", "From: ada@example.com\nSubject: x\n\nHello\n", { subject: "x", text: "Hello" }),
  raw("mixed LF and CRLF line ends", "From: ada@example.com\r\nSubject: x\n\r\nHello\nthere\r\n", {
    subject: "x",
    text: "Hello\nthere"
  }),
  raw("bare CR line ends", "From: ada@example.com\rSubject: x\r\rHello", { text: "", headers: 1 }),
  raw("a header that ends with two carriage returns", "Subject: x\r\r\n\r\nHello", { subject: "x", text: "Hello" }),
  raw("text without a header", "Hello, this is no mail.\r\nAt all.\r\n", {
    headers: 0,
    text: "Hello, this is no mail.\nAt all."
  }),
  raw("a folded first line", " folded\r\nSubject: x\r\n\r\nHello", { subject: "x", text: "Hello" }),
  raw("only NULs", "\0".repeat(100_000), { headers: 0 }),
  raw("a megabyte of NULs", "\0".repeat(1_000_000), { headers: 0, text: "" }),
  raw("20 MB without a line break", "a".repeat(20_000_000), { headers: 0, textSize: 2_000_000 }),
  raw("a JPEG", `\xff\xd8\xff\xe0\0\x10JFIF${"\x8f\x01\xfe".repeat(1_000)}`, { headers: 0 }),
  raw("a ZIP", `PK\x03\x04\n\n${"\xaa".repeat(100)}`, { headers: 0 }),
  raw("UTF-16", Buffer.from("Subject: x\r\n\r\nHello", "utf16le").toString("latin1"), { subject: "" }),
  raw("a BOM before the first header", "\xef\xbb\xbfFrom: eve@example.com\r\nFrom: ada@example.com\r\n\r\n", {
    from: "eve@example.com"
  })
]

const ids: ReadonlyArray<HostileMail> = [
  header("a Message-ID", "Message-ID: <a@b>", { messageId: "<a@b>" }),
  header("a Message-ID without brackets", "Message-ID: a@b", { messageId: "<a@b>" }),
  header("a Message-ID without an at sign", "Message-ID: <abc>", { messageId: "<abc>" }),
  header("a Message-ID with text around it", 'Message-ID: Your "mail" <a@b> (of May)', { messageId: "<a@b>" }),
  header("a Message-ID with spaces in the brackets", "Message-ID: < a@b >", { messageId: "<a@b>" }),
  header("a folded Message-ID", "Message-ID: <a.long.name\r\n @example.com>", {
    messageId: "<a.long.name@example.com>"
  }),
  header("an empty Message-ID", "Message-ID: <>", { messageId: "" }),
  header("a Message-ID of text", "Message-ID: none of yours", { messageId: "" }),
  header("a Message-ID with an unclosed bracket", "Message-ID: <a@b", { messageId: "" }),
  header("a Message-ID of 998 characters", `Message-ID: <${"a".repeat(994)}@b>`, {
    messageId: `<${"a".repeat(994)}@b>`
  }),
  header("a Message-ID of 999 characters", `Message-ID: <${"a".repeat(995)}@b>`, { messageId: "" }),
  header("a Message-ID with a NUL", "Message-ID: <a\0@b>", { messageId: "<a@b>" }),
  header("a Message-ID as an encoded word", "Message-ID: =?utf-8?q?=3Ca=40b=3E?=", { messageId: "<a@b>" }),
  header("an In-Reply-To with text", 'In-Reply-To: Message of "Fri" <a@b>, and <c@d>', {
    inReplyTo: ["<a@b>", "<c@d>"]
  }),
  header("an In-Reply-To without brackets", "In-Reply-To: a@b", { inReplyTo: ["<a@b>"] }),
  header("an In-Reply-To with a quoted name", 'In-Reply-To: "a@b" <c@d>', { inReplyTo: ["<c@d>"] }),
  header("References without spaces", "References: <a@b><c@d>,<e@f>", { references: 3 }),
  header("References with spaces and folds", "References: <a@b>\r\n\t<c@d>\r\n  <e@f>", { references: 3 }),
  header("10,000 References", `References: ${"<a@b> ".repeat(10_000)}`, { references: 100 }),
  header("50,000 opening brackets", `References: ${"<".repeat(50_000)}`, { references: 0 }),
  header("50,000 closing brackets", `References: ${">".repeat(50_000)}`, { references: 0 }),
  header("nested brackets", "References: <<a@b>>", { references: 1 }),
  header("two References fields", "References: <a@b>\r\nReferences: <c@d>", { references: 2 })
]

export const hostileHeaders = [...subjects, ...bombs, ...forms, ...ids]
