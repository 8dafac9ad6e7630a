package dev.berth.driver.spi;

import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.SizeRange;
import dev.berth.driver.model.Usage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// Grows what is on a volume to the volume's size: EXPAND_VOLUME on the node. Needs [OnNode].
public interface NodeExpansion {
  /// Large enough already is done.
  ///
  /// @param path where the volume is staged or published
  /// @param size [SizeRange#ANY]: as far as the volume reaches
  /// @return size in bytes afterwards
  long expand(String volumeId, Path path, SizeRange size, Optional<Usage> usage, Secrets secrets)
      throws IOException;
}
