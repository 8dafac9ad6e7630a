package dev.berth.driver.spi;

import dev.berth.driver.model.Publication;
import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.Usage;
import dev.berth.driver.model.Volume;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Makes volumes available on nodes: PUBLISH_UNPUBLISH_VOLUME, PUBLISH_READONLY and, with
/// [Listing], LIST_VOLUMES_PUBLISHED_NODES. Needs [Volumes] and [OnNode].
///
/// Calls for one volume on several nodes come at the same time (CON-01). Two that exclude each
/// other never do: which of them may go on is decided before this is asked. Of one volume on one
/// node there is one call at a time.
public interface Publishing {
  boolean knowsNode(String nodeId) throws IOException;

  /// Where the volume is available.
  List<Publication> publications(Volume volume) throws IOException;

  /// Makes the volume available on a node where it is not yet; who may have it beside whom is
  /// already decided.
  ///
  /// @return for the node; equal whenever the same publication is asked for again
  /// @throws dev.berth.driver.model.Refusal NO_ROOM if the node has as many volumes as it can take
  Map<String, String> publish(
      Volume volume, String nodeId, Usage usage, boolean readOnly, Secrets secrets)
      throws IOException;

  /// Makes it unavailable. A volume or node that is gone, or had it never, is done already.
  ///
  /// @param nodeId empty: on all nodes
  void unpublish(String volumeId, Optional<String> nodeId, Secrets secrets) throws IOException;
}
