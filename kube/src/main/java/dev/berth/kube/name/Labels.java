package dev.berth.kube.name;

/// Label and taint keys of Kubernetes.
public final class Labels {
  public static final String HOSTNAME = "kubernetes.io/hostname";
  public static final String OS = "kubernetes.io/os";
  public static final String ARCH = "kubernetes.io/arch";
  public static final String BETA_OS = "beta.kubernetes.io/os";
  public static final String BETA_ARCH = "beta.kubernetes.io/arch";
  public static final String ZONE = "topology.kubernetes.io/zone";
  public static final String REGION = "topology.kubernetes.io/region";
  public static final String BETA_ZONE = "failure-domain.beta.kubernetes.io/zone";
  public static final String BETA_REGION = "failure-domain.beta.kubernetes.io/region";
  public static final String UNSCHEDULABLE_TAINT = "node.kubernetes.io/unschedulable";
  public static final String NOT_READY_TAINT = "node.kubernetes.io/not-ready";
  public static final String OUT_OF_SERVICE_TAINT = "node.kubernetes.io/out-of-service";

  private Labels() {}
}
