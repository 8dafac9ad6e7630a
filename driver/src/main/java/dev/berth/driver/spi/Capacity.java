package dev.berth.driver.spi;

import dev.berth.driver.model.Topology;
import dev.berth.driver.model.Usage;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// Tells what is left: GET_CAPACITY. Needs [Volumes].
public interface Capacity {
  /// What is left.
  ///
  /// @param available bytes that can still be given to volumes; below 0, where more is promised
  ///   than there is, nobody is told but of 0
  /// @param largest largest volume that can be made now; empty: as large as `available`
  /// @param smallest smallest volume; empty: any
  record Room(long available, OptionalLong largest, OptionalLong smallest) {
    public static final Room NONE = new Room(0, OptionalLong.empty(), OptionalLong.empty());

    /// For volumes of any size up to all that is left.
    public static Room of(long available) {
      return new Room(available, OptionalLong.empty(), OptionalLong.empty());
    }
  }

  /// What is left for volumes like these.
  ///
  /// @param usages all of them must be possible; what cannot be used so has no room
  /// @param where only what is reachable from there; empty: all there is
  Room room(List<Usage> usages, Map<String, String> parameters, Optional<Topology> where)
      throws IOException;
}
