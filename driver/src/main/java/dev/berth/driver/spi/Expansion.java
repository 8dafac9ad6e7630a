package dev.berth.driver.spi;

import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.SizeRange;
import dev.berth.driver.model.Usage;
import dev.berth.driver.model.Volume;
import java.io.IOException;
import java.util.Optional;

/// Makes volumes larger: EXPAND_VOLUME on the controller. Needs [Volumes].
public interface Expansion {
  /// Whether a volume can grow while a node has it.
  enum When {
    ONLINE,
    OFFLINE
  }

  /// What came of it.
  ///
  /// @param capacityBytes true size now
  /// @param node whether the node has something left to do
  record Expanded(long capacityBytes, NodeStep node) {
    public enum NodeStep {
      REQUIRED,
      NONE
    }
  }

  When when();

  /// Grows a volume that may be large enough already; never shrinks it.
  ///
  /// @param usage how it is used; empty: not said
  Expanded expand(Volume volume, SizeRange size, Optional<Usage> usage, Secrets secrets)
      throws IOException;
}
