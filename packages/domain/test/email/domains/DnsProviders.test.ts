import { dnsProviderOf } from "@switchboard/domain/email/domains/DnsProviders"
import { assert, describe, it } from "vitest"

describe("A DNS provider", () => {
  it("is detected by the names of its servers", () => {
    for (const [nameservers, provider] of [
      [["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"], "Cloudflare"],
      [["ns-1536.awsdns-00.co.uk.", "NS-0.awsdns-00.com"], "Amazon Route 53"],
      [["ns01.domaincontrol.com"], "GoDaddy"],
      [["hydrogen.ns.hetzner.com", "oxygen.ns.hetzner.com"], "Hetzner"]
    ] as const) {
      const found = dnsProviderOf(nameservers)
      assert.strictEqual(found?.provider, provider)
      assert.match(found?.guideUrl ?? "", /^https:\/\//)
    }
  })

  it("is not detected for unknown or mixed servers", () => {
    for (const nameservers of [
      [],
      ["ns1.example.com"],
      ["ada.ns.cloudflare.com", "ns01.domaincontrol.com"],
      ["ada.ns.cloudflare.com", "ns1.example.com"],
      ["ns1.example.com", "ada.ns.cloudflare.com"],
      ["ns.cloudflare.com.example.com"],
      ["evilhover.com"]
    ]) {
      assert.isNull(dnsProviderOf(nameservers))
    }
  })
})
