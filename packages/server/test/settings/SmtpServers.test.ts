import { leavesMachine, smtpServers } from "@switchboard/server/settings/SmtpServers"
import { Either, Redacted } from "effect"
import { assert, describe, it } from "vitest"

const parsed = (text: string) => Either.map(smtpServers(text), Redacted.value)

const relays = (text: string) => {
  const servers = Either.getOrThrow(parsed(text))
  return servers._tag === "Relays" ? servers.relays.map(({ url, ...relay }) => [Redacted.value(url), relay]) : []
}

const problem = (text: string) => Either.getOrThrow(Either.flip(parsed(text)))

describe("SMTP_URL", () => {
  it("is one relay", () => {
    assert.deepStrictEqual(relays("smtp://user:p%40ss@relay.example.net:587"), [
      ["smtp://user:p%40ss@relay.example.net:587", { priority: 0, weight: 1, domains: [] }]
    ])
  })

  it("is several relays, each with priority, weight and domains of senders", () => {
    assert.deepStrictEqual(
      relays(
        " smtps://a.test?priority=10&weight=3  smtp://b.test:25?domains=Example.com,mail.example.net\nsmtp://c.test"
      ),
      [
        ["smtps://a.test", { priority: 10, weight: 3, domains: [] }],
        ["smtp://b.test:25", { priority: 0, weight: 1, domains: ["example.com", "mail.example.net"] }],
        ["smtp://c.test", { priority: 0, weight: 1, domains: [] }]
      ]
    )
  })

  it("is mx: alone for direct delivery", () => {
    assert.strictEqual(Either.getOrThrow(parsed("mx:"))._tag, "Direct")
    assert.strictEqual(problem("mx: smtp://a.test"), "must be mx: alone, or URLs of relays")
  })

  it("leaves the machine unless all relays are on loopback", () => {
    const leaves = (text: string) => leavesMachine(Either.getOrThrow(parsed(text)))
    assert.isTrue(leaves("mx:"))
    assert.isTrue(leaves("smtp://127.0.0.1 smtp://a.test"))
    assert.isFalse(leaves("smtp://127.0.0.1:1025 smtp://localhost"))
  })

  it("has clear errors without its passwords", () => {
    const expected = {
      "https://user:s3cret@a.test": "must be a URL that begins with smtp:// or smtps://",
      "smtp://a.test?priorty=1": "has the unknown parameter priorty: there are priority, weight, domains",
      "smtp://a.test?priority=-1": "priority must be a whole number from 0 to 65535",
      "smtp://a.test?weight=0": "weight must be a whole number from 1 to 65535",
      "smtp://a.test?domains=": "domains must be comma-separated domains of senders, like example.com,example.net",
      "smtp://a.test?domains=ada@example.com":
        "domains must be comma-separated domains of senders, like example.com,example.net",
      "smtp://a.test smtp://user:s3cret@b.test?weight=x": "URL 2 weight must be a whole number from 1 to 65535",
      "smtp://a.test?domains=example.com": "must have a relay without domains, for all other senders"
    }
    assert.deepStrictEqual(Object.fromEntries(Object.keys(expected).map((text) => [text, problem(text)])), expected)
  })
})
