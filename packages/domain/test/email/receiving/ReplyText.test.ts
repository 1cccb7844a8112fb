import { replyText } from "@switchboard/domain/email/receiving/ReplyText"
import { assert, describe, it } from "vitest"

const reply = (text: string) => replyText("Re: Your order", text)
const lines = (...some: ReadonlyArray<string>) => some.join("\n")

/** The lines over a quoted mail, by language and program. */
const attributions: ReadonlyArray<string> = [
  "On Fri, Jan 2, 2026 at 9:59 AM Help Desk <help@example.com> wrote:",
  "On 2 Jan 2026, at 09:59, Help Desk <help@example.com> wrote:",
  "On 02/01/2026 09:59, Help Desk wrote:",
  "On Fri, 2026-01-02 at 09:59 +0100, Help Desk wrote:",
  "On Fri, Jan 2, 2026 at 9:59 AM Help Desk of the Example Company <\nhelp@example.com> wrote:",
  "On Fri, Jan 2, 2026 at 9:59 AM\nHelp Desk <help@example.com>\nwrote:",
  "On Fri, Jan 2, 2026 at 9:59 AM Help Desk <help@example.com\n> wrote:",
  "On Fri, 02 Jan 2026 09:59:00 +0100 Help Desk <help@example.com> wrote",
  "---- On Fri, 02 Jan 2026 09:59:00 +0100 Help Desk <help@example.com> wrote ----",
  "--- Help Desk wrote ---",
  "Help Desk <help@example.com> wrote on 2 January 2026:",
  "Am 02.01.2026 um 09:59 schrieb Help Desk:",
  "Am Fr., 2. Jan. 2026 um 09:59 Uhr schrieb Help Desk <help@example.com>:",
  "Op vr 2 jan 2026 om 09:59 schreef Help Desk <help@example.com>:",
  "Op 2 jan. 2026, om 09:59 heeft Help Desk <help@example.com> het volgende geschreven:",
  "Le ven. 2 janv. 2026 à 09:59, Help Desk <help@example.com> a écrit :",
  "Le 2 janv. 2026 à 09:59, Help Desk <help@example.com>\na écrit\u00a0:",
  "El vie, 2 ene 2026 a las 9:59, Help Desk (<help@example.com>) escribió:",
  "Em sex., 2 de jan. de 2026 às 09:59, Help Desk <help@example.com> escreveu:",
  "Il giorno ven 2 gen 2026 alle ore 09:59 Help Desk <help@example.com> ha scritto:",
  "În vin., 2 ian. 2026 la 09:59, Help Desk <help@example.com> a scris:",
  "Den fre 2 jan. 2026 kl 09:59 skrev Help Desk <help@example.com>:",
  "fre. 2. jan. 2026 kl. 09.59 skrev Help Desk <help@example.com\n>:",
  "pe 2. tammik. 2026 klo 9.59 Help Desk <help@example.com> kirjoitti:",
  "W dniu 2.01.2026 o 09:59, Help Desk pisze:",
  "pt., 2 sty 2026 o 09:59 Help Desk <help@example.com> napisał(a):",
  "pá 2. 1. 2026 v 9:59 odesílatel Help Desk <help@example.com> napsal:",
  "Help Desk <help@example.com> ezt írta (időpont: 2026. jan. 2., P, 9:59):",
  "Help Desk <help@example.com>, 2 Oca 2026 Cum, 09:59 tarihinde şunu yazdı:",
  "пт, 2 янв. 2026 г. в 09:59, Help Desk <help@example.com>:",
  "02.01.2026 09:59, Help Desk пишет:",
  "пт, 2 січ. 2026 р. о 09:59 Help Desk <help@example.com> пише:",
  "Στις Παρ 2 Ιαν 2026 στις 9:59 π.μ., ο χρήστης Help Desk <help@example.com> έγραψε:",
  "‫בתאריך יום ו׳, 2 בינו׳ 2026 ב-9:59 מאת ‪Help Desk‬‏ <‪help@example.com‬‏>:‬",
  "في الجمعة، 2 يناير 2026 في 9:59 ص كتب Help Desk <help@example.com>:",
  "Vào Th 6, 2 thg 1, 2026 vào lúc 09:59 Help Desk <help@example.com> đã viết:",
  "Help Desk <help@example.com> 于2026年1月2日周五 09:59写道：",
  '在 2026-01-02 09:59:00，"Help Desk" <help@example.com> 写道：',
  "2026年1月2日(金) 9:59 Help Desk <help@example.com>:",
  "2026/01/02 9:59、Help Desk <help@example.com>のメール:",
  "2026년 1월 2일 (금) 오전 9:59, Help Desk <help@example.com>님이 작성:",
  "2026-01-02 9:59 GMT+01:00 Help Desk <help@example.com>:"
]

