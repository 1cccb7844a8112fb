import { locationHeader } from "@switchboard/api/http/WithBodies"
import { baseUrl, listenerUrl, publicHost } from "@switchboard/server/settings/BaseUrl"
import { Option, Redacted } from "effect"
import { assert, describe, it } from "vitest"

describe("listenerUrl", () => {
  it("is a URL that clients on the same machine can open, for every address", () => {
    const urls = ["127.0.0.1", "mail.test", "0.0.0.0", "::", "::1", "fe80::1"].map((host) => listenerUrl(host, 3_000))
    assert.deepStrictEqual(urls, [
      "http://127.0.0.1:3000",
      "http://mail.test:3000",
      "http://127.0.0.1:3000",
      "http://[::1]:3000",
      "http://[::1]:3000",
      "http://[fe80::1]:3000"
    ])
    for (const url of urls) assert.isTrue(URL.canParse(url))
  })
})

describe("publicHost", () => {
  it("is the address of the listener, or the host of the base URL if that is all interfaces", () => {
    const hosts = ["127.0.0.1", "mail.test", "::1", "0.0.0.0", "::"]
    assert.deepStrictEqual(
      hosts.map((host) => publicHost(host, "https://switchboard.test:8443/mail")),
      ["127.0.0.1", "mail.test", "::1", "switchboard.test", "switchboard.test"]
    )
    assert.strictEqual(publicHost("::", "http://[2001:db8::1]:3000"), "2001:db8::1")
  })
})

describe("baseUrl", () => {
  it("is PUBLIC_URL without its last slash, or that of the listener", () => {
    const listener = { host: "127.0.0.1", port: 4_000 }
    assert.strictEqual(baseUrl({ ...listener, publicUrl: Option.none() }), "http://127.0.0.1:4000")
    const publicUrl = Option.some(Redacted.make("https://mail.example.com/api//"))
    assert.strictEqual(baseUrl({ ...listener, publicUrl }), "https://mail.example.com/api")
  })

  it("has the paths of created resources, also below the path of a proxy", () => {
    for (const [publicUrl, location] of [
      ["https://mail.example.com", "/v1/messages/1"],
      ["https://example.com/mail", "/mail/v1/messages/1"]
    ] as const) {
      assert.deepStrictEqual(locationHeader(publicUrl, "/v1/messages/:id")({ id: "1" }), { location })
    }
  })
})
