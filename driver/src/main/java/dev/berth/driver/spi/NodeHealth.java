package dev.berth.driver.spi;

import dev.berth.driver.model.Condition;
import java.io.IOException;
import java.nio.file.Path;

/// Tells how volumes are, as the node sees them: VOLUME_CONDITION on the node. Needs [NodeStats].
public interface NodeHealth {
  /// How the volume is now. Asked before [NodeStats#stats]: if this says that it is abnormal, the
  /// volume need not be countable (CND-02). A mount that does not answer is told, not waited for.
  ///
  /// @param path where the volume is staged or published
  Condition condition(String volumeId, Path path) throws IOException;
}