/** The headers over a quoted mail. */
const headers: ReadonlyArray<string> = [
  "From: Help Desk <help@example.com>\nSent: Friday, January 2, 2026 9:59 AM\nTo: Ada\nSubject: Your order",
  "*From:* Help Desk [mailto:help@example.com]\n*Sent:* 2 January 2026\n*To:* Ada\n*Subject:* Your order",
  "From: Help Desk\n<help@example.com>\nDate: Fri, 2 Jan 2026 09:59:00 +0100\nTo: Ada",
  "Von: Help Desk <help@example.com>\nGesendet: Freitag, 2. Januar 2026 09:59\nAn: Ada\nBetreff: Ihre Bestellung",
  "Van: Help Desk\nVerzonden: vrijdag 2 januari 2026 9:59\nAan: Ada\nOnderwerp: Uw bestelling",
  "De : Help Desk\nEnvoyé : vendredi 2 janvier 2026 09:59\nÀ : Ada\nObjet : Votre commande",
  "De: Help Desk\nEnviado el: viernes, 2 de enero de 2026 9:59\nPara: Ada\nCC: Bob\nAsunto: Su pedido",
  "De: Help Desk\nEnviada em: sexta-feira, 2 de janeiro de 2026 09:59\nPara: Ada\nAssunto: O seu pedido",
  "Da: Help Desk\nInviato: venerdì 2 gennaio 2026 09:59\nA: Ada\nOggetto: Il suo ordine",
  "Från: Help Desk\nSkickat: den 2 januari 2026 09:59\nTill: Ada\nÄmne: Din beställning",
  "Fra: Help Desk\nSendt: fredag 2. januar 2026 09:59\nTil: Ada\nEmne: Din ordre",
  "Lähettäjä: Help Desk\nLähetetty: perjantai 2. tammikuuta 2026 9.59\nVastaanottaja: Ada\nAihe: Tilauksesi",
  "Od: Help Desk\nWysłano: piątek, 2 stycznia 2026 09:59\nDo: Ada\nTemat: Zamówienie",
  "Od: Help Desk\nOdesláno: pátek 2. ledna 2026 9:59\nKomu: Ada\nPředmět: Objednávka",
  "От: Help Desk\nОтправлено: 2 января 2026 г. 9:59\nКому: Ada\nТема: Заказ",
  "发件人: Help Desk\n发送时间: 2026年1月2日 9:59\n收件人: Ada\n主题: 订单",
  "差出人: Help Desk\n送信日時: 2026年1月2日 9:59\n宛先: Ada\n件名: ご注文",
  "보낸 사람: Help Desk\n보낸 날짜: 2026년 1월 2일 금요일 오전 9:59\n받는 사람: Ada\n제목: 주문"
]

const marks: ReadonlyArray<string> = [
  "-----Original Message-----",
  "----- Original Message -----",
  "-----Ursprüngliche Nachricht-----",
  "-------- Message d’origine --------",
  "-----Mensaje original-----",
  "-----Mensagem original-----",
  "-----Messaggio originale-----",
  "-----Oorspronkelijk bericht-----",
  "-------- Oprindelig besked --------",
  "-----Исходное сообщение-----",
  "------------------ 原始邮件 ------------------"
]

const footers: ReadonlyArray<string> = [
  "Sent from my iPhone",
  "Sent from my iPhone. Please excuse typing errors.",
  "Sent from my Fairphone",
  "Sent from Mail for Windows",
  "Sent from Yahoo Mail on Android",
  "Sent from Outlook for iOS<https://aka.ms/example>",
  "Get Outlook for iOS<https://aka.ms/example>",
  "Von meinem iPhone gesendet",
  "Gesendet von Outlook für Android<https://aka.ms/example>",
  "Holen Sie sich Outlook für Android<https://aka.ms/example>",
  "Envoyé de mon iPhone",
  "Envoyé à partir de Outlook pour iOS",
  "Télécharger Outlook pour Android",
  "Enviado desde mi iPhone",
  "Enviado do meu telefone",
  "Inviato da iPhone",
  "Verstuurd vanaf mijn iPhone",
  "Skickat från min iPhone",
  "Sendt fra min iPhone",
  "Lähetetty iPhonesta",
  "Wysłane z iPhone'a",
  "Отправлено с iPhone",
  "iPhone'umdan gönderildi",
  "发自我的iPhone",
  "iPhoneから送信",
  "나의 iPhone에서 보냄"
]

