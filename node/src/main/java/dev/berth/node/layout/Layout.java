package dev.berth.node.layout;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// The kubelet's directories below one root.
///
/// Names that come from objects are checked where they enter a path: none can lead out of the root.
///
/// @param root absolute; `/var/lib/kubelet` on most machines
public record Layout(Path root) {
  /// Plugin name of all CSI volumes.
  public static final String CSI_PLUGIN = "kubernetes.io/csi";

  /// File beside each CSI mount that says whose it is.
  public static final String VOL_DATA = "vol_data.json";

  /// Below the directory of a staged volume: where the driver stages it.
  public static final String STAGING_TARGET = "globalmount";

  /// Below the directory of a volume in a pod: where the driver publishes it.
  public static final String PUBLISH_TARGET = "mount";

  public Layout {
    if (!root.isAbsolute())
      throw new IllegalArgumentException("node root " + root + " is not an absolute path");
    root = root.normalize();
  }

  /// Where registration sockets appear.
  public Path registry() {
    return root.resolve("plugins_registry");
  }

  /// Directory that a driver keeps its socket in, by convention.
  public Path driver(String driver) {
    return root.resolve("plugins").resolve(element(driver));
  }

  /// Below it one directory a pod, named by uid.
  public Path pods() {
    return root.resolve("pods");
  }

  public Path pod(String uid) {
    return pods().resolve(element(uid));
  }

  /// Below it one directory a kind of volume, named by [#escape].
  public Path volumes(String uid) {
    return pod(uid).resolve("volumes");
  }

  /// One volume of a pod that needs no storage driver, such as an `emptyDir`.
  ///
  /// @param plugin such as `kubernetes.io/empty-dir`
  /// @param name the volume's name in the pod
  public Path volume(String uid, String plugin, String name) {
    return volumes(uid).resolve(element(escape(plugin))).resolve(element(escape(name)));
  }

  /// Below it one directory a CSI volume of the pod.
  public Path published(String uid) {
    return volumes(uid).resolve(escape(CSI_PLUGIN));
  }

  /// Directory of a CSI volume in a pod; holds [#VOL_DATA] and the mount.
  ///
  /// @param spec name of the PersistentVolume
  public Path published(String uid, String spec) {
    return volume(uid, CSI_PLUGIN, spec);
  }

  /// Where the driver publishes a CSI volume for a pod; made and removed by the driver.
  public Path publishTarget(String uid, String spec) {
    return published(uid, spec).resolve(PUBLISH_TARGET);
  }

  /// Below it, for each driver, one directory a staged volume.
  public Path staging() {
    return root.resolve("plugins").resolve(CSI_PLUGIN);
  }

  /// Directory of a staged CSI volume; holds [#VOL_DATA] and the mount.
  public Path staged(String driver, String handle) {
    return staging().resolve(element(driver)).resolve(sha256(handle));
  }

  /// Where the driver stages a CSI volume once for all pods of the node.
  public Path stagingTarget(String driver, String handle) {
    return staged(driver, handle).resolve(STAGING_TARGET);
  }

  /// Below it all that belongs to volumes that are devices (section 0).
  public Path devices() {
    return staging().resolve("volumeDevices");
  }

  /// Where a driver stages a device once for all pods of the node.
  public Path stagedDevice(String spec) {
    return devices().resolve("staging").resolve(element(escape(spec)));
  }

  /// Below it one file a pod, where the driver publishes a device; made and removed by the driver.
  public Path publishedDevices(String spec) {
    return devices().resolve("publish").resolve(element(escape(spec)));
  }

  public Path publishedDevice(String uid, String spec) {
    return publishedDevices(spec).resolve(element(uid));
  }

  /// Note and maps of one device.
  public Path device(String spec) {
    return devices().resolve(element(escape(spec)));
  }

  /// Holds [#VOL_DATA] of one device.
  public Path deviceData(String spec) {
    return device(spec).resolve("data");
  }

  /// Below it one file a pod, on which the device is bound.
  public Path deviceMaps(String spec) {
    return device(spec).resolve("dev");
  }

  public Path deviceMap(String uid, String spec) {
    return deviceMaps(spec).resolve(element(uid));
  }

  /// Below it one link a device that the pod has.
  public Path podDevices(String uid) {
    return pod(uid).resolve("volumeDevices").resolve(escape(CSI_PLUGIN));
  }

  public Path podDevice(String uid, String spec) {
    return podDevices(uid).resolve(element(escape(spec)));
  }

  /// Below it the bind mounts of parts of volumes, by volume, container and index.
  public Path subPaths(String uid) {
    return pod(uid).resolve("volume-subpaths");
  }

  /// Bind mounts of parts of one volume.
  public Path subPaths(String uid, String spec) {
    return subPaths(uid).resolve(element(escape(spec)));
  }

  /// Bind mounts of parts of one volume for one container.
  public Path subPaths(String uid, String spec, String container) {
    return subPaths(uid, spec).resolve(element(container));
  }

  /// Bind mount of a part of a volume, for one entry of a container's `volumeMounts`.
  ///
  /// @param index of the entry
  public Path subPath(String uid, String spec, String container, int index) {
    return subPaths(uid, spec, container).resolve(Integer.toString(index));
  }

  /// What the runtime keeps of a container.
  public Path container(String uid, String container) {
    return pod(uid).resolve("containers").resolve(element(container));
  }

  /// A `/` in a name becomes `~`, so that it is one path element (NLAY-01).
  public static String escape(String name) {
    return name.replace('/', '~');
  }

  /// Undoes [#escape].
  public static String unescape(String element) {
    return element.replace('~', '/');
  }

  /// Lower-case hex SHA-256.
  public static String sha256(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }

  private static String element(String name) {
    if (name.isEmpty() || name.startsWith("..") || name.equals(".") || name.indexOf('/') >= 0)
      throw new IllegalArgumentException("\"" + name + "\" cannot be a directory's name");
    return name;
  }
}
