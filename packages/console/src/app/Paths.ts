const folder = "/console/"

/** The path before `/console/`: empty, or the base path of the service. */
export const basePath = (): string => location.pathname.slice(0, location.pathname.indexOf(folder))

/** The path of the console, with a slash at its end. */
export const consoleRoot = (): string => `${basePath()}${folder}`

/** The URL of a path within the console. Empty query parameters are left out. */
export const urlOf = (path: string, query: Readonly<Record<string, string | undefined>> = {}): string => {
  const given = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? "") !== "")
  const search = new URLSearchParams(given).toString()
  return `${consoleRoot()}${path.slice(1)}${search === "" ? "" : `?${search}`}`
}

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

/** The paths of the views: apart from the views, so that views can link to each other. */
export const paths = {
  messages: "/messages",
  message: "/messages/:id",
  send: "/send",
  mailbox: "/mailbox",
  mail: "/mailbox/:id",
  handset: "/handset",
  handsetText: "/handset/:id",
  threads: "/threads",
  thread: "/threads/:id",
  conversations: "/conversations",
  conversation: "/conversations/:id",
  contacts: "/contacts",
  contact: "/contacts/:id",
  drafts: "/drafts",
  draft: "/drafts/:id",
  domains: "/domains",
  domain: "/domains/:id",
  senders: "/senders",
  forwarding: "/forwarding",
  forwardingLog: "/forwarding/log",
  blocks: "/blocks",
  blockLog: "/blocks/log",
  numbers: "/numbers",
  optOuts: "/opt-outs",
  templates: "/templates",
  template: "/templates/:id",
  templateEditor: "/templates/:id/edit",
  webhooks: "/webhooks",
  webhook: "/webhooks/:id",
  keys: "/api-keys",
  key: "/api-keys/:id",
  people: "/people",
  invitations: "/people/invitations",
  submission: "/smtp",
  calls: "/voice/calls",
  call: "/voice/calls/:id",
  agents: "/voice/agents",
  agent: "/voice/agents/:id",
  workflows: "/voice/workflows",
  workflow: "/voice/workflows/:id",
  workflowEditor: "/voice/workflows/:id/edit",
  organization: "/organization",
  audit: "/audit",
  analytics: "/analytics",
  system: "/system"
} as const

/** The URL of a view: `linkTo(paths.message, { id })`. */
export const linkTo = <Path extends string>(
  path: Path,
  params: PathParams<Path>,
  query?: Readonly<Record<string, string | undefined>>
): string => urlOf(pathWith(path, params), query)
