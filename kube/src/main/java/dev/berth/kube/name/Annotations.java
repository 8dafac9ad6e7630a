package dev.berth.kube.name;

/// Annotation keys of Kubernetes' storage (control-plane.md, section 1), and our own.
public final class Annotations {
  /// Any: what `kubectl apply` has applied by itself.
  public static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  /// Pod: it stands for a manifest on its node.
  public static final String CONFIG_MIRROR = "kubernetes.io/config.mirror";

  /// Claim: two-way binding has finished once; presence counts.
  public static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";

  /// Claim and volume: a controller, not a person, chose the partner.
  public static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

  /// Claim: node chosen for a volume that waits for its first consumer.
  public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

  /// Claim: the same, as schedulers wrote it long ago.
  public static final String ALPHA_SELECTED_NODE = "volume.alpha.kubernetes.io/selected-node";

  /// Claim: driver that shall provision.
  public static final String STORAGE_PROVISIONER = "volume.kubernetes.io/storage-provisioner";

  public static final String BETA_STORAGE_PROVISIONER =
      "volume.beta.kubernetes.io/storage-provisioner";

  /// Volume: driver that made it and may delete it.
  public static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

  /// Claim and volume: CSI driver that stands in for an in-tree plugin.
  public static final String MIGRATED_TO = "pv.kubernetes.io/migrated-to";

  /// Claim and volume: legacy class, before the field even when empty.
  public static final String BETA_STORAGE_CLASS = "volume.beta.kubernetes.io/storage-class";

  public static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";
  public static final String BETA_DEFAULT_CLASS =
      "storageclass.beta.kubernetes.io/is-default-class";

  /// Volume: Secret for its deletion; both keys always together.
  public static final String DELETION_SECRET_NAME =
      "volume.kubernetes.io/provisioner-deletion-secret-name";

  public static final String DELETION_SECRET_NAMESPACE =
      "volume.kubernetes.io/provisioner-deletion-secret-namespace";

  /// Volume: Secret for changing its attributes; only there if its class names one.
  public static final String MODIFY_SECRET_NAME =
      "volume.kubernetes.io/controller-modify-secret-name";

  public static final String MODIFY_SECRET_NAMESPACE =
      "volume.kubernetes.io/controller-modify-secret-namespace";

  /// Volume: capacity of its claim before it grew, until a node has grown the file system too.
  public static final String PRE_RESIZE_CAPACITY = "volume.alpha.kubernetes.io/pre-resize-capacity";

  /// Claim: its volume has grown, and no node has to do anything about it.
  public static final String NODE_EXPANSION_NOT_REQUIRED =
      "volume.kubernetes.io/node-expansion-not-required";

  /// Claim: driver that shall make its migrated in-tree volume grow.
  public static final String STORAGE_RESIZER = "volume.kubernetes.io/storage-resizer";

  /// Node: the attach/detach controller owns its attachments; presence counts.
  public static final String CONTROLLER_MANAGED_ATTACH =
      "volumes.kubernetes.io/controller-managed-attach-detach";

  /// Node: JSON object from driver to the driver's name of the node.
  public static final String CSI_NODE_ID = "csi.volume.kubernetes.io/nodeid";

  /// Attachment: the driver's name of the node, kept for detaching.
  public static final String ATTACHMENT_NODE_ID = "csi.alpha.kubernetes.io/node-id";

  /// CSINode: in-tree plugins whose volumes a CSI driver serves on the node.
  public static final String MIGRATED_PLUGINS = "storage.alpha.kubernetes.io/migrated-plugins";

  /// Volume: supplemental group for pods that use it.
  public static final String VOLUME_GID = "pv.beta.kubernetes.io/gid";

  /// Attachment, Berth's own: when detaching was first asked for, RFC 3339 (AD-31).
  public static final String DETACH_REQUESTED_AT = "berth.dev/detach-requested-at";

  /// Attachment, Berth's own: the version up to which a request to delete it does not hold any
  /// more, since its volume is wanted again.
  public static final String KEPT = "berth.dev/kept";

  /// Attachment, Berth's own: the driver's name of the volume and the Secret for attaching it, as
  /// `namespace/name`, kept for detaching when the volume is gone (ATT-61).
  public static final String ATTACHMENT_HANDLE = "berth.dev/volume-handle";

  public static final String ATTACHMENT_SECRET = "berth.dev/publish-secret";

  /// Claim, Berth's own: the volume that its provisioner has begun to create, as JSON (PROV-191).
  public static final String PROVISIONING_INTENT = "berth.dev/provisioning-intent";

  /// Claim, Berth's own: the driver's refusal of a hopeless request, as JSON (PROV-120).
  public static final String PROVISIONING_REFUSED = "berth.dev/provisioning-refused";

  /// CSIStorageCapacity: another value whenever its driver knows that what is published is old.
  public static final String CAPACITY_CHANGED = "berth.dev/capacity-changed";

  /// CSIStorageCapacity of a driver whose volumes have something for themselves, such as a drive:
  /// what there is, each with the bytes that a volume has there, as `name=bytes,name=bytes`.
  public static final String CAPACITY_UNITS = "berth.dev/capacity-units";

  /// Lease, Berth's own: which of those that might renew it did so last.
  public static final String LEASE_SIGNED = "berth.dev/renewed-by";

  private Annotations() {}
}
