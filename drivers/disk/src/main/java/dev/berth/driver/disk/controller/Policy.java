package dev.berth.driver.disk.controller;

/// How much is promised to volumes.
///
/// Backing files take room only where something was written, so that more can be promised than is
/// there; the promise may then be broken by a full disk.
///
/// @param overcommit how many times the size of its file system a pool may promise
/// @param largestVolume bytes
public record Policy(double overcommit, long largestVolume) {
  public static final Policy USUAL = new Policy(20, 8L << 40);

  public Policy {
    if (!(overcommit > 0))
      throw new IllegalArgumentException("--overcommit %s is not above 0".formatted(overcommit));
    if (largestVolume <= 0)
      throw new IllegalArgumentException("the largest volume must be above 0");
  }
}
