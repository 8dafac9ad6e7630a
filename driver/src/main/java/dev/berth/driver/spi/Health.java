package dev.berth.driver.spi;

import dev.berth.driver.model.Condition;
import dev.berth.driver.model.Volume;
import java.io.IOException;

/// Tells how volumes are, as the back end sees them: GET_VOLUME_HEALTH and LIST_VOLUME_HEALTH on
/// the controller, and VOLUME_CONDITION for callers by CSI 1.12. Needs [Listing].
public interface Health {
  Condition condition(Volume volume) throws IOException;
}
