package dev.berth.node.pod.disk;

import dev.berth.kube.object.Meta;
import dev.berth.linux.mount.MountEntry;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.mount.Mounts.State;
import dev.berth.linux.mount.Mounts.Unmount;
import dev.berth.linux.sys.LinuxException;
import dev.berth.node.layout.Layout;
import dev.berth.node.pod.log.LogLayout;
import dev.berth.node.pod.start.ContentFile;
import dev.berth.node.pod.start.MountedVolume;
import dev.berth.node.pod.start.PodFiles;
import dev.berth.node.pod.start.UnusableException;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.tree.Trees;
import dev.berth.node.volume.disk.Directories;
import dev.berth.node.volume.disk.SubPaths;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// [PodFiles] below a kubelet's root.
public final class KubeletPodFiles implements PodFiles {
  private static final Logger log = LoggerFactory.getLogger(KubeletPodFiles.class);
  private static final String EMPTY_DIR = "kubernetes.io/empty-dir";

  /// Kinds of volumes whose files are ours to delete.
  private static final List<String> OURS =
      List.of(
          EMPTY_DIR,
          "kubernetes.io/configmap",
          "kubernetes.io/secret",
          "kubernetes.io/downward-api",
          "kubernetes.io/projected");

  private static final Path MACHINE_HOSTS = Path.of("/etc/hosts");

  private final Layout layout;
  private final LogLayout logs;
  private final Mounts mounts;
  private final Directories directories;
  private final SubPaths parts;

  /// Makes the root if it is missing.
  ///
  /// @param layout its root must not lead through a link
  public KubeletPodFiles(Layout layout, LogLayout logs, Mounts mounts) throws IOException {
    this.layout = Directories.real(layout);
    this.logs = logs;
    this.mounts = mounts;
    this.directories = new Directories(mounts);
    this.parts = new SubPaths(layout, mounts);
  }

  @Override
  public Set<String> pods() throws IOException {
    var uids = new HashSet<String>();
    for (var pod : Directories.entries(layout.pods())) uids.add(pod.getFileName().toString());
    return uids;
  }

  @Override
  public void make(String podUid) throws IOException {
    directories.make(layout.volumes(podUid));
    directories.make(layout.pod(podUid).resolve("plugins"));
  }

  @Override
  public Path emptyDir(
      String podUid, String name, boolean inMemory, OptionalLong sizeLimit, OptionalInt group)
      throws IOException {
    var directory = layout.volume(podUid, EMPTY_DIR, name);
    directories.make(directory);
    if (inMemory) {
      var options = MountOptions.NONE.with("mode=0777");
      mountInMemory(
          directory,
          sizeLimit.isPresent() ? options.with("size=" + sizeLimit.getAsLong()) : options);
    }
    int mode = 0777;
    if (group.isPresent()) {
      Files.setAttribute(directory, "unix:gid", group.getAsInt(), LinkOption.NOFOLLOW_LINKS);
      mode |= 02000;
    }
    Files.setAttribute(directory, "unix:mode", mode, LinkOption.NOFOLLOW_LINKS);
    return directory;
  }

  @Override
  public Path content(
      String podUid,
      String plugin,
      String name,
      boolean secret,
      List<ContentFile> files,
      OptionalInt group)
      throws IOException {
    var directory = layout.volume(podUid, plugin, name);
    directories.make(directory);
    if (secret) mountInMemory(directory, MountOptions.NONE.with("mode=0755"));
    Files.setAttribute(directory, "unix:mode", 0755, LinkOption.NOFOLLOW_LINKS);
    new Content(directory).write(files, group);
    return directory;
  }

  private void mountInMemory(Path directory, MountOptions options) {
    if (mounts.state(directory) == State.NOT_MOUNTED)
      mounts.mount("tmpfs", "tmpfs", directory, options);
  }

  @Override
  public Path hostPath(String path, String type) throws IOException, UnusableException {
    return HostPaths.find(path, type);
  }

  @Override
  public String machineHosts() throws IOException {
    try {
      return Files.readString(MACHINE_HOSTS);
    } catch (NoSuchFileException none) {
      return "";
    }
  }

  /// A container that runs has this very file: it is not replaced, and not touched if it says so
  /// already.
  @Override
  public Path hosts(String podUid, String text) throws IOException {
    var file = layout.pod(podUid).resolve("etc-hosts");
    var options =
        Set.of(
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS);
    var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    try (var channel = Files.newByteChannel(file, options)) {
      var present = ByteBuffer.allocate((int) Math.min(channel.size(), bytes.capacity() + 1L));
      while (present.hasRemaining() && channel.read(present) >= 0) {}
      if (present.flip().equals(bytes)) return file;
      channel.truncate(0).position(0);
      while (bytes.hasRemaining()) channel.write(bytes);
    }
    Files.setAttribute(file, "unix:mode", 0644, LinkOption.NOFOLLOW_LINKS);
    return file;
  }

  @Override
  public boolean holdsVolumes(Path hostPath) {
    return layout.pods().startsWith(hostPath) || layout.staging().startsWith(hostPath);
  }

  @Override
  public Path part(String podUid, String container, int index, MountedVolume volume, String subPath)
      throws IOException, UnusableException {
    try {
      return parts.bind(podUid, volume.spec(), container, index, volume.path(), subPath);
    } catch (IOException | LinuxException refused) {
      // The pod's author is not told where on the machine it is (NSUB-04).
      log.warn(
          "part {} of volume {} of pod {}: {}", subPath, volume.spec(), podUid, refused.toString());
      throw new UnusableException(
          "failed to prepare subPath \"%s\" for container \"%s\"".formatted(subPath, container));
    }
  }

  @Override
  public Path log(Meta pod, ContainerId run) throws IOException {
    var log = logs.file(pod.namespace(), pod.name(), run);
    directories.make(logs.directory(pod.namespace(), pod.name(), run));
    return log;
  }

  @Override
  public void removeLog(Meta pod, ContainerId run) throws IOException {
    logs.remove(pod.namespace(), pod.name(), run);
  }

  @Override
  public void unmount(String podUid) throws IOException {
    for (var volume : Directories.entries(layout.subPaths(podUid)))
      parts.remove(podUid, Layout.unescape(volume.getFileName().toString()));
    for (var plugin : OURS) {
      var volumes = layout.volumes(podUid).resolve(Layout.escape(plugin));
      for (var mount : mounts.table().under(volumes))
        if (mount.type().equals("tmpfs") && volumes.equals(mount.target().getParent()))
          mounts.unmount(mount.target(), Unmount.IF_UNUSED);
    }
  }

  @Override
  public void remove(String podUid) throws IOException {
    unmount(podUid);
    var left = mounts.table().under(layout.pod(podUid));
    if (!left.isEmpty())
      throw new IOException(
          "pod directory %s still has mounts, nothing was removed: %s"
              .formatted(layout.pod(podUid), left.stream().map(MountEntry::target).toList()));
    for (var plugin : OURS) Trees.delete(layout.volumes(podUid).resolve(Layout.escape(plugin)));
    Trees.deleteEmpty(layout.volumes(podUid));
    Trees.deleteEmpty(layout.subPaths(podUid));
    Trees.delete(layout.pod(podUid));
    for (var directory : logs.ofPod(podUid)) Trees.delete(directory);
  }
}
