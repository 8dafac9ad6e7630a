/// What a pool knows, entry by entry, in one file that only grows. Start at [Ledger].
///
/// Always: an entry is there whole or not at all, and on disk before anybody hears of it
/// (`LedgerTest`); what was acknowledged and is gone is told ([LedgerEnd], `LostLedgerTest`).
/// Never: what an entry means (`RoomsArchitectureTest`).
@NullMarked
package dev.berth.driver.disk.ledger;

import org.jspecify.annotations.NullMarked;
