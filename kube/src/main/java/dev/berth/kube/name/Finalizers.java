package dev.berth.kube.name;

/// Finalizers of Kubernetes' storage.
public final class Finalizers {
  public static final String PVC_PROTECTION = "kubernetes.io/pvc-protection";
  public static final String PV_PROTECTION = "kubernetes.io/pv-protection";
  public static final String VAC_PROTECTION = "kubernetes.io/vac-protection";

  /// Volume: the storage behind it goes before the object (FIN-01).
  public static final String PROVISIONER = "external-provisioner.volume.kubernetes.io/finalizer";

  /// Claim, Berth's own: a volume for it may exist that no PersistentVolume shows yet (PROV-191).
  public static final String PROVISIONING = "berth.dev/provisioning";

  /// Claim: a volume is being filled from its own (PROV-69).
  public static final String CLONING = "provisioner.storage.kubernetes.io/cloning-protection";

  private static final String ATTACHER = "external-attacher/";

  private Finalizers() {}

  /// Volume and attachment: the driver may still have it attached. Characters that a finalizer may
  /// not hold become dashes (ATT-35).
  public static String attacher(String driver) {
    var clean = driver.replaceAll("[^A-Za-z0-9-]", "-");
    return ATTACHER + (clean.endsWith("-") ? clean + "X" : clean);
  }

  /// Whether it is that of some driver's attacher.
  public static boolean isAttacher(String finalizer) {
    return finalizer.startsWith(ATTACHER);
  }
}
