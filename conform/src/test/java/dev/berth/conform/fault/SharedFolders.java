package dev.berth.conform.fault;

import com.google.protobuf.Message;
import dev.berth.conform.trial.Rpcs;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.NodeUnpublishVolumeRequest;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.mount.Mounts.Depth;
import dev.berth.linux.mount.Mounts.Unmount;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A driver whose volumes are folders of one disk, without quotas. It is no fault: nothing asks for
/// a size that a workload sees. There is but one folder, so every copy has the data of its source.
final class SharedFolders {
  private static final Mounts MOUNTS = Mounts.ofThisMachine();

  static Fault ofOneDisk() {
    return Fault.all(
        Fault.in(Rpcs.NODE_PUBLISH_VOLUME, SharedFolders::publish),
        Fault.in(Rpcs.NODE_UNPUBLISH_VOLUME, SharedFolders::unpublish),
        Fault.idle(Rpcs.NODE_EXPAND_VOLUME));
  }

  private static List<Message> publish(Call call) {
    var target = Path.of(((NodePublishVolumeRequest) call.request()).getTargetPath());
    try {
      var folder = Files.createDirectories(call.folder().resolve("shared"));
      Files.createDirectory(target);
      MOUNTS.bind(folder, target, Depth.ONE, MountOptions.NONE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return call.empty();
  }

  private static List<Message> unpublish(Call call) {
    var target = Path.of(((NodeUnpublishVolumeRequest) call.request()).getTargetPath());
    try {
      if (MOUNTS.state(target) == Mounts.State.MOUNTED) MOUNTS.unmount(target, Unmount.IF_UNUSED);
      Files.deleteIfExists(target);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return call.empty();
  }

  private SharedFolders() {}
}
