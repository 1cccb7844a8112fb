import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { objectKey } from "@switchboard/domain/objects/ObjectKey"
import type { ObjectStore } from "@switchboard/services/objects/ObjectStore"
import { Chunk, Data, Effect, Option, type Scope, Stream } from "effect"
import { organizationId } from "../Fixtures.js"

class Broken extends Data.TaggedError("Broken")<object> {}

/** Fails after four of eight octets. */
export const failingStream = Stream.concat(Stream.make(Buffer.from("half")), new Broken())

export const newKey = () => objectKey(organizationId, "tests", randomUUID())

const text = "text/plain"

/** The contract of ObjectStore, for every implementation. */
export const objectStoreContract = <E>(name: string, made: Effect.Effect<ObjectStore["Type"], E, Scope.Scope>) =>
  describe(`ObjectStore (${name})`, () => {
    it.scopedLive("stores an object until it is removed", () =>
      Effect.gen(function* () {
        const store = yield* made
        const key = newKey()
        assert.isTrue(Option.isNone(yield* store.get(key)))
        assert.isTrue(Option.isNone(yield* store.read(key)))
        yield* store.put(key, Buffer.from("first"), text)
        yield* store.put(key, Buffer.from("second"), text)
        assert.strictEqual(Buffer.from(yield* Effect.flatten(store.get(key))).toString(), "second")
        yield* store.remove([key, newKey()])
        assert.isTrue(Option.isNone(yield* store.get(key)))
        yield* store.remove([key])
        yield* store.remove([])
      })
    )

    it.scopedLive("stores an empty object", () =>
      Effect.gen(function* () {
        const store = yield* made
        const key = newKey()
        yield* store.put(key, new Uint8Array(), text)
        assert.strictEqual((yield* Effect.flatten(store.get(key))).byteLength, 0)
      })
    )

    it.scopedLive("writes and reads a large object as a stream", () =>
      Effect.gen(function* () {
        const store = yield* made
        const key = newKey()
        const pieces = Array.from({ length: 32 }, (_, at) => new Uint8Array(65_536).fill(at))
        const contentLength = pieces.length * 65_536
        yield* store.putStream(key, Stream.fromIterable(pieces), { contentType: text, contentLength })
        const reading = yield* Effect.flatten(store.read(key))
        assert.strictEqual(reading.contentLength, contentLength)
        const got = Buffer.concat(Chunk.toReadonlyArray(yield* Stream.runCollect(reading.bytes)))
        assert.isTrue(got.equals(Buffer.concat(pieces)))
      })
    )

    it.scopedLive("fails with the error of the written stream", () =>
      Effect.gen(function* () {
        const store = yield* made
        const failure = yield* Effect.flip(
          store.putStream(newKey(), failingStream, { contentType: text, contentLength: 8 })
        )
        assert.strictEqual(failure._tag, "Broken")
      })
    )
  })
