package dev.berth.volume.health;

import dev.berth.csi.v1.NodeGetStorageHealthResponse;
import dev.berth.csi.v1.NodeGetStorageHealthResponse.StorageBackendHealth;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.kube.model.AccessMode;
import dev.berth.kube.model.StorageHealth;
import dev.berth.kube.model.VolumeMode;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// What a driver said of the storage behind a node, in Kubernetes' words.
public final class StorageReport {
  /// What Kubernetes takes.
  private static final int MOST = 16;

  private StorageReport() {}

  /// VH-06, VH-08; of entries with one identity, which a driver must not send, the last.
  ///
  /// @return in order; empty: nothing of what it said is understood, which is not that all is well
  ///   (VH-14)
  public static Optional<List<StorageHealth>> of(NodeGetStorageHealthResponse said) {
    var all = new TreeMap<String, StorageHealth>();
    for (var entry : said.getBackendHealthList())
      status(entry)
          .map(status -> condition(status, entry))
          .ifPresent(it -> all.put(it.identity(), it));
    if (all.isEmpty() && said.getBackendHealthCount() > 0) return Optional.empty();
    return Optional.of(all.values().stream().limit(MOST).toList());
  }

  private static StorageHealth condition(String status, StorageBackendHealth entry) {
    boolean scoped = entry.hasVolumeCapability();
    return new StorageHealth(
        status,
        Report.reason(entry.getReason()),
        Report.message(entry.getMessage()),
        scoped ? accessMode(entry.getVolumeCapability()) : "",
        scoped ? volumeMode(entry.getVolumeCapability()) : "",
        Optional.empty());
  }

  private static Optional<String> status(StorageBackendHealth entry) {
    return switch (entry.getStatus()) {
      case STORAGE_DEGRADED -> Optional.of(StorageHealth.DEGRADED);
      case STORAGE_UNREACHABLE -> Optional.of(StorageHealth.UNREACHABLE);
      case UNKNOWN_STORAGE_HEALTH_ERROR_TYPE, UNRECOGNIZED -> Optional.empty();
    };
  }

  private static String volumeMode(VolumeCapability use) {
    return switch (use.getAccessTypeCase()) {
      case BLOCK -> VolumeMode.BLOCK.text();
      case MOUNT -> VolumeMode.FILESYSTEM.text();
      case ACCESSTYPE_NOT_SET -> "";
    };
  }

  private static String accessMode(VolumeCapability use) {
    return switch (use.getAccessMode().getMode()) {
      case SINGLE_NODE_WRITER, SINGLE_NODE_READER_ONLY, SINGLE_NODE_MULTI_WRITER ->
          AccessMode.READ_WRITE_ONCE.text();
      case SINGLE_NODE_SINGLE_WRITER -> AccessMode.READ_WRITE_ONCE_POD.text();
      case MULTI_NODE_READER_ONLY -> AccessMode.READ_ONLY_MANY.text();
      case MULTI_NODE_SINGLE_WRITER, MULTI_NODE_MULTI_WRITER -> AccessMode.READ_WRITE_MANY.text();
      case UNKNOWN, UNRECOGNIZED -> "";
    };
  }
}
