package dev.berth.sidecar.provisioner;

/// What a provisioner may be told to do or to leave, by upstream's flags and feature gates.
public enum Feature {
  /// A snapshot's volume mode is kept unless an administrator says otherwise:
  /// `--prevent-volume-mode-conversion`.
  KEEP_VOLUME_MODE,
  /// A claim may be filled from another namespace: gate `CrossNamespaceVolumeDataSource`.
  CROSS_NAMESPACE_SOURCES,
  /// Volumes are created with the attributes of a class: gate `VolumeAttributesClass`.
  ATTRIBUTES_CLASSES,
  /// A driver is asked for volumes in parts of the cluster: gate `Topology`.
  TOPOLOGY
}
