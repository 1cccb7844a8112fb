import { execFileSync, spawn } from "node:child_process"
import { Resolver } from "node:dns/promises"
import { skipReason } from "@switchboard/domain/testing/Programs"
import { Effect } from "effect"
import { dkimVerify } from "mailauth/lib/dkim/verify.js"

/** Verifies the first DKIM signature of a mail with the keys of a name server on loopback; returns `pass` or why it fails. */
type Verify = (mail: Buffer, nameServer: string) => Effect.Effect<string>

const succeeds = (program: string, ...args: ReadonlyArray<string>): boolean => {
  try {
    execFileSync(program, args, { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

/** Runs a script with a mail as its input and the port of a name server as its argument; returns its output. */
const scripted =
  (program: string, flag: string, script: string): Verify =>
  (mail, nameServer) =>
    Effect.async((resume) => {
      const child = spawn(program, [flag, script, nameServer.split(":")[1] ?? ""])
      let output = ""
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk))
      child.on("close", () => resume(Effect.succeed(output.trim())))
      child.stdin.on("error", () => undefined)
      child.stdin.end(mail)
    })

const mailauth: Verify = (mail, nameServer) =>
  Effect.promise(async () => {
    const resolver = new Resolver()
    resolver.setServers([nameServer])
    const { results } = await dkimVerify(mail, { resolver: (name) => resolver.resolveTxt(name) })
    return String(results[0]?.status.result ?? "unsigned")
  })

const dkimpy = `
import sys, dkim, dns.resolver
resolver = dns.resolver.Resolver(configure=False)
resolver.nameservers, resolver.port = ["127.0.0.1"], int(sys.argv[1])
key = lambda name, timeout=5: b"".join(resolver.resolve(name.decode(), "TXT")[0].strings)
try:
    print("pass" if dkim.DKIM(sys.stdin.buffer.read()).verify(idx=0, dnsfunc=key) else "fail")
except Exception as problem:
    print(repr(problem))
`

const mailDkim = `
use strict; use Mail::DKIM::Verifier; use Mail::DKIM::DNS; use Net::DNS;
Mail::DKIM::DNS::resolver(Net::DNS::Resolver->new(nameservers => ["127.0.0.1"], port => $ARGV[0], config_file => "/dev/null"));
binmode STDIN;
my $verifier = Mail::DKIM::Verifier->new();
while (my $line = <STDIN>) { $verifier->PRINT($line) }
$verifier->CLOSE;
my ($first) = $verifier->signatures;
print $first ? $first->result_detail : "unsigned";
`

/** The Python of the system, which has the packages of Debian. */
const python = "/usr/bin/python3"

/** Independent verifiers, and why their tests are skipped; empty if they run. */
export const dkimVerifiers: ReadonlyArray<{
  readonly name: string
  readonly obstacle: string
  readonly verify: Verify
}> = [
  { name: "mailauth", obstacle: "", verify: mailauth },
  {
    name: "dkimpy",
    obstacle: skipReason(succeeds(python, "-c", "import dkim"), "dkimpy", "apt-get install python3-dkim"),
    verify: scripted(python, "-c", dkimpy)
  },
  {
    name: "Mail::DKIM",
    obstacle: skipReason(
      succeeds("perl", "-MMail::DKIM::Verifier", "-e", "1"),
      "Mail::DKIM",
      "apt-get install libmail-dkim-perl"
    ),
    verify: scripted("perl", "-e", mailDkim)
  }
]
