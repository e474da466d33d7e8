-- The time at which the block of an unknown payment was read. Blocks themselves are kept for a short time. Rows from before this step get the time of this step.
ALTER TABLE "chain_strays" ADD COLUMN "read_at" timestamp (3) with time zone DEFAULT now() NOT NULL;
