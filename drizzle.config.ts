import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  casing: "snake_case",
  schema: "./app/exchange.server/db/schema/*.ts",
  out: "./app/exchange.server/db/migrations",
});
