package dev.berth.apiserver.core;

import java.util.UUID;
import java.util.random.RandomGenerator;

/// What the server makes up: uids and the ends of generated names. From a seeded generator it makes
/// up the same again.
public final class Ids {
  /// Without vowels and look-alikes, so that no word comes out (API-44).
  private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

  private static final int SUFFIX_LENGTH = 5;
  private static final long VERSION_BITS = 0xF000L;
  private static final long VERSION_4 = 0x4000L;
  private static final long VARIANT_BITS = 0xC000_0000_0000_0000L;
  private static final long VARIANT = 0x8000_0000_0000_0000L;

  private final RandomGenerator random;

  /// For one thread at a time.
  public Ids(RandomGenerator random) {
    this.random = random;
  }

  /// A random uid (version 4).
  String uid() {
    long high = (random.nextLong() & ~VERSION_BITS) | VERSION_4;
    long low = (random.nextLong() & ~VARIANT_BITS) | VARIANT;
    return new UUID(high, low).toString();
  }

  /// Any number from 0 on.
  int below(int limit) {
    return random.nextInt(limit);
  }

  /// Five characters that follow a generateName.
  String suffix() {
    var suffix = new StringBuilder(SUFFIX_LENGTH);
    for (int i = 0; i < SUFFIX_LENGTH; i++)
      suffix.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    return suffix.toString();
  }
}
