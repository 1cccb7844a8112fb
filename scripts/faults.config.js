// The vite-node configuration of `npm run faults`: workspace packages resolve to their sources, as in tests.
const conditions = ["@switchboard/source", "node", "import", "default"]

export default { resolve: { conditions }, ssr: { resolve: { conditions } } }
