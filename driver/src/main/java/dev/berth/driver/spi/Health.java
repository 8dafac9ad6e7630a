package dev.berth.driver.spi;

import dev.berth.driver.model.Condition;
import dev.berth.driver.model.Volume;
import java.io.IOException;

/// Tells how volumes are, as the back end sees them: VOLUME_CONDITION on the controller. Needs
/// [Listing].
public interface Health {
  Condition condition(Volume volume) throws IOException;
}
