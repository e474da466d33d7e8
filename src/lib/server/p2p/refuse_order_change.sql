-- The amount, price and expiry of an order are fixed when it is listed; an order that is over stays over.
CREATE OR REPLACE FUNCTION refuse_order_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'the terms of P2P order % are never changed, and one that is over stays so', OLD.id
		USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'p2p_orders_kept';
END $$;
