import { isAutomaticReply } from "@switchboard/domain/email/receiving/AutomaticReply"
import { assert, describe, it } from "vitest"

const automatic: ReadonlyArray<readonly [name: string, value: string]> = [
  ["auto-submitted", "auto-replied"],
  ["auto-submitted", "auto-generated"],
  ["auto-submitted", 'auto-notified; owner-email="ada@example.com"'],
  ["auto-submitted", "  Auto-Replied (vacation)"],
  ["auto-submitted", "something-of-tomorrow"],
  ["precedence", "bulk"],
  ["precedence", "Junk"],
  ["precedence", "list"],
  ["precedence", "auto_reply"],
  ["x-auto-response-suppress", "All"],
  ["x-auto-response-suppress", "DR, RN, NRN, OOF, AutoReply"],
  ["x-autoreply", "yes"],
  ["x-autorespond", "Re: Hello"],
  ["x-autoresponder", "1"],
  ["x-auto-reply-from", "ada@example.com"],
  ["x-mail-autoreply", "true"],
  ["subject", "Automatic reply: Your order"],
  ["subject", "[EXTERNAL] AUTOMATIC REPLY: Re: Your order"],
  ["subject", "Out of Office AutoReply: Your order"],
  ["subject", "Out of office"],
  ["subject", "Automatische Antwort: Ihre Bestellung"],
  ["subject", "Abwesenheitsnotiz: Ihre Bestellung"],
  ["subject", "Réponse automatique : Votre commande"],
  ["subject", "Re\u0301ponse automatique: Votre commande"],
  ["subject", "Respuesta automática: Su pedido"],
  ["subject", "Risposta automatica: Il suo ordine"],
  ["subject", "Resposta automática: O seu pedido"],
  ["subject", "Automatisch antwoord: Uw bestelling"],
  ["subject", "Autosvar: Din beställning"],
  ["subject", "Automaattinen vastaus: Tilauksesi"],
  ["subject", "Odpowiedź automatyczna: Zamówienie"],
  ["subject", "Automatická odpověď: Objednávka"],
  ["subject", "Automatikus válasz: Rendelés"],
  ["subject", "Otomatik Yanıt: Sipariş"],
  ["subject", "Автоматический ответ: Заказ"],
  ["subject", "Автоматична відповідь: Замовлення"],
  ["subject", "Αυτόματη απάντηση: Παραγγελία"],
  ["subject", "自动回复: 订单"],
  ["subject", "自動応答：ご注文"],
  ["subject", "자동 회신: 주문"],
  ["list-id", "Friends of the sea <sea.example.com>"]
]

const personal: ReadonlyArray<readonly [name: string, value: string]> = [
  ["auto-submitted", "no"],
  ["auto-submitted", "No (a person wrote this)"],
  ["auto-submitted", "no; x=y"],
  ["auto-submitted", ""],
  ["precedence", "first-class"],
  ["precedence", "normal"],
  ["x-auto-response-suppress", "None"],
  ["x-auto-response-suppress", ""],
  ["x-autoreply", "no"],
  ["subject", "Auto-Submitted: auto-replied"],
  ["subject", "Re: Automatic reply: Your order"],
  ["subject", "How to set an automatic reply: a question"],
  ["subject", "Automatic replying"],
  ["subject", "Out of office chairs?"],
  ["x-mailer", "bulk"],
  ["list-unsubscribe", "<mailto:leave@example.com>"]
]

describe("A received mail", () => {
  it.each(automatic)("is automatic with %s: %s", (name, value) => {
    assert.isTrue(isAutomaticReply({ mailFrom: "ada@example.com", headers: [{ name, value }] }))
  })

  it.each(personal)("is personal with %s: %s", (name, value) => {
    assert.isFalse(isAutomaticReply({ mailFrom: "ada@example.com", headers: [{ name, value }] }))
  })

  it("is automatic with an empty reverse-path", () => {
    for (const mailFrom of ["", "<>", " "]) assert.isTrue(isAutomaticReply({ mailFrom, headers: [] }))
    assert.isFalse(isAutomaticReply({ mailFrom: "<ada@example.com>", headers: [] }))
  })

  it("is automatic with one automatic header, regardless of the others", () => {
    const headers = [
      { name: "auto-submitted", value: "no" },
      { name: "precedence", value: "bulk" }
    ]
    assert.isTrue(isAutomaticReply({ mailFrom: "ada@example.com", headers }))
  })
})
