/** The parameters of a path, for example `id` of `/messages/:id`. */
export type PathParams<Path extends string> = string extends Path
  ? Readonly<Record<string, string>>
  : Path extends `${string}:${infer Name}/${infer Rest}`
    ? { readonly [Key in Name]: string } & PathParams<Rest>
    : Path extends `${string}:${infer Name}`
      ? { readonly [Key in Name]: string }
      : Readonly<Record<never, string>>

const decode = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** The parameters of a path that matches the pattern; undefined for other paths. */
export function matchPath<Path extends string>(pattern: Path, path: string): PathParams<Path> | undefined
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const expected = pattern.split("/")
  const given = path.split("/")
  if (expected.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, segment] of expected.entries()) {
    const value = decode(given[index] ?? "")
    if (value === undefined || (value === "") !== (segment === "")) return undefined
    if (segment.startsWith(":")) params[segment.slice(1)] = value
    else if (segment !== value) return undefined
  }
  return params
}

/** The path with the values of its parameters. */
export const pathWith = (pattern: string, params: Readonly<Record<string, string>>): string =>
  pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""))
