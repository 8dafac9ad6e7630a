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
  public static final String UNREACHABLE_TAINT = "node.kubernetes.io/unreachable";
  public static final String MEMORY_PRESSURE_TAINT = "node.kubernetes.io/memory-pressure";
  public static final String DISK_PRESSURE_TAINT = "node.kubernetes.io/disk-pressure";
  public static final String PID_PRESSURE_TAINT = "node.kubernetes.io/pid-pressure";
  public static final String NETWORK_TAINT = "node.kubernetes.io/network-unavailable";

  /// A node with it does not count when many nodes are lost at once.
  public static final String EXCLUDE_DISRUPTION = "node.kubernetes.io/exclude-disruption";

  public static final String OUT_OF_SERVICE_TAINT = "node.kubernetes.io/out-of-service";

  public static final String STATEFUL_SET_POD_NAME = "statefulset.kubernetes.io/pod-name";
  public static final String POD_INDEX = "apps.kubernetes.io/pod-index";
  public static final String REVISION_HASH = "controller-revision-hash";

  /// Whose endpoints a slice has.
  public static final String SERVICE_NAME = "kubernetes.io/service-name";

  /// Who keeps a slice.
  public static final String SLICE_MANAGED_BY = "endpointslice.kubernetes.io/managed-by";

  /// Who keeps Endpoints.
  public static final String ENDPOINTS_MANAGED_BY = "endpoints.kubernetes.io/managed-by";

  /// Of Endpoints that are not to be made slices of.
  public static final String SKIP_MIRROR = "endpointslice.kubernetes.io/skip-mirror";

  /// Of the endpoints of a service without an address.
  public static final String HEADLESS = "service.kubernetes.io/headless";

  private Labels() {}
}
