import { QueryClient, type QueryKey } from "@tanstack/react-query";
import { queryLifetimeMs, queryRetries, queryRetryDelayMs, queryStaleMs } from "~/lib/constants";
import { type QueryName, registerCache } from "./invalidation";

/** K07: data is fresh for 300 s and dropped after 5 min without use; three retries after min(1000·2ⁿ, 30000) ms. */
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

/** The browser's only client. The server does not have one, because its requests must not share anything. */
export function getQueryClient(): QueryClient {
  if (!browserClient) {
    const client = createQueryClient();
    browserClient = client;
    registerCache({
      clear: () => client.clear(),
      remove: (names) => {
        const isNamed = (key: QueryKey) => key.some((part) => names.includes(part as QueryName));
        client.removeQueries({ predicate: (query) => isNamed(query.queryKey) });
      },
    });
  }
  return browserClient;
}
