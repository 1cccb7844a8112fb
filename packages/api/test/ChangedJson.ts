import { FastCheck, Predicate } from "effect"

const own = FastCheck.constantFrom("__proto__", "constructor", "toString", "hasOwnProperty", "email", "id", "x")
const scalar = FastCheck.oneof(
  FastCheck.constantFrom<unknown>(
    null,
    "",
    "a",
    "ADA@Example.com",
    "ada@bücher.example",
    "Ada <ada@example.com>",
    true,
    0
  ),
  FastCheck.constantFrom<unknown>(
    "01A1FC1D-CF8F-76D9-BE28-52307925009F",
    "2026-11-20T09:30:00Z",
    "2026-02-30",
    "email"
  ),
  FastCheck.constantFrom<unknown>({}, [], [{}], { email: "a@example.com" }, -1, 1.5, 1e300, "x\r\ny"),
  FastCheck.jsonValue()
)

/** One random change of a value: a member is removed, added or replaced. */
const change = (value: unknown): FastCheck.Arbitrary<unknown> => {
  if (Array.isArray(value)) {
    const place = FastCheck.nat({ max: value.length })
    return place.chain((index) =>
      (index < value.length ? change(value[index]) : scalar).map((made): unknown => value.toSpliced(index, 1, made))
    )
  }
  if (!Predicate.isRecord(value)) return scalar
  const keys = Object.keys(value)
  const without = (gone: string) => Object.fromEntries(Object.entries(value).filter(([key]) => key !== gone))
  const parsed = (key: string, made: unknown): unknown =>
    JSON.parse(JSON.stringify({ ...without(key), member: made }).replace(/"member":(?!.*"member":)/, `"${key}":`))
  return FastCheck.oneof(
    scalar,
    FastCheck.tuple(own, scalar).map(([key, made]) => parsed(key, made)),
    ...keys.flatMap((key) => [
      FastCheck.constant<unknown>(without(key)),
      change(value[key]).map((made) => ({ ...value, [key]: made }))
    ])
  )
}

/** A value with one or two random changes. */
export const changed = (example: unknown) =>
  change(example).chain((once) => FastCheck.oneof(FastCheck.constant(once), change(once)))
