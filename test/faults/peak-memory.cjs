// Loaded before the program (NODE_OPTIONS=--require): leaves the most memory that the process ever had resident, in
// KiB, in the file that PEAK_MEMORY_FILE names. Throws where the system does not tell.
const { readFileSync, writeFileSync } = require("node:fs");

process.on("exit", () => {
  // Not process.resourceUsage(): Linux counts what the parent had before exec as well.
  const status = readFileSync("/proc/self/status", "latin1");
  writeFileSync(process.env.PEAK_MEMORY_FILE, /^VmHWM:\s*(\d+) kB$/m.exec(status)[1]);
});
