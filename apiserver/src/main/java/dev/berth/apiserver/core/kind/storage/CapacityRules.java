package dev.berth.apiserver.core.kind.storage;

import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Names;
import dev.berth.apiserver.core.kind.Rules;
import java.util.List;

/// CSIStorageCapacities (API-104).
public final class CapacityRules implements Rules {
  @Override
  public boolean versionlessUpdate() {
    return false;
  }

  @Override
  public boolean goesQuietly() {
    return true;
  }

  @Override
  public List<String> quantities() {
    return List.of("capacity", "maximumVolumeSize");
  }

  @Override
  public void check(Field capacity) {
    if (capacity.at("storageClassName").demand())
      Names.SUBDOMAIN.check(capacity.at("storageClassName"));
    for (var size : List.of(capacity.at("capacity"), capacity.at("maximumVolumeSize")))
      size.quantity()
          .filter(quantity -> quantity.amount().signum() < 0)
          .ifPresent(_ -> size.invalid("must be greater than or equal to 0"));
  }

  @Override
  public void checkChange(Field capacity, Field stored) {
    capacity.at("nodeTopology").immutable(stored.at("nodeTopology"));
    capacity.at("storageClassName").immutable(stored.at("storageClassName"));
  }
}
