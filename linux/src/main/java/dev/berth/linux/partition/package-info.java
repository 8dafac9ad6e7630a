/// Partitions of block devices: their table on the disk ([PartitionTable]), and what the kernel
/// makes of it ([KernelPartitions]). A kernel without a parser for the table is told of each
/// partition.
///
/// Always: a table that was not written to its end is none (`PartitionTableTest`).
@NullMarked
package dev.berth.linux.partition;

import org.jspecify.annotations.NullMarked;
