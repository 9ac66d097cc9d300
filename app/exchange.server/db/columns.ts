import { customType } from "drizzle-orm/pg-core";

/** An amount in integer base units: numeric(38,0) in the database, bigint in code. */
export const baseUnits = customType<{ data: bigint; driverData: string }>({
  dataType: () => "numeric(38, 0)",
  fromDriver: (value) => BigInt(value),
  toDriver: (value) => value.toString(),
});
