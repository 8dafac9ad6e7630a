package dev.berth.driver.disk.fsck;

import java.nio.file.Path;

/// Where a kubelet shows a volume to containers itself, once a driver has published it: none of
/// that is a driver's, and all of it goes before the volume is unpublished.
final class KubeletPaths {
  private static final String PODS = "pods";
  private static final String SUB_PATHS = "volume-subpaths";
  private static final String DEVICES = "volumeDevices";

  /// Whether a mount is one that a kubelet has made of what is published at a place.
  ///
  /// @param published such as `ROOT/pods/UID/volumes/kubernetes.io~csi/PV/mount`, to which the
  ///   `subPath` of a container belongs, `ROOT/pods/UID/volume-subpaths/PV/CONTAINER/0`; or
  ///   `ROOT/…/volumeDevices/publish/PV/UID`, to which `ROOT/…/volumeDevices/PV/dev/UID` does
  static boolean belongs(Path mount, Path published) {
    int pod = podIn(published);
    if (pod > 0) return mount.startsWith(upTo(published, pod).resolve(SUB_PATHS));
    int names = published.getNameCount();
    if (names < 4 || !name(published, names - 4).equals(DEVICES)) return false;
    return mount.equals(
        upTo(published, names - 3)
            .resolve(name(published, names - 2))
            .resolve("dev")
            .resolve(name(published, names - 1)));
  }

  /// Whether a mount is a `subPath` of some pod.
  static boolean isOfPod(Path mount) {
    int pod = podIn(mount);
    return pod > 0 && mount.startsWith(upTo(mount, pod).resolve(SUB_PATHS));
  }

  /// How many names lead to the folder of a pod, `ROOT/pods/UID`; 0: there is none.
  private static int podIn(Path path) {
    for (int i = path.getNameCount() - 3; i >= 0; i--)
      if (name(path, i).equals(PODS)
          && (name(path, i + 2).equals("volumes") || name(path, i + 2).equals(SUB_PATHS)))
        return i + 2;
    return 0;
  }

  private static String name(Path path, int index) {
    return path.getName(index).toString();
  }

  private static Path upTo(Path path, int names) {
    return path.getRoot().resolve(path.subpath(0, names));
  }

  private KubeletPaths() {}
}
