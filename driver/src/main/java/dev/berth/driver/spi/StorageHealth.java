package dev.berth.driver.spi;

import dev.berth.driver.model.BackendAilment;
import java.io.IOException;
import java.util.List;

/// Tells how the storage is that a node's volumes come from, as this node sees it:
/// GET_STORAGE_HEALTH. Needs [OnNode].
public interface StorageHealth {
  /// What is wrong; empty: nothing that is known.
  List<BackendAilment> storageHealth() throws IOException;
}
