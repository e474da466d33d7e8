-- When the block of a payment was read that is none of ours: blocks themselves are kept for a short time. Payments from before this step count as read now.
ALTER TABLE "chain_strays" ADD COLUMN "read_at" timestamp (3) with time zone DEFAULT now() NOT NULL;
