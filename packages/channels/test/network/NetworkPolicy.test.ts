import { assert, describe, it } from "@effect/vitest"
import { networkPolicy, parseNetwork } from "@switchboard/channels/network/NetworkPolicy"
import { Either } from "effect"
import { forbiddenAddresses, publicAddresses } from "./Addresses.js"

const policy = (allow: ReadonlyArray<string> = [], own: ReadonlyArray<string> = []) =>
  networkPolicy({ allow: allow.map((text) => Either.getOrThrow(parseNetwork(text))), ownAddresses: () => own })

describe("networkPolicy without NETWORK_ALLOW", () => {
  for (const [address, kind] of forbiddenAddresses) {
    it(`forbids ${address === "" ? "an empty address" : address} (${kind})`, () => {
      assert.include(policy().verdict(address), { _tag: "Forbidden" })
      assert.include(JSON.stringify(policy().verdict(address)), kind)
    })
  }

  for (const address of publicAddresses) {
    it(`allows ${address}`, () => assert.deepStrictEqual(policy().verdict(address), { _tag: "Public" }))
  }

  it("forbids a public address of this machine", () => {
    const own = ["1.1.1.1", "2606:4700:4700::1111"]
    for (const address of ["1.1.1.1", "2606:4700:4700:0::1111"]) {
      assert.deepStrictEqual(policy([], own).verdict(address), {
        _tag: "Forbidden",
        kind: "an address of this machine"
      })
    }
    assert.deepStrictEqual(policy([], own).verdict("1.1.1.2"), { _tag: "Public" })
    assert.deepStrictEqual(policy(["1.1.1.1/32"], own).verdict("1.1.1.1"), { _tag: "Opened" })
  })
})

describe("networkPolicy with NETWORK_ALLOW", () => {
  it("opens the addresses of its blocks only", () => {
    const { verdict } = policy(["127.0.0.0/8", "10.1.2.0/24", "fd00::/8"])
    for (const address of ["127.0.0.1", "127.9.9.9", "10.1.2.255", "fd12::1"]) {
      assert.deepStrictEqual(verdict(address), { _tag: "Opened" }, address)
    }
    for (const address of ["10.1.3.0", "::1", "fc00::1", "192.168.0.1"]) {
      assert.strictEqual(verdict(address)._tag, "Forbidden", address)
    }
  })

  it("opens the IPv4-mapped form of an IPv4 address, and no other form", () => {
    const { verdict } = policy(["127.0.0.0/8"])
    assert.deepStrictEqual(verdict("::ffff:127.0.0.1"), { _tag: "Opened" })
    assert.deepStrictEqual(verdict("::ffff:7f00:1"), { _tag: "Opened" })
    for (const address of [
      "::ffff:10.0.0.1",
      "::7f00:1",
      "::127.0.0.1",
      "64:ff9b::7f00:1",
      "2002:7f00:1::",
      "::ffff:0:127.0.0.1"
    ]) {
      assert.strictEqual(verdict(address)._tag, "Forbidden", address)
    }
  })

  it("opens public addresses", () => {
    assert.deepStrictEqual(policy(["8.8.8.8/32"]).verdict("8.8.8.8"), { _tag: "Opened" })
    assert.deepStrictEqual(policy(["0.0.0.0/0", "::/0"]).verdict("fe80::1"), { _tag: "Opened" })
  })

  for (const text of [
    "127.0.0.1",
    "127.0.0.0/33",
    "10/8",
    "::/129",
    "localhost/8",
    "127.0.0.0/8/8",
    "",
    "1.2.3.4/-1"
  ]) {
    it(`rejects ${JSON.stringify(text)}, which is not a CIDR`, () => assert.isTrue(Either.isLeft(parseNetwork(text))))
  }
})
