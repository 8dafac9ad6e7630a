package dev.berth.kube.model;

import dev.berth.kube.object.Kind;
import dev.berth.kube.object.Resources;

/// The kinds that decisions read.
public final class Kinds {
  public static final Kind<Claim> CLAIM = new Kind<>(Resources.CLAIMS, Claim::of);
  public static final Kind<Volume> VOLUME = new Kind<>(Resources.VOLUMES, Volume::of);
  public static final Kind<StorageClass> STORAGE_CLASS =
      new Kind<>(Resources.STORAGE_CLASSES, StorageClass::of);
  public static final Kind<Attachment> ATTACHMENT =
      new Kind<>(Resources.ATTACHMENTS, Attachment::of);
  public static final Kind<Pod> POD = new Kind<>(Resources.PODS, Pod::of);
  public static final Kind<Node> NODE = new Kind<>(Resources.NODES, Node::of);
  public static final Kind<CsiNode> CSI_NODE = new Kind<>(Resources.CSI_NODES, CsiNode::of);
  public static final Kind<CsiDriver> CSI_DRIVER = new Kind<>(Resources.CSI_DRIVERS, CsiDriver::of);
  public static final Kind<StorageCapacity> STORAGE_CAPACITY =
      new Kind<>(Resources.STORAGE_CAPACITIES, StorageCapacity::of);
  public static final Kind<AttributesClass> ATTRIBUTES_CLASS =
      new Kind<>(Resources.ATTRIBUTES_CLASSES, AttributesClass::of);
  public static final Kind<Event> EVENT = new Kind<>(Resources.EVENTS, Event::of);
  public static final Kind<Lease> LEASE = new Kind<>(Resources.LEASES, Lease::of);

  private Kinds() {}
}
