import { qualityValues } from "@switchboard/api/http/Compression"
import { assert, describe, it } from "vitest"

const entriesOf = (header: string) => Object.fromEntries(qualityValues(header))

describe("qualityValues", () => {
  it("reads values and weights in any case, with white space and other parameters", () => {
    assert.deepStrictEqual(entriesOf("gzip"), { gzip: 1 })
    assert.deepStrictEqual(entriesOf(" GZIP ; Q=0.5 ,\tbr;q=1.000, *;q=0"), { gzip: 0.5, br: 1, "*": 0 })
    assert.deepStrictEqual(entriesOf("text/html;level=1;q=0.4, */*"), { "text/html": 0.4, "*/*": 1 })
  })

  it("ignores values with an invalid weight, and empty elements", () => {
    for (const header of [
      "",
      ",",
      ";q=1",
      "gzip;q=2",
      "gzip;q=-1",
      "gzip;q=1.001",
      "gzip;q=0.1234",
      "gzip;q=x",
      "gzip;q"
    ]) {
      const { gzip, ...others } = entriesOf(header)
      assert.deepStrictEqual([header, gzip, others], [header, header === "gzip;q" ? 1 : undefined, {}])
    }
  })
})
