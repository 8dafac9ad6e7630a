package dev.berth.driver.disk.pool;

import java.util.Optional;

/// Whether a machine holds a volume. The kernel knows, whatever any record says.
public interface InUse {
  /// Who holds the backing file, such as `/dev/loop3`; empty: nobody.
  Optional<String> of(Pool pool, String volumeId);
}
