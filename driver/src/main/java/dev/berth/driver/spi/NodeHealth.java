package dev.berth.driver.spi;

import dev.berth.driver.model.Condition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// Tells how volumes are, as the node sees them: GET_VOLUME_HEALTH on the node, and
/// VOLUME_CONDITION for callers by CSI 1.12. Needs [NodeStats].
public interface NodeHealth {
  /// How the volume is now. Asked before [NodeStats#stats], too: if this says that it is abnormal,
  /// the volume need not be countable (CND-02). A mount that does not answer is told, not waited
  /// for.
  ///
  /// @param path where the volume is staged or published, or was to be; empty: wherever it is here
  /// @throws dev.berth.driver.model.Refusal NOT_FOUND if the volume is not there
  Condition condition(String volumeId, Optional<Path> path) throws IOException;
}
