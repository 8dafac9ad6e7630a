package dev.berth.kube.name;

/// Reasons of events, as upstream spells them; tools and people filter on them.
public final class Reasons {
  public static final String WAIT_FOR_FIRST_CONSUMER = "WaitForFirstConsumer";
  public static final String WAIT_FOR_POD_SCHEDULED = "WaitForPodScheduled";
  public static final String FAILED_BINDING = "FailedBinding";
  public static final String VOLUME_MISMATCH = "VolumeMismatch";
  public static final String CLAIM_LOST = "ClaimLost";
  public static final String CLAIM_MISBOUND = "ClaimMisbound";
  public static final String EXTERNAL_PROVISIONING = "ExternalProvisioning";
  public static final String PROVISIONING = "Provisioning";
  public static final String PROVISIONING_SUCCEEDED = "ProvisioningSucceeded";
  public static final String PROVISIONING_FAILED = "ProvisioningFailed";
  public static final String VOLUME_FAILED_DELETE = "VolumeFailedDelete";
  public static final String SCHEDULED = "Scheduled";
  public static final String PREEMPTED = "Preempted";
  public static final String OWNER_REF_INVALID_NAMESPACE = "OwnerRefInvalidNamespace";
  public static final String FAILED_SCHEDULING = "FailedScheduling";
  public static final String SUCCESSFUL_ATTACH_VOLUME = "SuccessfulAttachVolume";
  public static final String FAILED_ATTACH_VOLUME = "FailedAttachVolume";
  public static final String FAILED_MOUNT = "FailedMount";
  public static final String FAILED_UNMOUNT = "FailedUnMount";
  public static final String FAILED_MAP_VOLUME = "FailedMapVolume";
  public static final String STARTED = "Started";
  public static final String FAILED = "Failed";
  public static final String KILLING = "Killing";
  public static final String UNHEALTHY = "Unhealthy";
  public static final String FAILED_POST_START_HOOK = "FailedPostStartHook";
  public static final String FAILED_PRE_STOP_HOOK = "FailedPreStopHook";
  public static final String BACK_OFF = "BackOff";

  public static final String EXTERNAL_EXPANDING = "ExternalExpanding";
  public static final String RESIZING = "Resizing";
  public static final String FILE_SYSTEM_RESIZE_REQUIRED = "FileSystemResizeRequired";
  public static final String FILE_SYSTEM_RESIZE_FAILED = "FileSystemResizeFailed";
  public static final String FILE_SYSTEM_RESIZE_SUCCESSFUL = "FileSystemResizeSuccessful";
  public static final String VOLUME_RESIZE_SUCCESSFUL = "VolumeResizeSuccessful";
  public static final String VOLUME_RESIZE_FAILED = "VolumeResizeFailed";
  public static final String VOLUME_MODIFY = "VolumeModify";
  public static final String VOLUME_MODIFY_SUCCESSFUL = "VolumeModifySuccessful";
  public static final String VOLUME_MODIFY_FAILED = "VolumeModifyFailed";
  public static final String VOLUME_MODIFY_CANCELED = "VolumeModifyCanceled";

  public static final String VOLUME_CONDITION_ABNORMAL = "VolumeConditionAbnormal";
  public static final String VOLUME_CONDITION_NORMAL = "VolumeConditionNormal";
  public static final String UNKNOWN_VOLUME_HEALTH_CONDITION = "UnknownVolumeHealthCondition";
  public static final String NODE_FAILED = "NodeFailed";
  public static final String NODE_RECOVERED = "NodeRecovered";

  public static final String NO_PODS = "NoPods";
  public static final String NOT_DELETED = "NotDeleted";
  public static final String UNMANAGED_PODS = "UnmanagedPods";
  public static final String CALCULATE_EXPECTED_POD_COUNT_FAILED =
      "CalculateExpectedPodCountFailed";

