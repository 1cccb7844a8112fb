import { assert, describe, it, layer } from "@effect/vitest"
import { type Language, languageOf } from "@switchboard/api/email/pages/RecipientTexts"
import { MessageId } from "@switchboard/domain/messages/Message"
import { unsubscribePath, unsubscribeToken } from "@switchboard/services/email/send/Unsubscribes"
import { Signatures } from "@switchboard/services/SecretBox"
import { Effect } from "effect"
import { call, LiveApi, organization } from "../../LiveApi.js"
import { ApiSecrets } from "../../StoredUseCases.js"

/** The path of a link of a message that was deleted. */
const link = Effect.map(Signatures, (signatures) => {
  const messageId = MessageId.make("01a1fc1d-cf8f-76d9-be28-523079250aaa")
  return `${unsubscribePath}?token=${unsubscribeToken(signatures, { messageId, organizationId: organization, recipient: "o'neil@example.com" })}`
}).pipe(Effect.provide(ApiSecrets))

const asBrowser = (language: string) => ({ Accept: "text/html,*/*;q=0.8", "Accept-Language": language })

const titles: Readonly<Record<Language, readonly [look: string, done: string, unknown: string]>> = {
  en: ["Unsubscribe", "Unsubscribed", "This link is not valid"],
  de: ["Abmelden", "Abgemeldet", "Dieser Link ist nicht gültig"],
  fr: ["Se désabonner", "Désabonnement effectué", "Ce lien n’est pas valide"],
  es: ["Darse de baja", "Baja realizada", "Este enlace no es válido"],
  pt: ["Cancelar inscrição", "Inscrição cancelada", "Este link não é válido"],
  ja: ["配信停止", "配信を停止しました", "このリンクは無効です"]
}

describe("The language of a page", () => {
  it.each([
    ["", "en"],
    ["de", "de"],
    ["DE-at", "de"],
    ["pt-BR,pt;q=0.9", "pt"],
    ["zh-TW,ja;q=0.5,fr;q=0.7", "fr"],
    ["en;q=0.1,es;q=0.2", "es"],
    ["fr;q=0,ja;q=0.001", "ja"],
    ["*", "en"],
    ["nl,*;q=0.5", "en"],
    ["constructor,__proto__,de;q=0.1", "de"],
    ["de;q=2,fr;q=0.5", "fr"]
  ])("of '%s' is %s", (header, language) => {
    assert.strictEqual(languageOf(header), language)
  })
})

layer(LiveApi.layer, { excludeTestServices: true })("The pages for recipients", (it) => {
  it.effect("are in the language of the request, also for an unknown link", () =>
    Effect.gen(function* () {
      const path = yield* link
      for (const [language, [look, done, unknown]] of Object.entries(titles)) {
        const pages = [
          { page: yield* call("GET", path, { key: null, headers: asBrowser(language) }), status: 200, title: look },
          { page: yield* call("POST", path, { key: null, headers: asBrowser(language) }), status: 200, title: done },
          {
            page: yield* call("GET", `${unsubscribePath}?token=a.b`, { key: null, headers: asBrowser(language) }),
            status: 404,
            title: unknown
          },
          {
            page: yield* call("GET", "/v1/email/senders/confirm?token=a.b", {
              key: null,
              headers: asBrowser(language)
            }),
            status: 404,
            title: unknown
          }
        ]
        for (const { page, status, title } of pages) {
          assert.strictEqual(page.status, status)
          assert.include(page.text, `<html lang="${language}">`)
          assert.include(page.text, `<title>${title}</title>`)
          assert.include(page.text, `<h1>${title}</h1>`)
          assert.strictEqual(page.headers.get("content-language"), language)
          assert.strictEqual(page.headers.get("vary"), "accept-language")
        }
      }
    })
  )

  it.effect("have the escaped name of the organization, and its logo only over https", () =>
    Effect.gen(function* () {
      const path = yield* link
      const name = `<script>alert("1")</script> & 'Sons'`
      const pageWith = (logo: string | null) =>
        Effect.gen(function* () {
          const { body, status } = yield* call("PATCH", "/v1/organizations/current", { body: { name, logo } })
          assert.strictEqual(status, 200, JSON.stringify(body))
          const page = yield* call("GET", path, { key: null, headers: asBrowser("en") })
          const escaped = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;Sons&#39;"
          assert.include(page.text, `from <bdi>${escaped}</bdi> to <bdi>o&#39;neil@example.com</bdi>?`)
          assert.notInclude(page.text, "<script")
          const policy = page.headers.get("content-security-policy") ?? ""
          assert.match(
            policy,
            /^default-src 'none'; style-src 'sha256-[^']+'; (?:img-src https:; )?form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/
          )
          return { images: page.text.match(/<img[^>]*>/g) ?? [], policy, escaped }
        })
      for (const logo of [null, "http://example.com/logo.png"]) {
        const { images, policy } = yield* pageWith(logo)
        assert.deepStrictEqual(images, [])
        assert.notInclude(policy, "img-src")
      }
      const { escaped, images, policy } = yield* pageWith("https://example.com/logo.png?a=1&b='%22")
      assert.deepStrictEqual(images, [
        `<img src="https://example.com/logo.png?a=1&amp;b=&#39;%22" alt="${escaped}" referrerpolicy="no-referrer">`
      ])
      assert.include(policy, "img-src https:;")
    })
  )

  it.effect("are for browsers: a mail provider gets the error of an unknown link", () =>
    Effect.gen(function* () {
      for (const Accept of ["*/*", "application/json"]) {
        const headers = { Accept, "Accept-Language": "de" }
        const { body, status } = yield* call("POST", `${unsubscribePath}?token=a.b`, { key: null, headers })
        assert.strictEqual(status, 404)
        assert.strictEqual(body._tag, "ResourceNotFoundError")
      }
    })
  )
})
