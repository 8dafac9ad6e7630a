package dev.berth.driver.spi;

import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.Volume;
import java.io.IOException;
import java.util.Map;

/// Changes properties of a living volume: MODIFY_VOLUME. Needs [Volumes].
public interface Modification {
  /// Looks at all of the parameters before anything is made or changed.
  ///
  /// @throws dev.berth.driver.model.Refusal INVALID for an unknown key or an impossible value
  void check(Map<String, String> parameters);

  /// Changes what the parameters name.
  ///
  /// @param parameters checked ones; a key that is absent stays as it is
  void modify(Volume volume, Map<String, String> parameters, Secrets secrets) throws IOException;
}
