package dev.berth.kube.name;

/// Conditions in a pod's status that several rooms write or read.
public final class PodConditions {
  /// Its volumes are mounted and its sandbox is up.
  public static final String READY_TO_START_CONTAINERS = "PodReadyToStartContainers";

  private PodConditions() {}
}
