/// The custom kinds that Berth brings with it: snapshots, group snapshots and reference grants
/// (API-02). Start at [ShippedKind].
///
/// Never: changes a definition that somebody else has made or changed (`ShippedKindsTest`).
@NullMarked
package dev.berth.cli.shipped;

import org.jspecify.annotations.NullMarked;