  public static final String SUCCESSFUL_CREATE = "SuccessfulCreate";
  public static final String UNPARSEABLE_SCHEDULE = "UnparseableSchedule";
  public static final String MISS_SCHEDULE = "MissSchedule";
  public static final String JOB_ALREADY_ACTIVE = "JobAlreadyActive";
  public static final String SAW_COMPLETED_JOB = "SawCompletedJob";
  public static final String SUCCESSFUL_DELETE = "SuccessfulDelete";
  public static final String FAILED_TO_CREATE_ENDPOINT = "FailedToCreateEndpoint";
  public static final String FAILED_TO_UPDATE_ENDPOINT_SLICES = "FailedToUpdateEndpointSlices";
  public static final String FAILED_CREATE = "FailedCreate";
  public static final String FAILED_DELETE = "FailedDelete";
  public static final String RECREATING_FAILED_POD = "RecreatingFailedPod";
  public static final String RECREATING_TERMINATED_POD = "RecreatingTerminatedPod";
  public static final String COMPLETED = "Completed";
  public static final String SUSPENDED = "Suspended";
  public static final String BACKOFF_LIMIT_EXCEEDED = "BackoffLimitExceeded";
  public static final String DEADLINE_EXCEEDED = "DeadlineExceeded";
  public static final String SCALING_REPLICA_SET = "ScalingReplicaSet";
  public static final String REPLICA_SET_CREATE_ERROR = "ReplicaSetCreateError";
  public static final String CONFLICTING_CONTROLLER = "ConflictingController";

  public static final String NODE_NOT_READY = "NodeNotReady";
  public static final String REGISTERED_NODE = "RegisteredNode";
  public static final String REMOVING_NODE = "RemovingNode";
  public static final String TAINT_MANAGER_EVICTION = "TaintManagerEviction";

  public static final String VOLUME_FAILED_RECYCLE = "VolumeFailedRecycle";
  public static final String VOLUME_UNKNOWN_RECLAIM_POLICY = "VolumeUnknownReclaimPolicy";

  /// Berth's own: a default class was written into a claim that named none (DSC-04).
  public static final String DEFAULT_STORAGE_CLASS_ASSIGNED = "DefaultStorageClassAssigned";

  /// Berth's own: pods keep a claim that is being deleted (PROT-10).
  public static final String CLAIM_IN_USE = "ClaimInUse";

  /// Berth's own: a pod placed by hand chose the node for its claim (BIND-16).
  public static final String NODE_SELECTED_BY_POD = "NodeSelectedByPod";

  /// Berth's own: how long each step of a pod's volume took (NRUN-17).
  public static final String VOLUME_STAGED = "VolumeStaged";

  public static final String VOLUME_PUBLISHED = "VolumePublished";

  /// Berth's own, on the attachment: the driver did not attach (ATT-52).
  public static final String CONTROLLER_PUBLISH_FAILED = "ControllerPublishFailed";

  /// Berth's own, on the attachment: the driver did not detach (ATT-52).
  public static final String CONTROLLER_UNPUBLISH_FAILED = "ControllerUnpublishFailed";

  /// Berth's own: a pod that our node agent cannot run as its author wants it (NRUN-15).
  public static final String VOLUME_ATTACHMENT_LIMIT_EXCEEDED = "VolumeAttachmentLimitExceeded";

  public static final String UNSUPPORTED = "Unsupported";

  /// Berth's own: a volume's files belong to another group than the pod asks for.
  public static final String OTHER_GROUP = "VolumeInOtherGroup";

  /// Berth's own: parts of a pod's text without which it runs (NRUN-15).
  public static final String NOT_ENFORCED = "NotEnforced";

  /// Berth's own, on a volume made by hand: it is deleted with its claim (RECL-06).
  public static final String DATA_GOES_WITH_CLAIM = "DataGoesWithClaim";

  public static final String SNAPSHOT_CREATION_FAILED = "SnapshotCreationFailed";
  public static final String SNAPSHOT_CHECK_FAILED = "SnapshotContentCheckandUpdateFailed";
  public static final String GROUP_SNAPSHOT_CREATION_FAILED = "GroupSnapshotCreationFailed";
  public static final String GROUP_SNAPSHOT_CHECK_FAILED =
      "GroupSnapshotContentCheckandUpdateFailed";
  public static final String GROUP_SNAPSHOT_DELETE_ERROR = "GroupSnapshotDeleteError";
  public static final String SNAPSHOT_DELETE_ERROR = "SnapshotDeleteError";

  /// Berth's own, on a content: the driver may hold a snapshot that no object names (SNAP-57).
  public static final String SNAPSHOT_MAY_BE_LEFT = "SnapshotMayBeLeft";

  /// Upstream's on a snapshot, ours on a content too: its deletion cannot be carried out yet.
  public static final String SNAPSHOT_DELETE_PENDING = "SnapshotDeletePending";

  /// On a Lease, as client-go has it.
  public static final String LEADER_ELECTION = "LeaderElection";

  /// On a Node, Berth's own: another agent works under its name.
  public static final String ANOTHER_AGENT = "AnotherNodeAgent";

  private Reasons() {}
}
