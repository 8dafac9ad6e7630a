package dev.berth.apiserver.core;

/// Objects that are right, for tests to vary.
final class Samples {
  static final String CLAIM =
      """
      metadata: {namespace: default, name: data}
      spec:
        accessModes: [ReadWriteOnce]
        resources: {requests: {storage: 1Gi}}
      """;

  static final String VOLUME =
      """
      metadata: {name: pv-1}
      spec:
        accessModes: [ReadWriteOnce]
        capacity: {storage: 1Gi}
        csi: {driver: disk.berth.dev, volumeHandle: vol-1}
      """;

  static final String CLASS = "{metadata: {name: fast}, provisioner: disk.berth.dev}";

  static final String ATTACHMENT =
      """
      metadata: {name: va-1}
      spec:
        attacher: disk.berth.dev
        nodeName: node-a
        source: {persistentVolumeName: pv-1}
      """;

  static final String POD =
      """
      metadata: {namespace: default, name: web}
      spec:
        automountServiceAccountToken: false
        containers: [{name: app, image: host}]
      """;

  static final String CSI_NODE =
      """
      metadata: {name: node-a}
      spec:
        drivers:
        - {name: disk.berth.dev, nodeID: node-a, topologyKeys: [disk.berth.dev/node]}
      """;

  static final String DRIVER = "{metadata: {name: disk.berth.dev}, spec: {}}";

  private Samples() {}

  /// A sample in which every `old` is `fresh`.
  static String vary(String sample, String old, String fresh) {
    if (!sample.contains(old)) throw new IllegalArgumentException(old + " is not in " + sample);
    return sample.replace(old, fresh);
  }
}
