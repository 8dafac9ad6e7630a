package dev.berth.driver.spi;

import dev.berth.driver.model.Volume;
import java.io.IOException;
import java.util.stream.Stream;

/// Shows all volumes: LIST_VOLUMES and GET_VOLUME. Needs [Volumes].
public interface Listing {
  /// Volumes in the order of their ids, as text is compared.
  ///
  /// @param after only those whose id is greater; empty: all
  Stream<Volume> volumesAfter(String after) throws IOException;
}
