import { afterEach } from "vitest";
import "../properties/runs.ts";
import "./tables.ts";
import { expectNothingUnread } from "./every-run.ts";

// Vitest runs this file before each test file, also where files share a worker.
afterEach(expectNothingUnread);

// It would replace the certificates of this machine, for tests in this process and in none other.
delete process.env.SSL_CERT_FILE;
