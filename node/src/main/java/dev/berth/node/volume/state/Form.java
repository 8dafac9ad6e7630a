package dev.berth.node.volume.state;

/// How a volume comes to its pods.
public enum Form {
  /// By a claim: the volume outlives the pod, and may be attached and staged.
  CLAIMED("Persistent"),
  /// By a claim, as a block device without a file system of ours.
  DEVICE("Persistent"),
  /// The driver makes it for one pod, and it goes with the pod: neither attached nor staged
  /// (NCSI-11).
  INLINE("Ephemeral");

  private final String lifecycle;

  Form(String lifecycle) {
    this.lifecycle = lifecycle;
  }

  /// As `volumeLifecycleModes` of a CSIDriver and the kubelet's notes have it (NLAY-04).
  public String lifecycle() {
    return lifecycle;
  }

  /// Whether its data is there before the pod and after it.
  public boolean outlivesPods() {
    return this != INLINE;
  }

  /// What a note beside a mount says; one that does not say it is about a claim's volume.
  public static Form ofLifecycle(String text) {
    return text.equals(INLINE.lifecycle) ? INLINE : CLAIMED;
  }
}
