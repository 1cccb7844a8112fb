import { relayTls } from "@switchboard/server/settings/RelayTls"
import { Option, Redacted } from "effect"
import { assert, describe, it } from "vitest"

const unset = (url: string) => relayTls(Option.none(), Redacted.make(url))

describe("TLS to the relay without SMTP_TLS", () => {
  it("is required if a password leaves the machine", () => {
    for (const host of [
      "relay.example.com",
      "relay.example.com:587",
      "10.0.0.1",
      "[2001:db8::1]",
      "localhost.example"
    ]) {
      assert.strictEqual(unset(`smtp://user:password@${host}`), "require", host)
      assert.strictEqual(unset(`smtps://user@${host}`), "require", host)
      assert.strictEqual(unset(`smtp://${host}`), "opportunistic", host)
    }
  })

  it("is not required on loopback", () => {
    for (const host of ["localhost", "relay.localhost:25", "127.0.0.1:1025", "127.1.2.3", "[::1]:25"]) {
      assert.strictEqual(unset(`smtp://user:password@${host}`), "opportunistic", host)
    }
  })
})

describe("TLS to the relay with SMTP_TLS", () => {
  it("follows the setting", () => {
    const url = Redacted.make("smtp://user:password@relay.example.com")
    assert.strictEqual(relayTls(Option.some("opportunistic"), url), "opportunistic")
    assert.strictEqual(relayTls(Option.some("require"), Redacted.make("smtp://127.0.0.1")), "require")
  })
})
