package dev.berth.volume.request;

import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.kube.model.AccessMode;

/// How finely a driver tells apart who writes to a volume on one node: its capability
/// `SINGLE_NODE_MULTI_WRITER`, of the controller for its calls and of the node service for its own.
public enum Writers {
  /// One pod or several are the same to it.
  ALIKE,
  TOLD_APART;

  /// @param capable whether the service that is called has the capability
  public static Writers of(boolean capable) {
    return capable ? TOLD_APART : ALIKE;
  }

  /// CSI's mode for an access mode that stands alone (PROV-33, NCSI-06).
  public Mode mode(AccessMode mode) {
    return switch (mode) {
      case READ_WRITE_MANY -> Mode.MULTI_NODE_MULTI_WRITER;
      case READ_ONLY_MANY -> Mode.MULTI_NODE_READER_ONLY;
      case READ_WRITE_ONCE ->
          this == TOLD_APART ? Mode.SINGLE_NODE_MULTI_WRITER : Mode.SINGLE_NODE_WRITER;
      case READ_WRITE_ONCE_POD ->
          this == TOLD_APART ? Mode.SINGLE_NODE_SINGLE_WRITER : Mode.SINGLE_NODE_WRITER;
    };
  }
}