const forwards: ReadonlyArray<string> = [
  "---------- Forwarded message ---------",
  "-------- Forwarded Message --------",
  "Begin forwarded message:",
  "-------- Weitergeleitete Nachricht --------",
  "Anfang der weitergeleiteten Nachricht:",
  "---------- Message transféré ---------",
  "Début du message transféré :",
  "---------- Mensaje reenviado ----------",
  "---------- Messaggio inoltrato ---------",
  "-------- Пересылаемое сообщение --------"
]

describe("the text of a reply", () => {
  it("ends before an attribution, with quote marks and without", () => {
    for (const attribution of attributions) {
      assert.strictEqual(reply(`Thank you!\n\n${attribution}\n\n> It has\n> shipped.\n`), "Thank you!", attribution)
      assert.strictEqual(reply(`Thank you!\n${attribution}\n> It has shipped.`), "Thank you!", attribution)
      assert.strictEqual(
        reply(`Thank you!\n\n${attribution}\n\nIt has shipped.\n\nHelp Desk\n`),
        "Thank you!",
        attribution
      )
    }
  })

  it("ends before the header of the quoted mail", () => {
    for (const header of headers) {
      assert.strictEqual(reply(`Thank you!\n\n${header}\n\nIt has shipped.\n`), "Thank you!", header)
      assert.strictEqual(reply(`Thank you!\n${"_".repeat(32)}\n${header}\n\nIt has shipped.\n`), "Thank you!", header)
      assert.strictEqual(reply(`Thank you!\n\n${header}\n\n> It has shipped.\n\nAda\n`), "Thank you!\n\nAda", header)
    }
  })

  it("ends before a mark of the quoted mail", () => {
    for (const mark of marks)
      assert.strictEqual(reply(`Thank you!\n\n${mark}\n\nIt has shipped.\n`), "Thank you!", mark)
  })

  it("has no signature and no footer of a telephone", () => {
    for (const footer of [
      ...footers,
      "-- \nAda Lovelace\nLondon",
      "--\nAda Lovelace",
      "_____\nIdeas mailing list\nhttps://example.com"
    ]) {
      assert.strictEqual(reply(`Thank you!\n\n${footer}\n`), "Thank you!", footer)
      assert.strictEqual(
        reply(`Thank you!\n\n${footer}\n\n${attributions[0]}\n\n> It has shipped.`),
        "Thank you!",
        footer
      )
    }
  })

  it("keeps all answers between quotes", () => {
    const text = lines(
      "Hello,",
      "On 02/01/2026 09:59, Help Desk wrote:",
      "> Which size do you need, and in which colour shall we make the second one of them,",
      "since there are two?",
      "",
      "A large one.",
      "",
      "Green.",
      "> And when?",
      "Tomorrow, if possible.",
      "> --",
      "> Help Desk",
      "",
      "Ada"
    )
    assert.strictEqual(
      reply(text),
      "Hello,\n\nsince there are two?\n\nA large one.\n\nGreen.\n\nTomorrow, if possible.\n\nAda"
    )
  })

  it("has no rest of a quoted line that was wrapped", () => {
    const quoted = "> Which size do you need, and in which colour shall we make the second one of them,"
    assert.strictEqual(reply(lines("Large.", quoted, "since there are two?", "> Help Desk")), "Large.")
  })

  it("keeps an answer below the quote, also after a signature above it", () => {
    assert.strictEqual(reply("Help Desk wrote:\n> It has shipped.\n\nThank you!\n"), "Thank you!")
    assert.strictEqual(reply("-- \nAda\n\n> It has shipped.\n\nThank you!\n"), "Thank you!")
    assert.strictEqual(
      reply("On page 3 there is a mistake.\nBob <bob@example.com> wrote:\n> It is right.\n\nIt is not.\n"),
      "On page 3 there is a mistake.\n\nIt is not."
    )
    assert.strictEqual(reply("Quoting Help Desk <help@example.com>:\n\n> It has shipped.\n\nThank you!"), "Thank you!")
  })

  it("is the complete text of a forwarded mail", () => {
    const mail =
      "From: Help Desk <help@example.com>\nDate: Fri, 2 Jan 2026 09:59\nTo: Ada\nSubject: Your order\n\n> Hello\n"
    for (const mark of forwards) {
      const text = `For your information.\n\n${mark}\n${mail}`
      assert.strictEqual(reply(text), text, mark)
      assert.strictEqual(reply(`Thank you!\n\n-----Original Message-----\n\n${text}`), "Thank you!", mark)
      assert.strictEqual(reply(`> Forward it, please.\n\n${text}`), text.trimEnd(), mark)
    }
    for (const subject of [
      "Fwd: Your order",
      "FW: Your order",
      "WG: Ihre Bestellung",
      "[EXTERNAL] TR : Votre commande"
    ]) {
      assert.strictEqual(replyText(subject, `Please answer.\n\n${mail}`), `Please answer.\n\n${mail}`, subject)
    }
    assert.strictEqual(replyText("Re: Fwd: Your order", `Thank you!\n\n${mail}`), "Thank you!")
  })

  it("is the complete text if nothing else is left", () => {
    for (const text of [
      "",
      "\n",
      "> Hello\n",
      "On 02/01/2026 09:59, Ada wrote:\n\nHello\n",
      "Sent from my iPhone\n",
      "-- \nAda",
      headers[0] ?? ""
    ]) {
      assert.strictEqual(reply(text), text)
    }
  })

  it("keeps sentences and lists that look like a quote", () => {
    for (const text of [
      "On Monday John wrote: yes\nand I agreed.\n",
      "On Monday John wrote:\nyes, and I agreed.",
      "I do not know what Ada wrote:\n\nthe letter is lost.",
      "On 3 May you promised:\n\n- a refund\n- an answer",
      "On 12 May at 14:30 these parcels were sent:\n\n- 17\n- 18",
      "At 10:30 I called Bob <bob@example.com>:\n\nhe did not answer.",
      "On one hand it fits.\nOn the other hand it is green.",
      "From: London\nTo: Paris\nDate: 12 May\n\nTwo persons, please.",
      "From: our warehouse.\n\nPlease send it to: Ada",
      "Subject: the colour\n\nIt is green.",
      "Prices:\n--------\nLarge: 12\n--------\nSmall: 10",
      `First point\n--\nSecond point\n--\n${"A line\n".repeat(30)}`,
      "- one\n-- two\n--- three",
      "Sent from my desk, which is far from the door.",
      "Sent via DHL\n\nThe number is 123.",
      "I use Outlook for iOS\nand it fails.",
      "The original message said so.\n\nIs it forwarded?",
      "2 > 1, and 1 < 2\n -> see above",
      "It was 10:30:\n\nthe shop was closed."
    ]) {
      assert.strictEqual(reply(text), text)
    }
  })

  it("is read from the marked text of HTML", () => {
    assert.strictEqual(replyText("Re: A", "Thanks\nHello", "Thanks\n\n> Hello"), "Thanks")
    assert.strictEqual(replyText("Re: A", "Hello", "> Hello"), "Hello")
    const forward = "See\n---------- Forwarded message ---------\nHello"
    assert.strictEqual(replyText("A", forward, "See\n\n> Hello"), forward)
  })

  it("takes time in proportion to the text", () => {
    const attribution = "On 2 January 2026 at 10:00 Ada wrote:\n"
    for (const text of [
      "\n".repeat(100_000),
      "Le ".repeat(30_000) + "\n".repeat(30_000),
      "On x\n".repeat(100_000),
      `a\n${attribution.repeat(100_000)}`,
      `a\n${attribution.repeat(100_000)}`.replaceAll("wrote:", "<a@b.c>:\nb"),
      "From: a@example.com\n".repeat(100_000),
      "To: x\n".repeat(100_000),
      "--\n".repeat(100_000),
      "> a\nb\n".repeat(50_000),
      "<a\n>:\n".repeat(50_000),
      "-".repeat(10_000_000),
      "sent from iphone <a> ".repeat(500_000),
      "\n".repeat(10_000_000),
      "some words of a sentence on 3 May at 10:00, and more\n".repeat(200_000)
    ]) {
      const start = performance.now()
      assert.isNotEmpty(reply(text))
      assert.isBelow(performance.now() - start, 10_000, text.slice(0, 40))
    }
  }, 120_000)

  it("keeps the lines that are not examined", () => {
    const text = `${"a\n".repeat(150_000)}> b\n`
    assert.strictEqual(reply(text), text)
    assert.strictEqual(reply(`> b\n${"a\n".repeat(150_000)}`), "a\n".repeat(150_000).trimEnd())
  })
})
