/** Triggers that make the ledger's transfers, the order events and the record of operators' actions append-only. */
export const appendOnlyTriggers = `
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create or replace trigger ledger_transfers_append_only before update or delete on ledger_transfers
  for each row execute function refuse_change();
create or replace trigger ledger_transfers_no_truncate before truncate on ledger_transfers
  for each statement execute function refuse_change();
create or replace trigger order_events_append_only before update or delete on order_events
  for each row execute function refuse_change();
create or replace trigger order_events_no_truncate before truncate on order_events
  for each statement execute function refuse_change();
create or replace trigger operator_actions_append_only before update or delete on operator_actions
  for each row execute function refuse_change();
create or replace trigger operator_actions_no_truncate before truncate on operator_actions
  for each statement execute function refuse_change();
`;
