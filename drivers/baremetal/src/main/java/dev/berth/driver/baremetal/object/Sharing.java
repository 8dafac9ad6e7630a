package dev.berth.driver.baremetal.object;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.object.Meta;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Optional;

/// How several volumes share a drive (BM-210): in `spec` of the drive, so that one compare-and-set
/// decides who has how much of it (BM-81).
///
/// @param begun whether anything of the file system on which the volumes are may be on the drive
public record Sharing(List<Share> shares, boolean begun) {
  public static final Sharing NONE = new Sharing(List.of(), false);

  /// What the file system takes for itself: a part that grows with the drive, and its journal.
  private static final int PART_OF_OVERHEAD = 32;

  private static final long LEAST_OVERHEAD = 12L << 20;
  private static final long MOST_OVERHEAD = 4L << 30;

  public Sharing {
    shares = List.copyOf(shares);
  }

  static Sharing read(JsonNode spec) {
    return new Sharing(Json.list(spec.path("Shares"), Share::read), spec.path("Pool").asBoolean());
  }

  /// Whether the drive is shared, or still bears what was made for that.
  public boolean any() {
    return begun || !shares.isEmpty();
  }

  public Optional<Share> of(Meta volume) {
    return shares.stream().filter(it -> it.isOf(volume)).findFirst();
  }

  /// Bytes that volumes have.
  public long taken() {
    return shares.stream().mapToLong(Share::size).sum();
  }

  /// Bytes that volumes can have of a drive of this size.
  public static long usable(long driveSize) {
    long overhead = Math.max(LEAST_OVERHEAD, driveSize / PART_OF_OVERHEAD);
    return Math.max(0, driveSize - Math.min(overhead, MOST_OVERHEAD));
  }
}
