import { QueryClient, type QueryKey } from "@tanstack/react-query";
import { queryLifetimeMs, queryRetries, queryRetryDelayMs, queryStaleMs } from "~/lib/constants";
import { type QueryName, registerCache } from "./cache-registry";

/** K07: fresh for 300 s, kept for 5 min unused, three repetitions with min(1000·2ⁿ, 30000) ms. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: queryStaleMs,
        gcTime: queryLifetimeMs,
        retry: queryRetries,
        retryDelay: queryRetryDelayMs,
      },
    },
  });
}

let browserClient: QueryClient | undefined;

/** One in a browser. On the server a new one each time: nothing of one request is seen by another. */
export function getQueryClient(): QueryClient {
  if (typeof document === "undefined") return createQueryClient();
  if (!browserClient) {
    const client = createQueryClient();
    browserClient = client;
    registerCache({
      clear: () => client.clear(),
      forget: (names) => {
        const isNamed = (key: QueryKey) => key.some((part) => names.includes(part as QueryName));
        client.removeQueries({ predicate: (query) => isNamed(query.queryKey) });
      },
    });
  }
  return browserClient;
}
