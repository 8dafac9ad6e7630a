package dev.berth.node.runtime.host;

import dev.berth.linux.file.FileStatus;
import dev.berth.linux.file.Rooted;
import dev.berth.linux.mount.MountEntry;
import dev.berth.linux.mount.MountFlag;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.MountTree;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.mount.Mounts.Depth;
import dev.berth.linux.mount.Overlay;
import dev.berth.linux.mount.Propagation;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.node.runtime.ContainerMount;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerSpec.Rights;
import dev.berth.node.runtime.ContainerSpec.Root;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Puts the root of one container together, in a name space that only the calling thread is in: the
/// layers of an image, or the machine's own root, under a layer of changes, then what a container
/// expects of `/dev` and `/sys`, then the mounts of the spec.
final class RootBuilder {
  private static final MountOptions QUIET =
      MountOptions.of(MountFlag.NOSUID, MountFlag.NOEXEC, MountFlag.NODEV);
  private static final Path MACHINE = Path.of("/");

  /// Where programs live. If the machine mounts any of it separately, an overlay over `/` shows an
  /// empty directory, so these are brought along, read-only.
  private static final List<Path> SYSTEM =
      List.of("/usr", "/opt", "/etc", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix", "/gnu")
          .stream()
          .map(Path::of)
          .toList();

  private final Mounts mounts;
  private final List<Path> hidden;
  private final List<Path> image;
  private final SecretPlaces.Found secrets;
  private final ContainerSpec spec;
  private final ContainerFolder folder;
  private final Rooted inside;

  /// Files of devices stay closed but for privileged containers, and those in `/dev`.
  private final MountOptions devices;

  /// @param hidden directories of the machine that appear empty
  /// @param secrets of the machine, which do not appear or appear empty
  /// @param image its layers, the topmost first; empty: the machine's own root
  RootBuilder(
      Mounts mounts,
      List<Path> hidden,
      SecretPlaces.Found secrets,
      List<Path> image,
      ContainerSpec spec,
      ContainerFolder folder) {
    this.mounts = mounts;
    this.hidden = hidden;
    this.secrets = secrets;
    this.image = image;
    this.devices =
        spec.rights() == Rights.PRIVILEGED ? MountOptions.NONE : MountOptions.of(MountFlag.NODEV);
    this.spec = spec;
    this.folder = folder;
    this.inside = new Rooted(folder.root());
  }

  /// Makes everything but `/proc`, which belongs to the container's own processes ([KernelFiles]).
  /// From when the volumes are there, other pods may rename what is in them: nothing is done by
  /// name inside any more.
  void build() {
    var system = systemMounts();
    try (var volumes = new Volumes(mounts, hidden, devices, spec.mounts())) {
      mounts.propagate(MACHINE, Depth.TREE, Propagation.SLAVE);
      layTheLayers();
      if (image.isEmpty()) hideTheMachine(system);
      else image();
      new DeviceFolder(mounts, inside, spec.rights()).build();
      if (image.isEmpty()) hiding().folders(hidden);
      volumes.attach(inside);
      DeviceFolder.add(mounts, inside, folder.devices(), spec.devices());
      spec.terminationMessagePath().ifPresent(this::catchLastWords);
      inside.openDirectory(ContainerProgram.workingDirectory(spec)).close();
      if (spec.root() == Root.READ_ONLY)
        mounts.restrict(folder.root(), Depth.ONE, MountOptions.READ_ONLY);
    }
  }

  private HiddenPlaces hiding() {
    return new HiddenPlaces(mounts, inside, folder.empty());
  }

  private void hideTheMachine(List<MountEntry> system) {
    system.forEach(this::bringAlong);
    inside.directory("/proc");
    hiding().files(secrets.files());
    hiding().folders(secrets.folders());
    sys();
    scratch(); // some lie where the machine has secrets
  }

  private void image() {
    inside.directory("/proc");
    sys();
    new Neighbours(folder, inside, access()).show();
  }

  /// An overlay cannot lie on another one, nor on some network file systems; the changes then stay
  /// in memory.
  private void layTheLayers() {
    var layers =
        new Overlay(
            image.isEmpty() ? List.of(MACHINE) : image,
            Optional.of(
                new Overlay.Writable(
                    folder.layer().resolve("upper"), folder.layer().resolve("work"))));
    try {
      mounts.overlay(layers, folder.root());
    } catch (LinuxException refused) {
      if (!(refused.failure() instanceof Failure.Invalid)) throw refused;
      mounts.mount("tmpfs", "berth-layer", folder.layer(), MountOptions.NONE.with("mode=0700"));
      prepareLayer(folder);
      mounts.overlay(layers, folder.root());
    }
    mounts.restrict(folder.root(), Depth.ONE, devices);
  }

  /// Makes the directories that [#layTheLayers] needs.
  static void prepareLayer(ContainerFolder folder) {
    makeDirectory(folder.layer().resolve("upper"), 0755); // shows as the mode of /
    makeDirectory(folder.layer().resolve("work"), 0700);
  }

  static void makeDirectory(Path directory, int mode) {
    try {
      Files.createDirectories(directory);
      Files.setAttribute(directory, "unix:mode", mode); // whatever the umask is
    } catch (IOException broken) {
      throw new UncheckedIOException("make " + directory, broken);
    }
  }

  /// Whether what is mounted there is brought along.
  static boolean isSystem(Path target) {
    return SYSTEM.stream().anyMatch(target::startsWith);
  }

  private List<MountEntry> systemMounts() {
    if (!image.isEmpty()) return List.of();
    var found = new ArrayList<MountEntry>();
    for (var entry : mounts.table().entries())
      if (isSystem(entry.target()) && hidden.stream().noneMatch(entry.target()::startsWith))
        found.add(entry);
    return found;
  }

  private void bringAlong(MountEntry entry) {
    var target = inside.find(entry.target().toString());
    if (target.isPresent())
      mounts.bind(entry.target(), target.get(), Depth.ONE, devices.with(MountFlag.RO));
  }

  private void sys() {
    var sys = inside.directory("/sys");
    if (spec.rights() == Rights.PRIVILEGED) {
      mounts.bind(Path.of("/sys"), sys, Depth.TREE, MountOptions.NONE);
    } else {
      mounts.bind(Path.of("/sys"), sys, Depth.ONE, QUIET.with(MountFlag.RO));
      KernelFiles.MASKED_IN_SYS.forEach(this::mask);
    }
  }

  private void scratch() {
    for (var scratch : Scratch.values())
      mounts.bind(
          folder.scratch(scratch.name()), inside.directory(scratch.path()), Depth.ONE, access());
  }

  private MountOptions access() {
    return spec.root() == Root.READ_ONLY ? devices.with(MountFlag.RO) : devices;
  }

  private void mask(String path) {
    inside
        .find(path)
        .ifPresent(target ->
            mounts.mount("tmpfs", "masked", target, QUIET.with(MountFlag.RO).with("mode=0555")));
  }

  private void catchLastWords(String path) {
    try (var message = MountTree.copyOf(folder.terminationMessage(), Depth.ONE);
        var place = inside.openFile(path)) {
      message.attachOnThisThread(place);
    }
  }

  /// What the machine keeps for passing things, and what people keep, is no business of a
  /// container.
  enum Scratch {
    TMP("/tmp", 01777),
    VAR_TMP("/var/tmp", 01777),
    RUN("/run", 0755),
    ROOT("/root", 0700),
    HOME("/home", 0755);

    private final String path;
    private final int mode;

    Scratch(String path, int mode) {
      this.path = path;
      this.mode = mode;
    }

    String path() {
      return path;
    }

    int mode() {
      return mode;
    }
  }

  /// The mounts of the spec, taken from where they are before this name space stops being a peer of
  /// the machine's: a Bidirectional one has to stay one.
  private static final class Volumes implements AutoCloseable {
    private record Volume(ContainerMount mount, boolean directory, MountTree tree) {}

    private final List<Volume> volumes = new ArrayList<>();

    Volumes(Mounts mounts, List<Path> hidden, MountOptions devices, List<ContainerMount> wanted) {
      try {
        wanted.stream()
            .sorted(Comparator.comparingInt(it -> Path.of(it.target()).getNameCount()))
            .forEach(it -> take(mounts, hidden, devices, it));
      } catch (RuntimeException refused) {
        close();
        throw refused;
      }
    }

    private void take(
        Mounts mounts, List<Path> hidden, MountOptions devices, ContainerMount wanted) {
      var source = real(wanted.source());
      if (wanted.propagation() == Propagation.SHARED
          && !mounts.table().covering(source).map(MountEntry::shared).orElse(false))
        throw new IllegalArgumentException(
            source + " is not on a shared mount, which mountPropagation Bidirectional needs");
      var tree = MountTree.copyOf(source, Depth.TREE);
      volumes.add(new Volume(wanted, FileStatus.of(source).isDirectory(), tree));
      tree.propagate(Depth.TREE, propagation(hidden, wanted, source));
      tree.restrict(Depth.TREE, devices);
      switch (wanted.access()) {
        case READ_WRITE -> {}
        case READ_ONLY -> tree.restrict(Depth.ONE, MountOptions.READ_ONLY);
        case READ_ONLY_TREE, READ_ONLY_TREE_IF_POSSIBLE ->
            tree.restrict(Depth.TREE, MountOptions.READ_ONLY);
      }
    }

    /// A private copy of the node's own directory would pin every volume of the node for as long as
    /// the container runs (NRUN-02).
    private static Propagation propagation(List<Path> hidden, ContainerMount wanted, Path source) {
      boolean holdsOurs = hidden.stream().anyMatch(it -> it.startsWith(source));
      return holdsOurs && wanted.propagation() == Propagation.PRIVATE
          ? Propagation.SLAVE
          : wanted.propagation();
    }

    void attach(Rooted inside) {
      for (var volume : volumes) {
        var target = volume.mount().target();
        try (var place =
            volume.directory() ? inside.openDirectory(target) : inside.openFile(target)) {
          refuseKernelFiles(inside, target, place.name());
          volume.tree().attachOnThisThread(place);
        }
      }
    }

    /// Who can rename what is in a volume can move nothing to where this looks.
    private static void refuseKernelFiles(Rooted inside, String target, Path place) {
      var root = inside.directory("/");
      if (place.equals(root) || place.startsWith(root.resolve("proc")))
        throw new IllegalArgumentException(
            "mountPath %s: nothing is mounted over the root or in /proc; mount it elsewhere"
                .formatted(target));
    }

    private static Path real(Path source) {
      try {
        return source.toRealPath();
      } catch (IOException broken) {
        throw new UncheckedIOException("mount " + source + " into the container", broken);
      }
    }

    @Override
    public void close() {
      volumes.forEach(it -> it.tree().close());
    }
  }
}
