import { countryOfPhone } from "@switchboard/services/participants/ParticipantRepo"
import { assert, describe, it } from "vitest"

describe("countryOfPhone", () => {
  it("distinguishes countries that share a calling code by area code", () => {
    assert.deepStrictEqual(
      ["+493012345678", "+14165550123", "+12125550123", "+441534123456", "+77172123456"].map(countryOfPhone),
      ["DE", "CA", "US", "JE", "KZ"]
    )
  })

  it("returns null for a text without a country code", () => assert.isNull(countryOfPhone("12")))
})
