import { assert, describe, it } from "@effect/vitest"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { maxReads, ReadSlots } from "@switchboard/store/database/ReadSlots"

const organization = (digit: number) => OrganizationId.make(`00000000-0000-7000-8000-00000000000${digit}`)
const [a, b, c] = [organization(1), organization(2), organization(3)]

/** The reads in the order in which they started, and the function that ends each. */
const start = (slots: ReadSlots) => {
  const started: Array<string> = []
  const ends = new Map<string, () => void>()
  const enter = (of: OrganizationId, ...names: ReadonlyArray<string>) => {
    for (const name of names) {
      slots.enter(of, (end) => {
        started.push(name)
        ends.set(name, end)
      })
    }
  }
  return { started, enter, end: (name: string) => ends.get(name)?.() }
}

describe("ReadSlots", () => {
  it("runs at most two reads of an organization", () => {
    const { end, enter, started } = start(new ReadSlots(20))
    enter(a, "a1", "a2", "a3", "a4")
    assert.lengthOf(started, maxReads)
    end("a2")
    end("a2")
    assert.deepStrictEqual(started, ["a1", "a2", "a3"])
  })

  it("runs one read of an organization at a time while its reads are long", () => {
    let now = 0
    const { end, enter, started } = start(new ReadSlots(20, () => now))
    const after = (duration: number, name: string) => {
      now += duration
      end(name)
    }
    enter(a, "a1", "a2", "a3", "a4", "a5", "a6")
    after(15, "a1")
    assert.deepStrictEqual(started, ["a1", "a2", "a3"])
    after(0, "a2")
    assert.deepStrictEqual(started, ["a1", "a2", "a3"])
    after(2.5, "a3")
    assert.deepStrictEqual(started, ["a1", "a2", "a3", "a4"])
    enter(b, "b1", "b2")
    assert.deepStrictEqual(started, ["a1", "a2", "a3", "a4", "b1", "b2"])
    after(0.25, "a4")
    assert.deepStrictEqual(started, ["a1", "a2", "a3", "a4", "b1", "b2", "a5", "a6"])
  })

  it("keeps a slot for the first read of another organization", () => {
    const { enter, started } = start(new ReadSlots(4))
    enter(a, "a1", "a2", "a3")
    enter(b, "b1", "b2")
    enter(c, "c1")
    assert.deepStrictEqual(started, ["a1", "a2", "b1", "c1"])
  })

  it("prefers the organization with the fewest reads, and its oldest read", () => {
    const { end, enter, started } = start(new ReadSlots(2))
    enter(a, "a1", "a2", "a3")
    enter(b, "b1", "b2")
    enter(c, "c1")
    assert.deepStrictEqual(started, ["a1", "b1"])
    end("a1")
    assert.deepStrictEqual(started, ["a1", "b1", "a2"])
    end("b1")
    assert.deepStrictEqual(started, ["a1", "b1", "a2", "b2"])
    end("a2")
    assert.deepStrictEqual(started, ["a1", "b1", "a2", "b2", "a3"])
    end("a3")
    assert.deepStrictEqual(started, ["a1", "b1", "a2", "b2", "a3", "c1"])
  })

  it("runs reads with a single slot", () => {
    const { end, enter, started } = start(new ReadSlots(1))
    enter(a, "a1", "a2")
    enter(b, "b1")
    end("a1")
    end("a2")
    assert.deepStrictEqual(started, ["a1", "a2", "b1"])
  })
})
