/// What stands on disk: volumes with their backing files, where they are attached, what nodes do
/// with them. Start at [Pool].
///
///     POOL/pool                           the pool's id
///     POOL/lock                           locks between processes, one byte each; no content
///     POOL/ledger                         a generation, then volumes, snapshots, and what is
///                                         published where
///     POOL/ledger.end                     how much of the ledger was acknowledged
///     POOL/lost/                          files that no entry tells of, where one may be lost
///     POOL/volumes/vol-HASH-RANDOM.img    the backing file of a volume, HASH from its name
///     POOL/snapshots/snap-HASH-RANDOM.img a snapshot's content
///     POOL/nodes/NODE/node                a node that reaches this pool
///     POOL/nodes/NODE/volumes/VOLUME      what the node does with it
///     POOL/nodes/NODE/ephemeral/VOLUME.img  a volume that lives and dies with a pod there
///
/// Always: an entry is there whole or not at all, and on disk before anybody hears of it
/// (`LedgerTest`). A backing file without an entry belongs to nobody: it is left of a call that
/// was cut off, and removed by the next process that controls the pool. Never, if an entry may
/// have been lost (`LostLedgerTest`).
///
/// Always: only the owner of a pool can open what is in it, also if an earlier process let
/// everybody (`OwnerOnlyTest`).
///
/// Never: a name or id of somebody else as part of a path (`HostileInputTest`); two processes that
/// control one pool.
@NullMarked
package dev.berth.driver.disk.pool;

import org.jspecify.annotations.NullMarked;
