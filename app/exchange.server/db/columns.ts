import { customType, text, timestamp } from "drizzle-orm/pg-core";
import { addressTypes, assetSymbols } from "../../lib/assets";

/** An amount in integer base units: numeric(38,0) in the database, bigint in code. */
export const baseUnits = customType<{ data: bigint; driverData: string }>({
  dataType: () => "numeric(38, 0)",
  fromDriver: (value) => BigInt(value),
  toDriver: (value) => value.toString(),
});

export const asset = () => text({ enum: assetSymbols });

export const addressType = () => text({ enum: addressTypes });

export const time = () => timestamp({ withTimezone: true });
