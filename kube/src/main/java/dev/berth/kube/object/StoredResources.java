package dev.berth.kube.object;

/// Resources of Kubernetes beside those of [Resources]: our API server keeps their objects for
/// whoever works with them, and no controller of Berth carries them out; budgets are counted.
public final class StoredResources {
  private static final String NETWORKING = "networking.k8s.io";
  private static final String RBAC = "rbac.authorization.k8s.io";
  private static final String DEVICES = "resource.k8s.io";
  private static final String ADMISSION = "admissionregistration.k8s.io";

  public static final Resource SERVICES = core("services", "Service");
  public static final Resource ENDPOINTS = core("endpoints", "Endpoints");
  public static final Resource REPLICATION_CONTROLLERS =
      core("replicationcontrollers", "ReplicationController");
  public static final Resource POD_TEMPLATES = core("podtemplates", "PodTemplate");
  public static final Resource QUOTAS = core("resourcequotas", "ResourceQuota");
  public static final Resource LIMIT_RANGES = core("limitranges", "LimitRange");

  public static final Resource DISRUPTION_BUDGETS =
      of("policy", "poddisruptionbudgets", "PodDisruptionBudget");

  public static final Resource AUTOSCALERS =
      new Resource(
          "autoscaling", "v2", "horizontalpodautoscalers", "HorizontalPodAutoscaler", true);

  /// The older face of the same objects.
  public static final Resource OLD_AUTOSCALERS =
      new Resource(
          "autoscaling", "v1", "horizontalpodautoscalers", "HorizontalPodAutoscaler", true);

  public static final Resource ENDPOINT_SLICES =
      of("discovery.k8s.io", "endpointslices", "EndpointSlice");
  public static final Resource INGRESSES = of(NETWORKING, "ingresses", "Ingress");
  public static final Resource NETWORK_POLICIES =
      of(NETWORKING, "networkpolicies", "NetworkPolicy");
  public static final Resource INGRESS_CLASSES =
      cluster(NETWORKING, "ingressclasses", "IngressClass");

  /// Who has which address of the services' range.
  public static final Resource IP_ADDRESSES = cluster(NETWORKING, "ipaddresses", "IPAddress");

  public static final Resource ROLES = of(RBAC, "roles", "Role");
  public static final Resource ROLE_BINDINGS = of(RBAC, "rolebindings", "RoleBinding");
  public static final Resource CLUSTER_ROLES = cluster(RBAC, "clusterroles", "ClusterRole");
  public static final Resource CLUSTER_ROLE_BINDINGS =
      cluster(RBAC, "clusterrolebindings", "ClusterRoleBinding");

  public static final Resource PRIORITY_CLASSES =
      cluster("scheduling.k8s.io", "priorityclasses", "PriorityClass");
  public static final Resource RUNTIME_CLASSES =
      cluster("node.k8s.io", "runtimeclasses", "RuntimeClass");

  public static final Resource VALIDATING_WEBHOOKS =
      cluster(ADMISSION, "validatingwebhookconfigurations", "ValidatingWebhookConfiguration");
  public static final Resource MUTATING_WEBHOOKS =
      cluster(ADMISSION, "mutatingwebhookconfigurations", "MutatingWebhookConfiguration");
  public static final Resource ADMISSION_POLICIES =
      cluster(ADMISSION, "validatingadmissionpolicies", "ValidatingAdmissionPolicy");
  public static final Resource POLICY_BINDINGS =
      cluster(ADMISSION, "validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding");

  /// The newer face of the same objects as [Resources#EVENTS].
  public static final Resource NEW_EVENTS = of("events.k8s.io", "events", "Event");

  public static final Resource DEVICE_CLASSES = cluster(DEVICES, "deviceclasses", "DeviceClass");
  public static final Resource DEVICE_SLICES = cluster(DEVICES, "resourceslices", "ResourceSlice");
  public static final Resource DEVICE_CLAIMS = of(DEVICES, "resourceclaims", "ResourceClaim");
  public static final Resource DEVICE_CLAIM_TEMPLATES =
      of(DEVICES, "resourceclaimtemplates", "ResourceClaimTemplate");
  public static final Resource DEVICE_TAINT_RULES =
      cluster(DEVICES, "devicetaintrules", "DeviceTaintRule");

  private StoredResources() {}

  private static Resource core(String plural, String kind) {
    return of("", plural, kind);
  }

  private static Resource of(String group, String plural, String kind) {
    return new Resource(group, "v1", plural, kind, true);
  }

  private static Resource cluster(String group, String plural, String kind) {
    return new Resource(group, "v1", plural, kind, false);
  }
}
