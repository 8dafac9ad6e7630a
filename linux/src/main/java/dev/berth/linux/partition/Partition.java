package dev.berth.linux.partition;

import java.util.UUID;

/// One partition, as a table describes it.
///
/// @param number from 1
/// @param uuid its own (PARTUUID)
/// @param name its label; may be empty
/// @param start bytes from the beginning of the device
/// @param length bytes
public record Partition(int number, UUID uuid, String name, long start, long length) {}
