-- An address stays as the signer made it, and belongs for ever to the customer that it was assigned to.
CREATE OR REPLACE FUNCTION refuse_address_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'address % of % is never changed, and given to one customer only', OLD.address, OLD.chain
		USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'chain_addresses_kept';
END $$;
