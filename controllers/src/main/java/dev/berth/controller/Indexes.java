package dev.berth.controller;

import dev.berth.kube.cache.Index;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;

/// The volume room's indexes, under the name that some controllers still call them by.
public final class Indexes {
  public static final Index<Pod> PODS_BY_CLAIM = dev.berth.volume.Indexes.PODS_BY_CLAIM;
  public static final Index<Pod> PODS_BY_NODE = dev.berth.volume.Indexes.PODS_BY_NODE;
  public static final Index<Volume> VOLUMES_BY_CLAIM = dev.berth.volume.Indexes.VOLUMES_BY_CLAIM;
  public static final Index<Claim> CLAIMS_BY_VOLUME = dev.berth.volume.Indexes.CLAIMS_BY_VOLUME;
  public static final Index<Attachment> ATTACHMENTS_BY_NODE =
      dev.berth.volume.Indexes.ATTACHMENTS_BY_NODE;

  private Indexes() {}
}
