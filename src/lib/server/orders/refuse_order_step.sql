-- The allowed steps of an order's status; a test compares them with ORDER_STEPS of src/lib/domain/orders/order.ts.
CREATE OR REPLACE FUNCTION refuse_order_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF (OLD.status, NEW.status) NOT IN ((0, 1), (0, 2), (1, 2)) THEN
		RAISE EXCEPTION 'order % does not go from % to %', OLD.id, OLD.status, NEW.status
			USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'orders_steps';
	END IF;
	RETURN NEW;
END $$;
